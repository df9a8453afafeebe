package io.warpcodec.benchmarks;

import com.github.luben.zstd.Zstd;
import io.warpcodec.CodecOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jpountz.lz4.LZ4Factory;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.spark.SparkConf;
import org.openjdk.jmh.annotations.Benchmark;
import org.xerial.snappy.Snappy;

/** Where and with what a run was made. */
final class Surroundings {
    private Surroundings() {}

    /** Names and values in the order to print. */
    static Map<String, String> describe(String commit) throws IOException {
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
                String.join(
                        ", ",
                        jar(CompressionCodec.class),
                        jar(SparkConf.class),
                        jar(LZ4Factory.class),
                        jar(Snappy.class),
                        jar(Zstd.class),
                        jar(Benchmark.class)));
        facts.put("settings", "mode=cpu, all else default: " + CodecOptions.DEFAULTS);
        return facts;
    }

    private static String jar(Class<?> type) {
        Path place =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return place.getFileName().toString().replaceAll("\\.jar$", "");
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
