package io.warpcodec.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.forge.ForgedIndex;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code decompress} uses the index beside a gzip file, gives the same bytes as without, and does without it where it
 * is bad.
 */
class IndexedDecompressTest {

    private static final byte[] RAW = Samples.text(900_000);

    @TempDir
    Path folder;

    private Path file;
    private Path index;

    @BeforeEach
    void make() throws IOException {
        file = Files.write(folder.resolve("a.gz"), RecompressTest.plainGzip(RAW));
        assertThat(ToolRun.of("index", "--spacing", "20000", file).complaints()).isEmpty();
        index = folder.resolve(".a.gz.wci");
        assertThat(index).exists();
    }

    private static long used() {
        return Metrics.counter("decode.gzip.sidecar.used").sum();
    }

    @Test
    void itsSpansAreDecodedByThreads() {
        long before = used();
        assertThat(ToolRun.of("decompress", "-c", "--threads", "3", file).out()).isEqualTo(RAW);
        assertThat(used()).isEqualTo(before + 1);
        assertThat(ToolRun.of("decompress", "-c", "--threads", "1", file).out()).isEqualTo(RAW);
        assertThat(used()).isEqualTo(before + 1);
    }

    @Test
    void itGoesWithItsFile() throws IOException {
        ToolRun run = ToolRun.of("decompress", "-v", "--threads", "3", file);
        assertThat(run.exit()).isZero();
        assertThat(folder.resolve("a")).hasBinaryContent(RAW);
        assertThat(index).doesNotExist();
        assertThat(file).doesNotExist();
    }

    @Test
    void oneThatIsDamagedCutOrOfAnotherFileIsNotUsed() throws IOException {
        byte[] sound = Files.readAllBytes(index);
        int step = "all".equals(System.getProperty("warpcodec.test.sizes")) ? 97 : 7 * 97;
        for (int at = 0; at < sound.length; at += step) {
            byte[] bad = sound.clone();
            bad[at] ^= 0x10;
            Files.write(index, bad);
            ToolRun run = ToolRun.of("decompress", "-c", "--threads", "3", file);
            assertThat(run.out()).as("byte " + at).isEqualTo(RAW);
            assertThat(run.exit()).isZero();
        }
        Files.write(index, java.util.Arrays.copyOf(sound, sound.length / 2));
        assertThat(ToolRun.of("decompress", "-c", "--threads", "3", file).out()).isEqualTo(RAW);
    }

    @Test
    void aBadFileIsBadWithItsIndex() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        ToolRun run = ToolRun.of("decompress", "--threads", "3", file);
        assertThat(run.exit()).isEqualTo(ExitCode.CORRUPT);
        assertThat(run.err()).containsPattern("a.gz: .*at offset [0-9]+|at offset [0-9]+");
        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(file).exists();
    }

    @Test
    void aForgedOneIsNoticedAndTheFileIsDecodedAgain() throws IOException {
        Files.write(file, ForgedIndex.file());
        Files.write(index, ForgedIndex.index());
        ToolRun toPipe = ToolRun.of("decompress", "-c", "--threads", "3", file);
        assertThat(toPipe.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(toPipe.err()).contains(".a.gz.wci is not of this file").contains("delete it");
        ToolRun toFile = ToolRun.of("decompress", "--threads", "3", file);
        assertThat(toFile.exit()).isZero();
        assertThat(toFile.err()).contains("decoded again without its index");
        assertThat(folder.resolve("a")).hasBinaryContent(ForgedIndex.raw());
    }

    @Test
    void aPipeInItsPlaceIsNotWaitedFor() throws Exception {
        Files.delete(index);
        assertThat(new ProcessBuilder("mkfifo", index.toString()).start().waitFor())
                .isZero();
        assertThat(ToolRun.of("decompress", "-c", "--threads", "3", file).out()).isEqualTo(RAW);
    }
}
