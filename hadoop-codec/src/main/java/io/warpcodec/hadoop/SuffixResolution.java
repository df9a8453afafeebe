package io.warpcodec.hadoop;

import io.warpcodec.Format;
import io.warpcodec.Settings;
import io.warpcodec.doctor.ClassPath;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.SettingsExamination;
import io.warpcodec.hadoop.hive.HiveTables;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * Asks Hadoop's CompressionCodecFactory which class it takes for each suffix: a part of what {@code doctor} looks at.
 */
public final class SuffixResolution {
    private static final String SETTING = "io.compression.codecs";
    private static final String OURS = "io.warpcodec.";

    /** The fact that says whether files are read by our classes. */
    public static final String FILES = "files";

    /** Our classes as {@code io.compression.codecs} lists them. */
    static final String OUR_CODECS =
            Stream.of(Format.values()).map(SuffixResolution::ourCodec).collect(Collectors.joining(","));

    private SuffixResolution() {}

    /** Examines the configuration that Hadoop finds on the class path. */
    public static void examine(NodeReport report) {
        examine(report, new Configuration());
    }

    /** Examines a configuration whose keys are Hadoop's own. */
    public static void examine(NodeReport report, Configuration conf) {
        examine(report, conf, "");
    }

    /**
     * Adds the fact {@code files}, the verdict on all suffixes. Adds the fact {@code suffixes}: for each suffix the
     * class that wins, once as configured, once with our classes listed last in {@code io.compression.codecs}. Adds a
     * problem for each of our classes that is listed and does not win, and for settings that cannot be read. Never
     * throws.
     *
     * @param keyPrefix what the host's own configuration puts in front of Hadoop's keys
     */
    public static void examine(NodeReport report, Configuration conf, String keyPrefix) {
        examine(report, conf, keyPrefix, System.getenv());
    }

    static void examine(NodeReport report, Configuration conf, String keyPrefix, Map<String, String> environment) {
        Map<String, Object> findings = new LinkedHashMap<>();
        report.fact(FILES, "not ours (" + SETTING + " cannot be read)");
        report.fact("suffixes", findings);
        String listed = conf.getTrimmed(SETTING, "");
        findings.put(SETTING, listed.isEmpty() ? "not set" : listed);
        try {
            Map<String, Object> configured = resolve(conf);
            findings.put("asConfigured", configured);
            report.fact(FILES, verdict(configured, keyPrefix + SETTING));
            reportShadowed(report, listed, configured);
            HiveTables.examine(report, newlySplit(configured), environment);
            Configuration withOurs = new Configuration(conf);
            withOurs.set(SETTING, listed.isEmpty() ? OUR_CODECS : listed + "," + OUR_CODECS);
            findings.put("withOursListedLast", resolve(withOurs));
        } catch (IOException | RuntimeException | LinkageError failure) {
            findings.put("reason", "Hadoop's CompressionCodecFactory cannot be asked: " + failure);
            report.problem(
                    SETTING + " names what cannot be loaded: " + failure.getMessage(),
                    "put the jar on the class path of every node first, then set the key");
        }
        SettingsExamination.examine(report, Settings.HADOOP_PREFIX, conf.getPropsWithPrefix(Settings.HADOOP_PREFIX));
    }

    /** Whether files are read by our classes: {@code ours}, or what to set. */
    private static String verdict(Map<String, Object> configured, String key) {
        List<String> others = configured.keySet().stream()
                .filter(suffix -> !Boolean.TRUE.equals(((Map<?, ?>) configured.get(suffix)).get("ours")))
                .toList();
        if (others.isEmpty()) {
            return "ours, by " + key;
        }
        String which = others.size() == configured.size() ? "not ours" : "ours, but not " + String.join(" ", others);
        return which + " (set " + key + ")";
    }

    private static void reportShadowed(NodeReport report, String listed, Map<String, Object> configured) {
        List<String> names = List.of(listed.split("\\s*,\\s*"));
        for (Format format : Format.values()) {
            Map<?, ?> winner = (Map<?, ?>) configured.get(format.suffix());
            if (names.contains(ourCodec(format)) && !Boolean.TRUE.equals(winner.get("ours"))) {
                report.problem(
                        SETTING + " lists " + ourCodec(format) + ", but " + winner.get("class") + " has "
                                + format.suffix(),
                        "list Warpcodec's classes last: of several for one suffix the last one wins");
            }
        }
    }

    /** The suffixes that split by our classes and not by Hadoop's. */
    private static List<String> newlySplit(Map<String, Object> configured) {
        return configured.keySet().stream()
                .filter(suffix -> !suffix.equals(Format.BZIP2.suffix()))
                .filter(suffix -> configured.get(suffix) instanceof Map<?, ?> codec
                        && Boolean.TRUE.equals(codec.get("ours"))
                        && Boolean.TRUE.equals(codec.get("splits")))
                .toList();
    }

    private static String ourCodec(Format format) {
        return OURS + "hadoop."
                + switch (format) {
                    case GZIP -> "GpuGzipCodec";
                    case ZLIB -> "GpuDeflateCodec";
                    case BZIP2 -> "GpuBZip2Codec";
                    case LZ4 -> "GpuLz4Codec";
                    case SNAPPY -> "GpuSnappyCodec";
                    case ZSTD -> "GpuZstdCodec";
                };
    }

    private static Map<String, Object> resolve(Configuration conf) throws IOException {
        CompressionCodecFactory factory = new CompressionCodecFactory(conf);
        Map<String, Object> suffixes = new LinkedHashMap<>();
        for (Format format : Format.values()) {
            CompressionCodec codec = factory.getCodec(new Path("file" + format.suffix()));
            Map<String, Object> finding = new LinkedHashMap<>();
            if (codec == null) {
                finding.put("class", null);
            } else {
                String name = codec.getClass().getName();
                List<String> jars = ClassPath.having(name);
                finding.put("class", name);
                finding.put("ours", name.startsWith(OURS));
                finding.put("splits", codec instanceof SplittableCompressionCodec);
                finding.put("jar", jars.isEmpty() ? null : jars.get(0));
                if (jars.size() > 1) {
                    finding.put("alsoIn", jars.subList(1, jars.size()));
                }
            }
            suffixes.put(format.suffix(), finding);
        }
        return suffixes;
    }
}
