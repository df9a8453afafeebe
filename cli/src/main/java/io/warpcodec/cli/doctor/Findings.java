package io.warpcodec.cli.doctor;

import io.warpcodec.Engines;
import io.warpcodec.device.DeviceInfo;
import io.warpcodec.device.DeviceReport;
import io.warpcodec.device.KernelStatus;
import io.warpcodec.engine.EngineSelector;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Everything that {@code doctor} finds out, as maps and lists in the order of the report. Nothing in here throws: a failure is a finding. */
public final class Findings {

    private static final long MEBIBYTE = 1 << 20;

    private Findings() {}

    /** Looks at everything. Takes as long as the driver needs to start. */
    public static Map<String, Object> collect() {
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("java", java());
        findings.put("engine", engine(CostFindings.SAMPLE_BYTES));
        DeviceReport report = DeviceReport.collect(KernelCatalog.contracts());
        findings.put("driver", driver(report));
        findings.put("devices", devices(report));
        findings.put("kernels", kernels(report));
        findings.put("natives", NativeLibraries.findings());
        findings.put("temporaryFolder", temporaryFolder(report));
        findings.put("suffixes", suffixes());
        return findings;
    }

    private static Map<String, Object> java() {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("version", System.getProperty("java.version"));
        finding.put("vendor", System.getProperty("java.vendor"));
        finding.put("home", System.getProperty("java.home"));
        finding.put("system", System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
        finding.put("processors", Runtime.getRuntime().availableProcessors());
        finding.put("maxHeapMiB", Runtime.getRuntime().maxMemory() / MEBIBYTE);
        return finding;
    }

    /** @param sampleBytes sizes of the work by which costs are found */
    static Map<String, Object> engine(int... sampleBytes) {
        EngineSelector engines = Engines.selector();
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put(
                "auto",
                engines.accelerator() == null
                        ? engines.cpu().name()
                        : engines.accelerator().name());
        if (engines.absence() != null) {
            finding.put("whyNotGpu", engines.absence());
        } else if (engines.accelerator() != null) {
            finding.put("costs", CostFindings.collect(engines.accelerator(), sampleBytes));
        }
        return finding;
    }

    private static Map<String, Object> driver(DeviceReport report) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("state", report.driver().state().code());
        finding.put("reason", report.driver().reason());
        finding.put("cudaVersion", report.driver().driverVersionText());
        // how many waves a device works on side by side; the driver's own default is 8, and twelve may be under way
        finding.put("workQueues", System.getenv().getOrDefault("CUDA_DEVICE_MAX_CONNECTIONS", "8"));
        return finding;
    }

    private static List<Object> devices(DeviceReport report) {
        List<Object> findings = new ArrayList<>();
        for (DeviceInfo device : report.devices()) {
            Map<String, Object> finding = new LinkedHashMap<>();
            finding.put("ordinal", device.ordinal());
            finding.put("name", device.name());
            finding.put("computeCapability", device.computeCapability());
            finding.put("memoryMiB", device.memoryBytes() / MEBIBYTE);
            finding.put("multiprocessors", device.multiprocessorCount());
            finding.put("busId", device.busId());
            findings.add(finding);
        }
        return findings;
    }

    private static Map<String, Object> kernels(DeviceReport report) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("toolkit", report.kernelToolkit().isEmpty() ? "none" : report.kernelToolkit());
        finding.put("targets", report.kernelTargets());
        List<Object> modules = new ArrayList<>();
        for (KernelStatus kernel : report.kernels()) {
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

    private static Map<String, Object> temporaryFolder(DeviceReport report) {
        Map<String, Object> finding = new LinkedHashMap<>();
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        finding.put("path", folder.toString());
        finding.put("nativeLibrariesIn", report.nativeFolder());
        try {
            Files.delete(Files.createTempFile(folder, "warpcodec-doctor-", ".probe"));
            finding.put("writable", true);
            finding.putAll(ExecutionProbe.findings(folder));
            finding.put("freeMiB", Files.getFileStore(folder).getUsableSpace() / MEBIBYTE);
        } catch (IOException failure) {
            finding.put("writable", false);
            finding.put("reason", failure.toString());
        }
        return finding;
    }

    private static Map<String, Object> suffixes() {
        try {
            return SuffixResolution.findings();
        } catch (IOException | RuntimeException | LinkageError failure) {
            Map<String, Object> finding = new LinkedHashMap<>();
            finding.put("reason", "Hadoop's CompressionCodecFactory cannot be asked: " + failure);
            return finding;
        }
    }
}
