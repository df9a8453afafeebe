package io.warpcodec.engine.gpu;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.device.pool.WavePrograms;
import io.warpcodec.engine.gpu.request.GpuFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The programs of all formats. */
public final class GpuPrograms implements WavePrograms {
    @Override
    public Map<String, WaveProgram> load(Device device) throws KernelUnavailableException, DeviceException {
        Map<String, GpuFormat.Loading> loadings = new LinkedHashMap<>();
        GpuFormats.ALL.forEach(format -> loadings.putAll(format.programs()));
        Map<String, WaveProgram> loaded = new LinkedHashMap<>();
        KernelUnavailableException missing = null;
        try {
            for (Map.Entry<String, GpuFormat.Loading> loading : loadings.entrySet()) {
                try {
                    loaded.put(loading.getKey(), loading.getValue().load(device));
                } catch (KernelUnavailableException unavailable) {
                    missing = unavailable;
                }
            }
        } catch (DeviceException failed) {
            loaded.values().forEach(WaveProgram::close);
            throw failed;
        }
        if (loaded.isEmpty()) {
            throw missing;
        }
        return loaded;
    }
}
