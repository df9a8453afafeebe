package io.warpcodec.doctor;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.node.NodeQuery;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Whether this process would use the node's service, which has the GPUs for every process of a machine, and whether that answers. */
final class ServiceExamination {
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double MILLION = 1e6;

    private ServiceExamination() {}

    /** Adds the fact {@code nodeService}, and the verdict and problems where a service is to be used. */
    static void examine(NodeReport report) {
        NodeSettings node = PoolSettings.current().node();
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("folder", node.folder() == null ? "none" : node.folder().toString());
        finding.put("there", node.mayBeThere());
        if (node.mayBeThere()) {
            ask(report, node, finding);
        } else if (node.required()) {
            report.gpu(new Verdict(false, "CPU only: devices=node is set, and no node service is at " + node.folder()));
            report.problem(
                    "devices=node is set, and no node service is at " + node.folder(),
                    "start it: warpcodec serve, or the auxiliary service of YARN");
        }
        report.fact("nodeService", finding);
    }

    private static void ask(NodeReport report, NodeSettings node, Map<String, Object> finding) {
        NodeAddress address = new NodeAddress(node.folder(), node.users());
        boolean answers = false;
        try (NodePool pool = new NodePool(address)) {
            long start = System.nanoTime();
            pool.awaitFirst(ANSWER_NANOS);
            double millis = (System.nanoTime() - start) / MILLION;
            answers = pool.isRunning();
            finding.put("answers", answers);
            if (answers) {
                finding.put("connectedMs", String.format(Locale.ROOT, "%.1f", millis));
                if (!System.getProperty(Settings.MODE_PROPERTY, "").trim().equalsIgnoreCase("cpu")) {
                    report.gpu(new Verdict(true, "GPU: those of the node service at " + node.folder()));
                }
            } else {
                String why = pool.whyGone() == null ? "it does not answer" : pool.whyGone();
                finding.put("why", why);
                report.problem(
                        "the node service at " + node.folder() + " cannot be used: " + why,
                        "start it again, or set node.folder=none where it is not to be used");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        // the connection above is closed, so that the service does not count it among its clients
        if (answers) {
            finding.put("service", figures(address));
        }
    }

    private static Object figures(NodeAddress address) {
        try {
            return ServiceFigures.of(NodeQuery.ask(address, ANSWER_NANOS));
        } catch (IOException silent) {
            return "no figures: " + silent.getMessage();
        }
    }
}
