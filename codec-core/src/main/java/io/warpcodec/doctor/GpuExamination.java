package io.warpcodec.doctor;

import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.DriverStatus;
import io.warpcodec.device.driver.KernelTargets;
import io.warpcodec.device.driver.KernelTargets.Fit;
import io.warpcodec.device.kernel.KernelStatus;
import io.warpcodec.device.pool.DeviceReport;
import io.warpcodec.engine.gpu.KernelCatalog;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether GPUs will work: the driver, its devices, and the kernels of this jar on each of them. */
final class GpuExamination {
    private static final long MEBIBYTE = 1 << 20;
    private static final String CPU_ONLY = "CPU only: ";
    private static final String WORK_QUEUES = "CUDA_DEVICE_MAX_CONNECTIONS";
    /** The driver's own default; the pool has up to twelve waves under way. */
    private static final String DEFAULT_WORK_QUEUES = "8";

    private GpuExamination() {}

    /**
     * Adds verdict, problems and facts.
     *
     * @param environment of the process
     */
    static void examine(NodeReport report, DeviceReport found, Map<String, String> environment) {
        List<DeviceInfo> assigned = assigned(found.devices());
        List<DeviceInfo> usable =
                assigned.stream().filter(device -> found.defect(device) == null).toList();
        report.gpu(verdict(found, assigned, usable));
        problems(report, found, assigned);
        if (!usable.isEmpty() && !environment.containsKey(WORK_QUEUES)) {
            report.problem(
                    WORK_QUEUES + " is not set, so a GPU works on " + DEFAULT_WORK_QUEUES
                            + " waves side by side instead of twelve",
                    "set it to 32 in the environment, for Spark with spark.executorEnv." + WORK_QUEUES + "=32");
        }
        report.fact("driver", driver(found.driver(), environment));
        report.fact("devices", devices(found));
        report.fact("kernels", kernels(found));
    }

    /** The devices that this process may use. */
    private static List<DeviceInfo> assigned(List<DeviceInfo> devices) {
        List<String> addresses = PoolSettings.current().devices();
        return addresses.isEmpty()
                ? devices
                : devices.stream()
                        .filter(device -> addresses.stream().anyMatch(device::hasAddress))
                        .toList();
    }

    private static Verdict verdict(DeviceReport found, List<DeviceInfo> assigned, List<DeviceInfo> usable) {
        if (isSwitchedOff()) {
            return new Verdict(false, CPU_ONLY + "-D" + Settings.MODE_PROPERTY + "=cpu is set");
        }
        if (!found.driver().ready()) {
            return new Verdict(false, CPU_ONLY + withoutDriver(found.driver()));
        }
        if (!found.build().unavailableReason().isEmpty()) {
            return new Verdict(false, CPU_ONLY + found.build().unavailableReason());
        }
        if (assigned.isEmpty()) {
            return new Verdict(false, CPU_ONLY + withoutAssigned(found));
        }
        if (usable.isEmpty()) {
            return new Verdict(false, CPU_ONLY + withoutUsable(found, assigned));
        }
        String formats = String.join(", ", KernelCatalog.formats());
        KernelTargets targets = found.build().targets();
        boolean compiled = usable.stream().anyMatch(device -> targets.fit(device) == Fit.COMPILED_ONCE);
        List<DeviceInfo> others = new ArrayList<>(assigned);
        others.removeAll(usable);
        return new Verdict(
                true,
                "GPU: " + counted(usable) + " for " + formats
                        + (compiled ? " (kernels compiled by the driver once)" : "")
                        + (others.isEmpty() ? "" : "; not " + counted(others)));
    }

    private static boolean isSwitchedOff() {
        return System.getProperty(Settings.MODE_PROPERTY, "").trim().equalsIgnoreCase("cpu");
    }

    private static String withoutDriver(DriverStatus driver) {
        return switch (driver.state()) {
            case NO_DRIVER -> "no driver (libcuda.so.1)";
            case NO_DEVICE -> "the driver shows no GPU";
            default -> driver.reason();
        };
    }

    private static String withoutAssigned(DeviceReport found) {
        return "none of the devices " + PoolSettings.current().devices() + " is among the "
                + found.devices().size() + " that the driver shows";
    }

    private static String withoutUsable(DeviceReport found, List<DeviceInfo> assigned) {
        KernelStatus first = found.defect(assigned.get(0));
        if (first.state() != KernelStatus.State.NO_CODE_FOR_DEVICE) {
            return first.reason();
        }
        if (assigned.stream().anyMatch(device -> found.build().targets().fit(device) == Fit.COMPILED_ONCE)) {
            return "the driver is too old to compile the kernels, which are of CUDA "
                    + found.build().toolkit();
        }
        String devices = assigned.stream()
                .map(device -> device.computeCapability() + " (" + device.name() + ")")
                .distinct()
                .collect(Collectors.joining(", "));
        return "the kernels in this jar are for " + found.build().targets().text() + "; the GPU is " + devices;
    }

    /** {@code 2 x NVIDIA H200, 1 x NVIDIA L4}. */
    private static String counted(List<DeviceInfo> devices) {
        Map<String, Long> byName =
                devices.stream().collect(Collectors.groupingBy(DeviceInfo::name, TreeMap::new, Collectors.counting()));
        return byName.entrySet().stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    private static void problems(NodeReport report, DeviceReport found, List<DeviceInfo> assigned) {
        if (isSwitchedOff()) {
            report.problem(
                    "the system property " + Settings.MODE_PROPERTY + "=cpu keeps all work off GPUs",
                    "take it away where it is set, when the reason for it is gone");
        }
        FallbackReason without = found.driver().state().fallback();
        if (found.driver().state() == DriverStatus.State.NOEXEC_FOLDER) {
            TemporaryFolder.reportNoexec(report, found.nativeFolder());
        } else if (without != null) {
            report.problem(found.driver().reason(), without.remedy());
        }
        if (!found.build().unavailableReason().isEmpty()) {
            report.problem(
                    found.build().unavailableReason() + ", so no GPU can be used",
                    "use a release, or build where nvcc 13 is on the path");
            return;
        }
        if (assigned.isEmpty() && !found.devices().isEmpty()) {
            report.problem(withoutAssigned(found), FallbackReason.NO_ASSIGNED_DEVICE.remedy());
        }
        for (DeviceInfo device : assigned) {
            KernelStatus defect = found.defect(device);
            if (defect != null) {
                report.problem(
                        "GPU " + device.ordinal() + " (" + device.name() + ") is not used: " + defect.word() + ": "
                                + defect.reason(),
                        remedy(defect.state(), found.build().targets().fit(device)));
            }
        }
    }

    private static String remedy(KernelStatus.State state, Fit fit) {
        return switch (state) {
            case NO_CODE_FOR_DEVICE ->
                fit == Fit.COMPILED_ONCE
                        ? "install a newer driver, or use a jar with machine code for this GPU"
                        : "use a release, whose kernels run on every GPU since Turing, or build for this GPU";
            case MISSING, MISMATCH ->
                "put one version of Warpcodec on the class path, all of its jars or warpcodec-all.jar";
            default -> "look at nvidia-smi: the GPU may be in error, in exclusive mode, or out of memory";
        };
    }

    private static Map<String, Object> driver(DriverStatus driver, Map<String, String> environment) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("state", driver.state().code());
        finding.put("reason", driver.reason());
        finding.put("cudaVersion", driver.driverVersionText());
        finding.put("workQueues", environment.getOrDefault(WORK_QUEUES, DEFAULT_WORK_QUEUES));
        return finding;
    }

    private static List<Object> devices(DeviceReport found) {
        List<Object> findings = new ArrayList<>();
        for (DeviceInfo device : found.devices()) {
            Map<String, Object> finding = new LinkedHashMap<>();
            finding.put("ordinal", device.ordinal());
            finding.put("name", device.name());
            finding.put("computeCapability", device.computeCapability());
            finding.put(
                    "kernels",
                    switch (found.build().targets().fit(device)) {
                        case MACHINE_CODE -> "machine code";
                        case COMPILED_ONCE -> "compiled by the driver once";
                        case NONE -> "none";
                    });
            finding.put("memoryMiB", device.memoryBytes() / MEBIBYTE);
            finding.put("multiprocessors", device.multiprocessorCount());
            finding.put("busId", device.busId());
            findings.add(finding);
        }
        return findings;
    }

    private static Map<String, Object> kernels(DeviceReport found) {
        DeviceReport.Build build = found.build();
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("toolkit", build.toolkit().isEmpty() ? "none" : build.toolkit());
        finding.put(
                "targets", build.unavailableReason().isEmpty() ? build.targets().text() : build.unavailableReason());
        List<Object> modules = new ArrayList<>();
        for (KernelStatus kernel : found.kernels()) {
            Map<String, Object> module = new LinkedHashMap<>();
            module.put("name", kernel.word());
            if (kernel.ordinal() >= 0) {
                module.put("device", kernel.ordinal());
            }
            module.put("state", kernel.state().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            module.put("reason", kernel.reason());
            modules.add(module);
        }
        finding.put("modules", modules);
        return finding;
    }
}
