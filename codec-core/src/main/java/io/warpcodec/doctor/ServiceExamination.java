package io.warpcodec.doctor;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.NodeQuery;
import io.warpcodec.engine.gpu.NodeProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whether this process would use the node's service, which has the GPUs for every process of a machine, and whether
 * that answers.
 */
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
        } else if (node.folder() != null) {
            notThere(report, node, finding);
        }
        report.fact("nodeService", finding);
    }

    private static void notThere(NodeReport report, NodeSettings node, Map<String, Object> finding) {
        Path stuck = node.folder().resolve(NodeProtocol.STUCK);
        if (node.isClosed()) {
            closed(report, node.folder(), finding);
        } else if (Files.exists(stuck)) {
            finding.put("why", "its process cannot be ended");
            report.problem(
                    "the process " + content(stuck)
                            + " of the node service cannot be ended: it is inside the GPU's driver",
                    "reset the GPU, or start the machine again");
        }
        if (node.required()) {
            report.gpu(new Verdict(false, "CPU only: devices=node is set, and no node service is at " + node.folder()));
            report.problem(
                    "devices=node is set, and no node service is at " + node.folder(),
                    "start it: warpcodec serve, or the auxiliary service of YARN");
        }
    }

    /** The folder does not let this account in. */
    static void closed(NodeReport report, Path folder, Map<String, Object> finding) {
        String account = System.getProperty("user.name");
        try {
            String group = Files.readAttributes(folder, PosixFileAttributes.class)
                    .group()
                    .getName();
            finding.put("why", "members of the group " + group + " may use it, and " + account + " is none");
            report.problem(
                    "the account " + account + " may not use the node service at " + folder,
                    "add it to the group " + group + ", or leave it: its processes work without the service");
        } catch (IOException unreadable) {
            finding.put("why", unreadable.toString());
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException gone) {
            return "";
        }
    }

    private static void ask(NodeReport report, NodeSettings node, Map<String, Object> finding) {
        NodeAddress address = new NodeAddress(node.folder(), node.users());
        boolean answers = false;
        try (NodeProbe probe = new NodeProbe(address)) {
            long start = System.nanoTime();
            answers = probe.ask(ANSWER_NANOS);
            double millis = (System.nanoTime() - start) / MILLION;
            finding.put("answers", answers);
            if (answers) {
                finding.put("decodedMs", String.format(Locale.ROOT, "%.1f", millis));
                if (!System.getProperty(Settings.MODE_PROPERTY, "").trim().equalsIgnoreCase("cpu")) {
                    report.gpu(new Verdict(true, "GPU: those of the node service at " + node.folder()));
                }
            } else {
                String why = probe.whyNot() == null ? "it decodes no block" : probe.whyNot();
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
