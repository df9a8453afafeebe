package io.warpcodec.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkDefaultsTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrongInSparksDefaultsIsAProblem() throws IOException {
        Path file = Files.writeString(folder.resolve("spark-defaults.conf"), """
                # as Spark writes it
                spark.io.compression.codec   io.warpcodec.spark.GpuLz5CompressionCodec
                spark.io.compression.gpu.moed cpu
                spark.hadoop.io.compression.codec.gpu.chunk.size 3g
                spark.plugins=io.warpcodec.spark.WarpcodecPlugin
                spark.executor.memory 2g
                """);
        NodeReport report = new NodeReport();
        SparkDefaults.examine(report, Map.of("SPARK_CONF_DIR", folder.toString(), "SPARK_HOME", "elsewhere"));
        assertThat(report.problems())
                .extracting(Problem::what)
                .satisfiesExactlyInAnyOrder(
                        what -> assertThat(what)
                                .isEqualTo("spark.io.compression.codec is"
                                        + " io.warpcodec.spark.GpuLz5CompressionCodec, which is no class"),
                        what -> assertThat(what)
                                .startsWith("spark.io.compression.gpu.moed is no setting")
                                .endsWith("the nearest one is spark.io.compression.gpu.mode"),
                        what -> assertThat(what)
                                .startsWith("spark.hadoop.io.compression.codec.gpu.*: setting chunk.size is '3g'"));
        assertThat((Map<?, ?>) report.facts().get("spark"))
                .hasSize(5)
                .satisfies(facts -> assertThat(facts.get("file")).isEqualTo(file.toString()))
                .satisfies(facts ->
                        assertThat(facts.get("spark.plugins")).isEqualTo("io.warpcodec.spark.WarpcodecPlugin"));
    }

    @Test
    void aMachineWithoutSparkHasNothingToSay() {
        NodeReport report = new NodeReport();
        SparkDefaults.examine(report, Map.of("SPARK_HOME", folder.toString()));
        SparkDefaults.examine(report, Map.of());
        assertThat(report.facts()).isEmpty();
        assertThat(report.problems()).isEmpty();
    }
}
