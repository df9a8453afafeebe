package io.warpcodec.cli.doctor;

import io.warpcodec.Engines;
import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.hadoop.SuffixResolution;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything that {@code doctor} finds out on this node: what the codecs find themselves, and what this tool can see
 * of Hadoop's and Spark's settings.
 */
public final class Findings {

    private Findings() {}

    /**
     * Looks at everything. Takes as long as the driver needs to start, and on a machine with a GPU some seconds of
     * measuring. Never throws.
     */
    public static NodeReport collect() {
        NodeReport report = NodeExamination.examine();
        hadoop(report);
        SparkDefaults.examine(report, System.getenv());
        report.fact("engine", engine(ChoiceFindings.SAMPLE_BYTES));
        return report;
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
        if (engines.unavailableReason() != null) {
            finding.put("whyNotGpu", engines.unavailableReason().word());
        } else if (engines.accelerator() != null) {
            finding.put("costs", ChoiceFindings.collect(engines.accelerator(), sampleBytes));
        }
        return finding;
    }

    private static void hadoop(NodeReport report) {
        try {
            SuffixResolution.examine(report);
        } catch (LinkageError withoutHadoop) {
            report.fact("suffixes", Map.of("reason", "Hadoop is not on the class path: " + withoutHadoop));
        }
    }
}
