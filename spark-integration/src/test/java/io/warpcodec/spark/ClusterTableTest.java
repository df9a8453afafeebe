package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DriverStatus.State;
import io.warpcodec.device.pool.ScriptedReports;
import io.warpcodec.device.pool.ScriptedReports.Gpu;
import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.ScriptedNodes;
import io.warpcodec.engine.gpu.KernelCatalog;
import io.warpcodec.hadoop.SuffixResolution;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClusterTableTest {
    private static final Gpu H200 = new Gpu("NVIDIA H200", "9.0");

    private static NodeReport gpus(int count) {
        return ScriptedNodes.with(
                ScriptedReports.of(Collections.nCopies(count, H200), "90", "", KernelCatalog.contracts()));
    }

    private static NodeReport withoutDriver() {
        return ScriptedNodes.with(ScriptedReports.without(
                State.NO_DRIVER, "no NVIDIA driver: libcuda.so.1 was not found", KernelCatalog.contracts()));
    }

    private static NodeReport ofOtherVersion(NodeReport report) {
        report.fact(NodeExamination.VERSION, "1.2.4");
        return report;
    }

    private static ExecutorAnswer driver() {
        NodeReport report = withoutDriver();
        report.fact("spark.io.compression.codec", "lz4");
        report.fact("spark.plugins", "not set");
        SuffixResolution.examine(report, new Configuration(false), "spark.hadoop.");
        return new ExecutorAnswer("driver", "edge", report);
    }

    @Test
    void executorsOfOneNodeShareARowAndEachProblemIsSaidOnce() {
        ClusterTable table = new ClusterTable(
                List.of(
                        new ExecutorAnswer("0", "a", gpus(2)),
                        new ExecutorAnswer("1", "a", gpus(2)),
                        new ExecutorAnswer("2", "b", ofOtherVersion(withoutDriver()))),
                4);
        List<String> lines = table.text(driver()).lines().toList();
        assertThat(lines.get(0))
                .isEqualTo(
                        "GPU: 2 x NVIDIA H200 for gzip, deflate, bzip2, lz4, snappy, zstd, on 2 of 4"
                                + " executors; CPU only: no driver (libcuda.so.1), on 1 of 4 executors; no answer from 1 of 4 executors");
        assertThat(lines.get(1)).startsWith("1. no NVIDIA driver: libcuda.so.1 was not found. Nothing on a machine");
        assertThat(lines)
                .containsSubsequence(
                        "files: not ours (set spark.hadoop.io.compression.codecs)",
                        "3 of 4 executors answered",
                        "node  executors  version  verdict                                                           GPUs  CUDA     problems",
                        "a     0, 1       1.2.3    GPU: 2 x NVIDIA H200 for gzip, deflate, bzip2, lz4, snappy, zstd  2     13.0     none",
                        "b     2          1.2.4    CPU only: no driver (libcuda.so.1)                                0     unknown  1",
                        "edge  driver     1.2.3    CPU only: no driver (libcuda.so.1)                                0     unknown  1",
                        "spark.io.compression.codec: lz4",
                        "files .gz: org.apache.hadoop.io.compress.GzipCodec");
    }

    @Test
    void aCheckHoldsIfItHoldsOnEveryExecutorAndEachHasAnswered() {
        ExecutorAnswer gpu = new ExecutorAnswer("0", "a", gpus(1));
        ExecutorAnswer cpu = new ExecutorAnswer("1", "b", withoutDriver());
        assertThat(new ClusterTable(List.of(gpu), 1).holds("gpu")).isTrue();
        assertThat(new ClusterTable(List.of(gpu), 2).holds("gpu")).isFalse();
        assertThat(new ClusterTable(List.of(gpu, cpu), 2).holds("gpu")).isFalse();
        assertThat(new ClusterTable(List.of(gpu, cpu), 2).holds("cpu")).isTrue();
        assertThat(new ClusterTable(List.of(), 0).holds("cpu")).isFalse();
    }

    @Test
    void answersTravelAsBytes() {
        ExecutorAnswer answer = new ExecutorAnswer("7", "node", gpus(2));
        ExecutorAnswer arrived = ExecutorAnswer.fromBytes(answer.toBytes());
        assertThat(arrived.executor()).isEqualTo("7");
        assertThat(arrived.report().asText()).isEqualTo(answer.report().asText());
    }

    @Test
    void inLocalModeTheOneProcessAnswers() {
        System.setProperty("spark.master", "local[2]");
        System.setProperty("spark.ui.enabled", "false");
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
            assertThat(new ClusterExamination().isSubmitted()).isTrue();
            assertThat(new ClusterExamination().run(0, 60, null, out)).isTrue();
            assertThat(bytes.toString(StandardCharsets.UTF_8))
                    .contains("\n1 of 1 executors answered\n")
                    .containsPattern("(?m)^\\S+ +driver +[0-9]\\S* +(GPU|CPU only): ")
                    .contains("\nspark.plugins: not set\n");
        } finally {
            System.clearProperty("spark.master");
            System.clearProperty("spark.ui.enabled");
        }
    }
}
