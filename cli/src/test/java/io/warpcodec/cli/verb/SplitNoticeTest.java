package io.warpcodec.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.ToolRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What recompress and index say of Hive: once a call, where files split that did not before. */
class SplitNoticeTest {
    private static final byte[] RAW = raw();

    @TempDir
    Path folder;

    private static byte[] raw() {
        byte[] raw = new byte[1_000_000];
        Random random = new Random(5);
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) ('a' + random.nextInt(16));
        }
        return raw;
    }

    private Path ours(String name, Format format) throws IOException {
        Path file = folder.resolve(name + format.suffix());
        return Files.write(
                file,
                ToolRun.fed(RAW, "compress", "--format", format.word(), "-").out());
    }

    private Path plainGzip(String name) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(RAW);
        }
        return file;
    }

    private static long notices(ToolRun run) {
        assertThat(run.exit()).as(run.err()).isZero();
        return run.err()
                .lines()
                .filter(("warpcodec: " + SplitNotice.TEXT)::equals)
                .count();
    }

    @ParameterizedTest
    @CsvSource({
        "SNAPPY, ZSTD, 1",
        "SNAPPY, LZ4, 1",
        "SNAPPY, GZIP, 1",
        "ZLIB, ZSTD, 1",
        "ZSTD, GZIP, 0",
        "GZIP, LZ4, 0",
        "SNAPPY, BZIP2, 0",
        "SNAPPY, ZLIB, 0",
        "ZSTD, SNAPPY, 0",
        "BZIP2, ZSTD, 0"
    })
    void recompressSaysItOnceWhereFilesSplitNow(Format from, Format to, int times) throws IOException {
        Path first = ours("a", from);
        Path second = ours("b", from);
        assertThat(notices(ToolRun.of("recompress", "--format", to.word(), first, second)))
                .isEqualTo(times);
    }

    @Test
    void soDoesAFileThatGetsChunksInItsOwnFormat() throws IOException {
        Path file = plainGzip("a.gz");
        assertThat(notices(ToolRun.of("recompress", "--format", "gzip", file))).isOne();
        assertThat(notices(ToolRun.of("recompress", "--format", "gzip", file)))
                .as("nothing is written")
                .isZero();
    }

    @Test
    void indexSaysItOnceAndNotAgain() throws IOException {
        Path first = plainGzip("a.gz");
        Path second = plainGzip("b.gz");
        assertThat(notices(ToolRun.of("index", "--spacing", 50_000, first, second)))
                .isOne();
        assertThat(notices(ToolRun.of("index", first, second))).isZero();
    }

    @Test
    void quietIsQuiet() throws IOException {
        assertThat(ToolRun.of("recompress", "-q", "--format", "zstd", plainGzip("a.gz"))
                        .err())
                .isEmpty();
    }
}
