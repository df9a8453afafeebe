package io.warpcodec.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run on a small file: the index is used in each split, and every way of reading finds the same lines. */
class SideCarSplitsTest {
    @TempDir
    Path folder;

    @Test
    void everyWayOfReadingIsMeasured() throws Exception {
        Path out = folder.resolve("splits.csv");
        SideCarSplits.main(new String[] {
            "--folder",
            folder.toString(),
            "--scale",
            "0.01",
            "--splits",
            "1,4",
            "--rounds",
            "1",
            "--spacing",
            "100000",
            "--out",
            out.toString()
        });
        List<String[]> points = Files.readAllLines(out).stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("reader,"))
                .map(line -> line.split(","))
                .toList();
        assertThat(points)
                .extracting(point -> point[0] + " " + point[1])
                .containsExactly("stock GzipCodec 1", "GpuGzipCodec 1", "GpuGzipCodec 4");
        assertThat(points).extracting(point -> point[6]).containsExactly("0", "0", "4");
        assertThat(points).extracting(point -> point[7]).containsOnly("60175");
    }
}
