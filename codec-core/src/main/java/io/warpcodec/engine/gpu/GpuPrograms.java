package io.warpcodec.engine.gpu;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.device.pool.WavePrograms;
import io.warpcodec.engine.gpu.request.GpuFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The programs of all formats. */
public final class GpuPrograms implements WavePrograms {
    private static Map<String, GpuFormat.Program> all() {
        Map<String, GpuFormat.Program> programs = new LinkedHashMap<>();
        GpuFormats.ALL.forEach(format -> programs.putAll(format.programs()));
        return programs;
    }

    /** What reads the jobs of each program where they come from another process, by the program's name. */
    public static Map<String, JobReader> readers() {
        Map<String, JobReader> readers = new LinkedHashMap<>();
        all().forEach((name, program) -> readers.put(name, program.reader()));
        return readers;
    }

    @Override
    public Map<String, WaveProgram> load(Device device) throws KernelUnavailableException, DeviceException {
        Map<String, WaveProgram> loaded = new LinkedHashMap<>();
        KernelUnavailableException missing = null;
        try {
            for (Map.Entry<String, GpuFormat.Program> program : all().entrySet()) {
                try {
                    loaded.put(program.getKey(), program.getValue().loading().load(device));
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
