package io.warpcodec.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.benchmarks.stream.GzipSizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs of the benchmarks of whole {@code .gz} files. */
class TextAggregationTest {
    @TempDir
    Path folder;

    @Test
    void everyReaderFindsTheSameInFilesOfBothWriters() throws Exception {
        Path out = folder.resolve("text.csv");
        TextAggregation.main(new String[] {
            "--folder",
            folder.resolve("text").toString(),
            "--files",
            "2",
            "--size",
            "1",
            "--repeat",
            "2",
            "--rounds",
            "1",
            "--contenders",
            "stock:ours:cpu,ours:stock,ours:ours:cpu",
            "--write-mode",
            "cpu",
            "--cores",
            "2",
            "--out",
            out.toString()
        });
        List<String> points = points(out);
        assertThat(points).hasSize(3);
        assertThat(points)
                .allMatch(line ->
                        line.endsWith(points.get(0).substring(points.get(0).lastIndexOf(','))));
        assertThat(points.get(0).split(",")[10].split(" ")).hasSize(3); // A, N and R
        assertThat(Integer.parseInt(points.get(2).split(",")[9]))
                .as("chunks of ours")
                .isGreaterThanOrEqualTo(2 * 8);
    }

    @Test
    void sizesOfWholeFilesAreComparedWithZlib() throws Exception {
        Path data = folder.resolve("data");
        Files.write(data, TpchText.lineitem(700_000));
        Path out = folder.resolve("sizes.csv");
        GzipSizes.main(
                new String[] {"--data", "few=" + data, "--modes", "cpu", "--levels", "6", "--out", out.toString()});
        String[] point = points(out).get(0).split(",");
        // the CPU's members are zlib's own, with 24 bytes more in each header
        assertThat(Long.parseLong(point[4])).isEqualTo(Long.parseLong(point[5]) + 3 * 24);
        assertThat(Long.parseLong(point[6])).isLessThan(Long.parseLong(point[5]));
    }

    private static List<String> points(Path file) throws Exception {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .skip(1)
                .toList();
    }
}
