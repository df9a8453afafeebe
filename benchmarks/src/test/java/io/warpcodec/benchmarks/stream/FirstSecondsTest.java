package io.warpcodec.benchmarks.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A short run: a line for each half second, and bytes that add up. */
class FirstSecondsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"lz4,GpuLz4Codec hadoop,decode,direct", "snappy,GpuSnappyCodec,encode,heap"})
    void eachHalfSecondHasALine(String format, String codec, String direction, String reads) throws Exception {
        Path out = folder.resolve("first.csv");
        FirstSeconds.main(new String[] {
            "--format",
            format,
            "--codec",
            codec,
            "--direction",
            direction,
            "--reads",
            reads,
            "--mode",
            "cpu",
            "--threads",
            "2",
            "--seconds",
            "1",
            "--size",
            "1",
            "--out",
            out.toString()
        });
        List<String> lines = Files.readAllLines(out).stream()
                .filter(line -> !line.startsWith("#"))
                .skip(1)
                .toList();
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith(codec));
        // on a busy machine the first half second may pass without a byte, and with a dash for the share
        long atFirst = Long.parseLong(lines.get(0).split(",")[8]);
        assertThat(Long.parseLong(lines.get(1).split(",")[8])).isGreaterThanOrEqualTo(atFirst);
        assertThat(lines).extracting(line -> line.split(",")[7]).isSubsetOf("0.000", "-");
    }
}
