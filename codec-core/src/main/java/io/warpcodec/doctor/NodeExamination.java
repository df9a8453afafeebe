package io.warpcodec.doctor;

import io.warpcodec.Version;
import io.warpcodec.device.pool.DeviceReport;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.util.LinkedHashMap;
import java.util.Map;

/** Looks at all that one node has for the codecs, without Hadoop and Spark. */
public final class NodeExamination {
    /** The fact that says which version of Warpcodec looked. */
    public static final String VERSION = "warpcodec";

    private static final long MEBIBYTE = 1 << 20;

    private NodeExamination() {}

    /**
     * Looks at everything. Takes as long as the driver needs to start: a second on a machine with a GPU, next to
     * nothing on others.
     */
    public static NodeReport examine() {
        return examine(DeviceReport.collect(KernelCatalog.contracts()), System.getenv());
    }

    static NodeReport examine(DeviceReport devices, Map<String, String> environment) {
        NodeReport report = new NodeReport();
        report.fact(VERSION, Version.text());
        GpuExamination.examine(report, devices, environment);
        ServiceExamination.examine(report);
        HostLibraries.examine(report);
        TemporaryFolder.examine(report, devices.nativeFolder());
        report.fact("java", java());
        return report;
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
}
