package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.spark.cluster.SparkHome;
import io.warpcodec.spark.cluster.StandaloneCluster;
import io.warpcodec.spark.cluster.WorkloadApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real standalone cluster of processes on loopback, with {@code warpcodec-all.jar} as a user would install it. */
class SparkClusterIT {
    private static final Path APPLICATION_JAR = Path.of(System.getProperty("warpcodec.test.applicationJar"));
    private static final Path ALL_JAR = Path.of(System.getProperty("warpcodec.test.allJar"));

    @TempDir
    private Path folder;

    @Test
    void everyPlaceWhereSparkCompressesGoesThroughEachCodecFromTheJarsFolder() throws Exception {
        SparkHome home = SparkHome.create(folder.resolve("spark"), List.of(ALL_JAR));
        Path metricsFolder = Files.createDirectories(folder.resolve("metrics"));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.plugins", "io.warpcodec.spark.WarpcodecPlugin");
        settings.put("spark.executor.resource.gpu.amount", "1");
        settings.put("spark.task.resource.gpu.amount", "0.1");
        settings.put("spark.metrics.conf.executor.sink.csv.class", "org.apache.spark.metrics.sink.CsvSink");
        settings.put("spark.metrics.conf.executor.sink.csv.directory", metricsFolder.toString());
        try (StandaloneCluster cluster = StandaloneCluster.start(home, folder, 2)) {
            List<String> codecs = new ArrayList<>();
            Arrays.stream(CodecPair.values()).map(CodecPair::className).forEach(codecs::add);
            codecs.add(CodecPair.LZ4.stockName());
            List<JsonNode> results = run(cluster, List.of(), settings, codecs);
            assertStreamsPassedUsBy(results.get(CodecPair.values().length));
            for (int i = 0; i < CodecPair.values().length; i++) {
                assertStreamsWentThroughUs(results.get(i));
                assertThat(results.get(i).get("checkpointMagic").asText()).startsWith(CodecPair.values()[i].magic());
            }
        }
        assertPublished(metricsFolder);
        assertAddressesArrived();
    }

    @Test
    void theJarGivenByTheJarsOptionServesAnUntouchedInstallation() throws Exception {
        SparkHome home = SparkHome.create(folder.resolve("spark"), List.of());
        try (StandaloneCluster cluster = StandaloneCluster.start(home, folder, 1)) {
            List<JsonNode> results = run(cluster, List.of(ALL_JAR), Map.of(), List.of(CodecPair.LZ4.className()));
            results.forEach(SparkClusterIT::assertStreamsWentThroughUs);
        }
    }

    private List<JsonNode> run(
            StandaloneCluster cluster, List<Path> jars, Map<String, String> settings, List<String> codecs)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.add(folder.resolve("scratch").toString());
        arguments.addAll(codecs);
        StandaloneCluster.Submitted submitted =
                cluster.submit(APPLICATION_JAR, WorkloadApplication.class.getName(), jars, settings, arguments);
        assertThat(submitted.exitStatus()).as(submitted.output()).isZero();
        List<JsonNode> results = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        for (String line : submitted.output().lines().toList()) {
            if (line.startsWith(WorkloadApplication.RESULT_PREFIX)) {
                results.add(json.readTree(line.substring(WorkloadApplication.RESULT_PREFIX.length())));
            }
        }
        assertThat(results).extracting(result -> result.get("codec").asText()).isEqualTo(codecs);
        return results;
    }

    private static void assertStreamsWentThroughUs(JsonNode result) {
        for (String count : List.of(
                "executors", "encoded", "decoded", "driverEncoded", "driverDecoded", "spilledBytes", "cachedBytes")) {
            assertThat(result.get(count).asLong()).as("%s in %s", count, result).isPositive();
        }
        assertThat(result.get("cachedBytes").asLong())
                .as("compressed in the cache: %s", result)
                .isLessThan(result.get("plainBytes").asLong());
    }

    /** The same program with a codec of Spark's: the counts tell it from ours, in the driver that ours ran in before too. */
    private static void assertStreamsPassedUsBy(JsonNode result) {
        for (String count : List.of("encoded", "decoded", "driverEncoded", "driverDecoded")) {
            assertThat(result.get(count).asLong()).as("%s in %s", count, result).isZero();
        }
    }

    private static void assertPublished(Path metricsFolder) throws IOException {
        try (Stream<Path> files = Files.list(metricsFolder)) {
            List<Path> published = files.filter(file -> file.toString()
                            .endsWith("plugin.io.warpcodec.spark.WarpcodecPlugin.encode.gzip.streams.csv"))
                    .toList();
            assertThat(published).as("the plugin's gauges").isNotEmpty();
            long largest = 0;
            for (Path file : published) {
                List<String> lines = Files.readAllLines(file);
                String last = lines.get(lines.size() - 1);
                largest = Math.max(largest, Long.parseLong(last.substring(last.indexOf(',') + 1)));
            }
            assertThat(largest).isPositive();
        }
    }

    /** Each worker's discovery script names another address; the executor's log says which one it was given. */
    private void assertAddressesArrived() throws IOException {
        for (int worker = 0; worker < 2; worker++) {
            try (Stream<Path> files = Files.walk(folder.resolve("worker-" + worker))) {
                List<Path> logs = files.filter(file -> file.endsWith("stderr")).toList();
                assertThat(logs).isNotEmpty();
                for (Path log : logs) {
                    assertThat(Files.readString(log)).contains("GPU addresses [" + worker + "]");
                }
            }
        }
    }
}
