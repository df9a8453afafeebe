package io.warpcodec.doctor;

import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.node.ServiceReport.Client;
import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.device.node.ServiceReport.Work;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a node's service says of itself, as facts: totals, then a map for each client that it names. */
final class ServiceFigures {
    private static final double MEBIBYTE = 1 << 20;
    private static final double MILLION = 1e6;
    private static final long BILLION = 1_000_000_000;

    private ServiceFigures() {}

    /** The facts. */
    static Map<String, Object> of(ServiceReport report) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clientCount", report.clientCount());
        facts.put("memoryBytes", report.memoryBytes());
        facts.put("mostMemoryBytes", report.mostMemoryBytes());
        facts.put("backlogBytes", report.backlogBytes());
        facts.put("upSeconds", report.upNanos() / BILLION);
        add(facts, report.work(), report.window());
        facts.put("clientsNotServed", report.refused());
        facts.put("segmentsDenied", report.denied());
        if (!report.clients().isEmpty()) {
            facts.put(
                    "clients", report.clients().stream().map(ServiceFigures::of).toList());
        }
        return facts;
    }

    private static Map<String, Object> of(Client client) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", client.name());
        facts.put("user", client.user());
        facts.put("memoryBytes", client.memoryBytes());
        facts.put("underWay", client.works());
        facts.put("connectedSeconds", client.connectedNanos() / BILLION);
        add(facts, client.work(), client.window());
        return facts;
    }

    private static void add(Map<String, Object> facts, Work work, Window window) {
        facts.put("done", work.done());
        facts.put("failed", work.failed());
        facts.put("withdrawn", work.withdrawn());
        facts.put("dropped", work.dropped());
        facts.put("inputBytes", work.inputBytes());
        facts.put("outputBytes", work.outputBytes());
        facts.put("outputMiBPerSecond", rounded(window.bytesPerSecond() / MEBIBYTE));
        facts.put("waitMs", rounded(window.meanWaitNanos() / MILLION));
        facts.put("waitMostMs", rounded(window.mostWaitNanos() / MILLION));
        facts.put("waitMostEverMs", rounded(work.mostWaitNanos() / MILLION));
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
