package io.warpcodec.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code warpcodec index}: which files get one, what it is called, and what stays as it is. */
class IndexTest {
    private static final byte[] RAW = Samples.text(700_000);

    @TempDir
    Path folder;

    private Path plain(String name, byte[] raw) throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(raw);
        }
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, gzip.toByteArray());
    }

    @Test
    void anOrdinaryFileGetsOneBesideItAndStaysAsItIs() throws IOException {
        Path file = plain("a.gz", RAW);
        byte[] before = Files.readAllBytes(file);
        ToolRun run = ToolRun.of("index", "--spacing", 10_000, file);
        assertThat(run.complaints()).isEmpty();
        assertThat(run.exit()).isZero();
        assertThat(run.text()).contains(file + ": splits at ");
        Path index = folder.resolve(".a.gz.wci");
        assertThat(index).isNotEmptyFile();
        assertThat(file).hasBinaryContent(before);
        byte[] made = Files.readAllBytes(index);
        assertThat(ToolRun.of("index", file).text()).contains("has its index");
        assertThat(index).hasBinaryContent(made);
        assertThat(ToolRun.of("index", "-f", "--spacing", 50_000, file).text()).contains("splits at ");
        assertThat(Files.size(index)).isLessThan(made.length);
    }

    /** It is read twice, and by several threads: what can be read once is refused, not waited for. */
    @Test
    void aPipeWithANameIsRefused() throws Exception {
        Path pipe = Samples.pipe(folder.resolve("pipe.gz"), Files.readAllBytes(plain("a.gz", RAW)));
        ToolRun run = assertTimeoutPreemptively(Duration.ofMinutes(5), () -> ToolRun.of("index", pipe));
        assertThat(run.exit()).isOne();
        assertThat(run.err()).contains("is no regular file");
    }

    @Test
    void anIndexThatIsOldDamagedOrOfAnotherSizeIsMadeAgain() throws IOException {
        Path file = plain("a.gz", RAW);
        Path index = folder.resolve(".a.gz.wci");
        ToolRun.of("index", "--spacing", 10_000, file);
        byte[] good = Files.readAllBytes(index);
        byte[] damaged = good.clone();
        damaged[50]++;
        for (byte[] bad : List.of(damaged, new byte[0], Arrays.copyOf(good, 100))) {
            Files.write(index, bad);
            ToolRun.of("index", "--spacing", 10_000, file);
            assertThat(index).hasBinaryContent(good);
        }
        Files.setLastModifiedTime(index, FileTime.fromMillis(1_000_000_000_000L));
        assertThat(ToolRun.of("index", "--spacing", 10_000, file).text()).contains("splits at ");
        plain("a.gz", Arrays.copyOf(RAW, 500_000));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        assertThat(ToolRun.of("index", "--spacing", 10_000, file).text()).contains("splits at ");
        assertThat(index).isNotEmptyFile();
        plain("a.gz", new byte[10]);
        assertThat(ToolRun.of("index", "-f", file).text()).contains("nothing to gain");
        assertThat(index).doesNotExist();
    }

    @Test
    void filesThatNeedNoneGetNone() throws IOException {
        Path small = plain("small.gz", new byte[] {1, 2, 3});
        Path ours = folder.resolve("ours.gz");
        Files.write(ours, ToolRun.fed(RAW, "compress", "--format", "gzip", "-").out());
        ToolRun run = ToolRun.of("index", small, ours);
        assertThat(run.exit()).isZero();
        assertThat(run.text()).contains(small + ": has no place to split").contains(ours + ": splits as it is");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void aTreeIsIndexedAndItsOtherFilesAreLeftAlone() throws IOException {
        plain("tree/a.gz", RAW);
        plain("tree/deep/b.gz", RAW);
        Files.write(folder.resolve("tree/c.txt"), RAW);
        assertThat(ToolRun.of("index", "--spacing", 30_000, folder.resolve("tree"))
                        .complaints())
                .isEmpty();
        assertThat(folder.resolve("tree/.a.gz.wci")).exists();
        assertThat(folder.resolve("tree/deep/.b.gz.wci")).exists();
        try (var files = Files.list(folder.resolve("tree"))) {
            assertThat(files).hasSize(4);
        }
    }

    @Test
    void aBadFileIsNamedAndGetsNoIndex() throws IOException {
        Path file = plain("bad.gz", RAW);
        byte[] bad = Files.readAllBytes(file);
        bad[bad.length - 4]++;
        Files.write(file, bad);
        ToolRun run = ToolRun.of("index", "--spacing", 10_000, file);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.complaints())
                .hasSize(1)
                .first()
                .asString()
                .contains("bad.gz")
                .contains("ISIZE");
        assertThat(folder.resolve(".bad.gz.wci")).doesNotExist();
        Path text = Files.write(
                folder.resolve("lines.bz2"),
                ToolRun.fed(RAW, "compress", "--format", "bzip2", "-").out());
        assertThat(ToolRun.of("index", text).exit()).isEqualTo(1);
        assertThat(ToolRun.of("index", "-").exit()).isEqualTo(1);
        assertThat(ToolRun.of("index", "--spacing", 0, file).exit()).isEqualTo(1);
        assertThat(ToolRun.of("index", folder.resolve("absent.gz")).exit()).isEqualTo(1);
    }

    @Test
    void itGoesWithItsFile() throws IOException {
        Path file = plain("a.gz", RAW);
        Path other = plain("b.gz", RAW);
        ToolRun.of("index", "--spacing", 10_000, file, other);
        assertThat(ToolRun.of("recompress", "--format", "zstd", file).complaints())
                .isEmpty();
        assertThat(ToolRun.of("decompress", other).complaints()).isEmpty();
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("a.zst", "b");
        }
    }
}
