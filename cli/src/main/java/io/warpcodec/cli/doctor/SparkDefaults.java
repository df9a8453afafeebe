package io.warpcodec.cli.doctor;

import io.warpcodec.Settings;
import io.warpcodec.doctor.ClassPath;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.SettingsExamination;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What this machine's {@code spark-defaults.conf} says about codecs, found as {@code spark-submit} finds it. */
final class SparkDefaults {
    private static final String CODEC = "spark.io.compression.codec";
    private static final String HADOOP = "spark.hadoop.";
    private static final String OURS = "io.warpcodec.";

    private SparkDefaults() {}

    /** Adds the fact {@code spark} where there is such a file, and what is wrong in it. */
    static void examine(NodeReport report, Map<String, String> environment) {
        Path file = file(environment);
        if (file == null || !Files.isRegularFile(file)) {
            return;
        }
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("file", file.toString());
        report.fact("spark", finding);
        Properties defaults = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            defaults.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            finding.put("reason", unreadable.toString());
            return;
        }
        Map<String, String> codecs = new TreeMap<>();
        for (String key : defaults.stringPropertyNames()) {
            if (key.startsWith("spark.io.compression.")
                    || key.startsWith(HADOOP + "io.compression.")
                    || key.equals("spark.plugins")) {
                codecs.put(key, defaults.getProperty(key).trim());
            }
        }
        finding.putAll(codecs);
        SettingsExamination.examine(report, Settings.SPARK_PREFIX, behind(Settings.SPARK_PREFIX, codecs));
        SettingsExamination.examine(
                report, HADOOP + Settings.HADOOP_PREFIX, behind(HADOOP + Settings.HADOOP_PREFIX, codecs));
        reportUnknownClass(report, codecs.getOrDefault(CODEC, ""));
    }

    private static Path file(Map<String, String> environment) {
        String folder = environment.get("SPARK_CONF_DIR");
        if (folder == null && environment.get("SPARK_HOME") != null) {
            folder = environment.get("SPARK_HOME") + "/conf";
        }
        return folder == null ? null : Path.of(folder, "spark-defaults.conf");
    }

    private static Map<String, String> behind(String prefix, Map<String, String> settings) {
        Map<String, String> words = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                words.put(key.substring(prefix.length()), value);
            }
        });
        return words;
    }

    private static void reportUnknownClass(NodeReport report, String codec) {
        try {
            if (codec.startsWith(OURS) && ClassPath.having(codec).isEmpty()) {
                report.problem(
                        CODEC + " is " + codec + ", which is no class",
                        "the codecs are io.warpcodec.spark.GpuLz4CompressionCodec, GpuZstd..., GpuSnappy... and GpuGzip...");
            }
        } catch (IOException unreadable) {
            report.problem(CODEC + " cannot be looked for: " + unreadable, "look at the jars on the class path");
        }
    }
}
