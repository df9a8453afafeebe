package io.warpcodec.doctor;

import io.warpcodec.device.pool.DeviceReport;
import java.util.Map;

/**
 * Reports of nodes that are not there, by version 1.2.3. Nothing in them depends on the libraries that tests run on.
 */
public final class ScriptedNodes {
    private ScriptedNodes() {}

    /** A node with these devices, whose CPU does every format. */
    public static NodeReport with(DeviceReport devices) {
        NodeReport report = new NodeReport();
        report.fact(NodeExamination.VERSION, "1.2.3");
        GpuExamination.examine(report, devices, Map.of("CUDA_DEVICE_MAX_CONNECTIONS", "32"));
        report.cpu(new Verdict(true, "CPU: all formats"));
        return report;
    }
}
