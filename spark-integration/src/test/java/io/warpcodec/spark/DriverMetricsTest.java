package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** What the driver's {@code /metrics/json} shows of the executors. */
class DriverMetricsTest {
    private static final String SOURCE = ".driver.plugin.io.warpcodec.spark.WarpcodecPlugin.";

    @Test
    void driverShowsWhatTasksOnExecutorsCountedAndWhy() throws Exception {
        SparkConf conf = new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("metrics")
                .set("spark.plugins", WarpcodecPlugin.class.getName())
                .set("spark.ui.enabled", "true")
                .set("spark.ui.port", "0");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            spark.parallelize(List.of(1, 2), 2).foreach(task -> {
                CodecPair.GZIP.compress(new byte[10]);
                Metrics.countFallback(Direction.ENCODE, Format.GZIP, FallbackReason.DEVICE_FAILED);
            });
            for (String name : List.of("encode.gzip.streams", "encode.gzip.cpu.bytesIn", "fallbacks")) {
                awaitPositive(spark, name);
            }
            awaitPositive(spark, "fallback.encode.gzip." + FallbackReason.DEVICE_FAILED.word());
        }
    }

    /** Messages of executors are on their way for a moment; the limit is the test's. */
    private static void awaitPositive(JavaSparkContext spark, String name) throws IOException, InterruptedException {
        String url = spark.sc().uiWebUrl().get() + "/metrics/json/";
        long count = 0;
        while (count == 0) {
            JsonNode gauges =
                    new ObjectMapper().readTree(URI.create(url).toURL()).get("gauges");
            String key = spark.sc().applicationId() + SOURCE + "executors." + name;
            count = gauges.has(key) ? gauges.get(key).get("value").asLong() : 0;
            Thread.sleep(20);
        }
        assertThat(count).isPositive();
    }
}
