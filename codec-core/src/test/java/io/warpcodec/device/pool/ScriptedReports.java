package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.DriverStatus;
import io.warpcodec.device.driver.DriverStatus.State;
import io.warpcodec.device.driver.KernelTargets;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code doctor} would find on machines that are not there: reports over a {@link ScriptedDriver}. */
public final class ScriptedReports {
    private static final long MEMORY_BYTES = 1L << 37;
    private static final int NO_BINARY_FOR_GPU = 209;

    private ScriptedReports() {}

    /** A device with a name and a compute capability, such as {@code 9.0}. */
    public record Gpu(String name, String capability) {}

    /**
     * A machine with these devices. Loading a kernel fails on those that the targets leave out, as with a real driver.
     *
     * @param machineCode capabilities of the jar's machine code, such as {@code 80,90}
     * @param portable capabilities of its portable code
     */
    public static DeviceReport of(List<Gpu> gpus, String machineCode, String portable, List<KernelContract> contracts) {
        KernelTargets targets = KernelTargets.parse(machineCode, portable);
        List<DeviceInfo> devices = new ArrayList<>();
        for (Gpu gpu : gpus) {
            String[] parts = gpu.capability().split("\\.");
            int ordinal = devices.size();
            devices.add(new DeviceInfo(
                    ordinal,
                    gpu.name(),
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    MEMORY_BYTES,
                    132,
                    "0000:0" + ordinal + ":00.0",
                    "GPU-" + ordinal));
        }
        return DeviceReport.collect(
                new DriverStatus(State.READY, "CUDA 13.0, " + gpus.size() + " devices", 13000),
                devices,
                device -> {
                    ScriptedDriver driver = new ScriptedDriver(devices.size(), MEMORY_BYTES, Map.of(), contracts);
                    if (targets.fit(device) == KernelTargets.Fit.NONE) {
                        driver.failAll(Call.LOAD_MODULE, NO_BINARY_FOR_GPU);
                    }
                    return Device.open(driver, device);
                },
                new DeviceReport.Build("13.0", targets, ""),
                contracts);
    }

    /** A machine whose driver cannot be used. */
    public static DeviceReport without(State state, String reason, List<KernelContract> contracts) {
        return DeviceReport.collect(
                DriverStatus.of(state, reason),
                List.of(),
                device -> {
                    throw new AssertionError("there is none");
                },
                new DeviceReport.Build("13.0", KernelTargets.parse("90", ""), ""),
                contracts);
    }

    /** The report of a machine, with a jar that has no kernels. */
    public static DeviceReport withoutKernels(DeviceReport report, String unavailableReason) {
        return new DeviceReport(
                report.driver(),
                report.devices(),
                new DeviceReport.Build("", KernelTargets.parse("", ""), unavailableReason),
                report.kernels(),
                report.nativeFolder());
    }
}
