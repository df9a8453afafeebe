package io.warpcodec.benchmarks;

import io.warpcodec.CodecOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where and with what a run was made. */
public final class Surroundings {
    /** One class of each library that a benchmark may run on; by name, since no benchmark needs all of them. */
    private static final List<String> LIBRARY_CLASSES = List.of(
            "org.apache.hadoop.io.compress.CompressionCodec",
            "org.apache.spark.SparkConf",
            "net.jpountz.lz4.LZ4Factory",
            "org.xerial.snappy.Snappy",
            "com.github.luben.zstd.Zstd",
            "org.openjdk.jmh.annotations.Benchmark");

    private Surroundings() {}

    /**
     * Names and values in the order to print.
     *
     * @param commit what is run; null to ask git
     */
    public static Map<String, String> describe(String commit) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "date",
                ZonedDateTime.now(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.MINUTES)
                        .toString());
        facts.put("commit", commit != null ? commit : git());
        facts.put(
                "cpu",
                firstValue("/proc/cpuinfo", "model name") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors");
        facts.put("memory", firstValue("/proc/meminfo", "MemTotal"));
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("load at start", loadAverage());
        facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put(
                "libraries",
                LIBRARY_CLASSES.stream()
                        .map(Surroundings::jar)
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(", ")));
        facts.put("settings", "mode=cpu, all else default: " + CodecOptions.DEFAULTS);
        return facts;
    }

    /** The jar that a class comes from, if it is on the class path. */
    private static Optional<String> jar(String className) {
        try {
            Class<?> type = Class.forName(className, false, Surroundings.class.getClassLoader());
            Path place = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().getPath());
            return Optional.of(place.getFileName().toString().replaceAll("\\.jar$", ""));
        } catch (ClassNotFoundException absent) {
            return Optional.empty();
        }
    }

    private static String firstValue(String file, String key) throws IOException {
        if (!Files.isReadable(Path.of(file))) {
            return "unknown";
        }
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("unknown");
    }

    private static String loadAverage() throws IOException {
        Path file = Path.of("/proc/loadavg");
        return Files.isReadable(file) ? Files.readString(file).trim() : "unknown";
    }

    private static String git() throws IOException {
        try {
            Process process = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return answer.isEmpty() ? "unknown" : answer;
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}
