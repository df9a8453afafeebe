package io.warpcodec.hadoop.hive;

import io.warpcodec.doctor.NodeReport;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Whether Hive is configured on this node, whose tables with header or footer lines lose rows when their files split
 * (HIVE-25765): a part of what {@code doctor} looks at.
 */
public final class HiveTables {
    private static final String FILE = "hive-site.xml";

    private HiveTables() {}

    /**
     * Adds a problem where there is a configuration of Hive and files split that would not with Hadoop's codecs.
     *
     * @param suffixes whose codec of ours splits files, {@code .bz2} not among them
     * @param environment variables by which Hive's own scripts find its configuration
     */
    public static void examine(NodeReport report, List<String> suffixes, Map<String, String> environment) {
        String found = suffixes.isEmpty() ? null : find(environment);
        if (found != null) {
            report.problem(
                    "Hive is configured here (" + found + "), and " + String.join(" ", suffixes)
                            + " split: its tables with header or footer lines lose rows then",
                    "if you have such tables, list the classes of io.warpcodec.hadoop.unsplit instead;"
                            + " docs/user/hive.md says more");
        }
    }

    private static String find(Map<String, String> environment) {
        return Stream.of(environment.get("HIVE_CONF_DIR"), below(environment.get("HIVE_HOME"), "conf"))
                .filter(folder -> folder != null && Files.isRegularFile(Path.of(folder, FILE)))
                .findFirst()
                .map(folder -> Path.of(folder, FILE).toString())
                .orElseGet(HiveTables::onClassPath);
    }

    private static String below(String folder, String name) {
        return folder == null ? null : folder + "/" + name;
    }

    private static String onClassPath() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        URL found = loader == null ? null : loader.getResource(FILE);
        return found == null ? null : found.toString();
    }
}
