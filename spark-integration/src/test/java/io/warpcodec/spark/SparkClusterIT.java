package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.spark.cluster.KilledTasksApplication;
import io.warpcodec.spark.cluster.SparkHome;
import io.warpcodec.spark.cluster.StandaloneCluster;
import io.warpcodec.spark.cluster.WorkloadApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on a real standalone cluster of processes on loopback, with {@code warpcodec-all.jar} as a user would install
 * it. One cluster serves all tests. Its installation is untouched when the first two tests submit; from the third on,
 * the jar lies in its jars folder, where the drivers and executors of later applications find it.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SparkClusterIT {
    private static final Path APPLICATION_JAR = Path.of(System.getProperty("warpcodec.test.applicationJar"));
    private static final Path ALL_JAR = Path.of(System.getProperty("warpcodec.test.allJar"));
    private static final int WORKERS = 2;

    /**
     * A build has gzip from the jars folder; {@code -Dwarpcodec.test.spark.codecs=all} has all four from there, and LZ4
     * from the jars option, which the pages' commands have in every build.
     */
    private static final List<CodecPair> CODECS =
            System.getProperty("warpcodec.test.spark.codecs", "").equals("all")
                    ? List.of(CodecPair.values())
                    : List.of(CodecPair.GZIP);

    @TempDir
    private static Path folder;

    private static SparkHome home;
    private static StandaloneCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        home = SparkHome.create(folder.resolve("spark"));
        cluster = StandaloneCluster.start(home, folder, WORKERS);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @Test
    @Order(1)
    void doctorPrintsWhatEachExecutorFoundOnItsNode() throws Exception {
        StandaloneCluster.Submitted submitted = cluster.submit(
                ALL_JAR,
                "io.warpcodec.Doctor",
                List.of(),
                Map.of("spark.serializer", "org.apache.spark.serializer.KryoSerializer"),
                List.of("--executors", Integer.toString(WORKERS)));
        assertThat(submitted.exitStatus()).as(submitted.output()).isZero();
        assertThat(submitted.output())
                .containsPattern("(?m)^(GPU|CPU only): .*, on 2 of 2 executors$")
                .contains("\n2 of 2 executors answered\n")
                .containsPattern("(?m)^node +executors +version +verdict +GPUs +CUDA +problems$")
                .containsPattern("(?m)^127\\.0\\.0\\.1 +0, 1(, driver)? +[0-9]\\S* +(GPU|CPU only): ")
                .contains("\nfiles: not ours (set spark.hadoop.io.compression.codecs)\n")
                .contains("\nspark.io.compression.codec: not set\n")
                .contains("\nfiles .gz: org.apache.hadoop.io.compress.GzipCodec\n");
    }

    @Test
    @Order(2)
    @EnabledIfSystemProperty(named = "warpcodec.test.spark.codecs", matches = "all")
    void theJarGivenByTheJarsOptionServesAnUntouchedInstallation() throws Exception {
        run(List.of(ALL_JAR), Map.of(), List.of(CodecPair.LZ4.className()))
                .forEach(SparkClusterIT::assertStreamsWentThroughUs);
    }

    @Test
    @Order(3)
    void everyPlaceWhereSparkCompressesGoesThroughCodecsFromTheJarsFolder() throws Exception {
        home.add(ALL_JAR);
        Path metricsFolder = Files.createDirectories(folder.resolve("metrics"));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.plugins", "io.warpcodec.spark.WarpcodecPlugin");
        settings.put("spark.executor.resource.gpu.amount", "1");
        settings.put("spark.task.resource.gpu.amount", "0.1");
        settings.put("spark.metrics.conf.*.sink.csv.class", "org.apache.spark.metrics.sink.CsvSink");
        settings.put("spark.metrics.conf.*.sink.csv.directory", metricsFolder.toString());
        // an executor that is told to end may be killed before its last report
        settings.put("spark.metrics.conf.*.sink.csv.period", "1");
        settings.put("spark.metrics.conf.*.sink.csv.unit", "seconds");
        List<String> codecs = new ArrayList<>();
        CODECS.forEach(codec -> codecs.add(codec.className()));
        codecs.add(CodecPair.LZ4.stockName());
        List<JsonNode> results = run(List.of(), settings, codecs);
        assertStreamsPassedUsBy(results.get(CODECS.size()));
        for (int i = 0; i < CODECS.size(); i++) {
            assertStreamsWentThroughUs(results.get(i));
            assertThat(results.get(i).get("checkpointMagic").asText())
                    .startsWith(CODECS.get(i).magic());
        }
        assertPublished(metricsFolder, "\\.[0-9]+\\.plugin\\.io\\.warpcodec\\.spark\\.WarpcodecPlugin\\.");
        assertPublished(metricsFolder, "\\.driver\\.plugin\\.io\\.warpcodec\\.spark\\.WarpcodecPlugin\\.executors\\.");
        assertAddressesArrived();
    }

    /**
     * {@code -Dwarpcodec.test.kills=1000} kills that many tasks, {@code -Dwarpcodec.test.kills.seed=S} others.
     * Without the first it is skipped: it takes half a minute at least.
     */
    @Test
    @Order(4)
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    @EnabledIfSystemProperty(named = "warpcodec.test.kills", matches = "[1-9][0-9]*")
    void killedTasksNeitherHurtOtherJobsNorLeaveAnythingBehind() throws Exception {
        home.add(ALL_JAR);
        int kills = Integer.getInteger("warpcodec.test.kills");
        long seed = Long.getLong("warpcodec.test.kills.seed", 1);
        List<String> arguments = new ArrayList<>(
                List.of(folder.resolve("killed").toString(), Integer.toString(kills), Long.toString(seed)));
        arguments.add(CodecPair.LZ4.className());
        if (kills >= 100) {
            arguments.addAll(List.of(CodecPair.ZSTD.className(), CodecPair.SNAPPY.className()));
        }
        StandaloneCluster.Submitted submitted =
                cluster.submit(APPLICATION_JAR, KilledTasksApplication.class.getName(), List.of(), Map.of(), arguments);
        assertThat(submitted.exitStatus()).as(submitted.output()).isZero();
        List<JsonNode> results = results(submitted, KilledTasksApplication.RESULT_PREFIX);
        assertThat(results).hasSize(arguments.size() - 3);
        int killed = 0;
        for (JsonNode result : results) {
            System.out.println(result);
            killed += result.get("killed").asInt();
            assertThat(result.get("wrong").asInt()).as(submitted.output()).isZero();
            assertThat(result.get("left").asInt()).as(submitted.output()).isZero();
            for (String count : List.of("undisturbedRight", "encoded", "decoded")) {
                assertThat(result.get(count).asLong())
                        .as("%s in %s", count, result)
                        .isPositive();
            }
        }
        assertThat(killed).isGreaterThanOrEqualTo(kills);
    }

    private static List<JsonNode> run(List<Path> jars, Map<String, String> settings, List<String> codecs)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.add(folder.resolve("scratch").toString());
        arguments.addAll(codecs);
        StandaloneCluster.Submitted submitted =
                cluster.submit(APPLICATION_JAR, WorkloadApplication.class.getName(), jars, settings, arguments);
        assertThat(submitted.exitStatus()).as(submitted.output()).isZero();
        List<JsonNode> results = results(submitted, WorkloadApplication.RESULT_PREFIX);
        assertThat(results).extracting(result -> result.get("codec").asText()).isEqualTo(codecs);
        return results;
    }

    private static List<JsonNode> results(StandaloneCluster.Submitted submitted, String prefix) throws IOException {
        List<JsonNode> results = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        for (String line : submitted.output().lines().toList()) {
            if (line.startsWith(prefix)) {
                results.add(json.readTree(line.substring(prefix.length())));
            }
        }
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

    /**
     * The workload with a codec of Spark's has no streams of our codecs. That holds in the driver too, where our codecs
     * ran before.
     */
    private static void assertStreamsPassedUsBy(JsonNode result) {
        for (String count : List.of("encoded", "decoded", "driverEncoded", "driverDecoded")) {
            assertThat(result.get(count).asLong()).as("%s in %s", count, result).isZero();
        }
    }

    private static void assertPublished(Path metricsFolder, String source) throws IOException {
        Pattern names = Pattern.compile(source + "encode\\.gzip\\.streams\\.csv$");
        try (Stream<Path> files = Files.list(metricsFolder)) {
            List<Path> published =
                    files.filter(file -> names.matcher(file.toString()).find()).toList();
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
    private static void assertAddressesArrived() throws IOException {
        for (int worker = 0; worker < WORKERS; worker++) {
            int address = worker;
            try (Stream<Path> files = Files.walk(folder.resolve("worker-" + worker))) {
                List<Path> logs = files.filter(file -> file.endsWith("stderr")).toList();
                List<String> told = new ArrayList<>();
                for (Path log : logs) {
                    told.addAll(Files.readString(log)
                            .lines()
                            .filter(line -> line.contains("may use the GPUs ["))
                            .toList());
                }
                assertThat(told).isNotEmpty().allMatch(line -> line.contains("may use the GPUs [" + address + "]"));
            }
        }
    }
}
