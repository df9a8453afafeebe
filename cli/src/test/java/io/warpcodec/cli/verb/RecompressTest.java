package io.warpcodec.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.warpcodec.Format;
import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code warpcodec recompress}: files and trees, again after an interruption, and what is left alone. */
public class RecompressTest {
    private static final byte[] RAW = Samples.text(700_000);

    @TempDir
    Path folder;

    public static byte[] plainGzip(byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    private Path compressed(String name, Format format, byte[] raw) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(
                file,
                ToolRun.fed(raw, "compress", "--format", format.word(), "-").out());
    }

    private static byte[] decoded(Path file) {
        return ToolRun.of("decompress", "-c", file).out();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return List.copyOf(new TreeSet<>(all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .toList()));
        }
    }

    static Stream<Arguments> formatPairs() {
        Format[] formats = Format.values();
        return Stream.of(formats).map(from -> Arguments.of(from, formats[(from.ordinal() + 1) % formats.length]));
    }

    @ParameterizedTest
    @MethodSource("formatPairs")
    void aFileChangesItsFormatAndKeepsItsContentTimeAndPermissions(Format from, Format to) throws IOException {
        Path before = compressed("lines" + from.suffix(), from, RAW);
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(before, time);
        Files.setPosixFilePermissions(before, PosixFilePermissions.fromString("rw-r-----"));
        ToolRun run = ToolRun.of("recompress", "--format", to.word(), before);
        assertThat(run.complaints()).isEmpty();
        assertThat(files()).containsExactly("lines" + to.suffix());
        Path after = folder.resolve("lines" + to.suffix());
        assertThat(decoded(after)).isEqualTo(RAW);
        assertThat(Files.getLastModifiedTime(after)).isEqualTo(time);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(after)))
                .isEqualTo("rw-r-----");
        assertThat(run.text()).contains(after + ": " + Files.size(after) + " bytes of ");
    }

    @Test
    void aTreeIsRewrittenAndWhatIsNotCompressedOrHiddenStays() throws IOException {
        compressed("a.gz", Format.GZIP, RAW);
        compressed("deep/er/b.bz2", Format.BZIP2, Samples.text(5));
        compressed("deep/c.zst", Format.ZSTD, new byte[0]);
        compressed("_temporary/d.gz", Format.GZIP, RAW);
        compressed("deep/.e.gz", Format.GZIP, RAW);
        Files.write(folder.resolve("notes.txt"), RAW);
        assertThat(ToolRun.of("recompress", "--format", "lz4", folder).complaints())
                .isEmpty();
        assertThat(files())
                .containsExactly("_temporary/d.gz", "a.lz4", "deep/.e.gz", "deep/c.lz4", "deep/er/b.lz4", "notes.txt");
        assertThat(decoded(folder.resolve("a.lz4"))).isEqualTo(RAW);
        assertThat(decoded(folder.resolve("deep/er/b.lz4"))).isEqualTo(Samples.text(5));
        assertThat(decoded(folder.resolve("deep/c.lz4"))).isEmpty();
    }

    @Test
    void anotherFolderGetsTheSameTreeAndTheInputsStay() throws IOException {
        compressed("in/a.gz", Format.GZIP, RAW);
        compressed("in/deep/b.gz", Format.GZIP, RAW);
        Path out = folder.resolve("out");
        assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", out, folder.resolve("in"))
                        .complaints())
                .isEmpty();
        assertThat(files()).containsExactly("in/a.gz", "in/deep/b.gz", "out/a.zst", "out/deep/b.zst");
        assertThat(decoded(out.resolve("deep/b.zst"))).isEqualTo(RAW);
    }

    @Test
    void aPlainGzipGetsAnIndexInItsPlaceAndOnlyOnce() throws IOException {
        Path file = Files.write(folder.resolve("plain.gz"), plainGzip(RAW));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(ToolRun.of("info", file).text()).doesNotContain("warpcodec");
        assertThat(ToolRun.of("recompress", "--format", "gzip", file).complaints())
                .isEmpty();
        assertThat(ToolRun.of("info", file).text()).contains("warpcodec, version 1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        byte[] once = Files.readAllBytes(file);
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            assertThat(in.readAllBytes()).isEqualTo(RAW);
        }
        ToolRun again = ToolRun.of("recompress", "--format", "gzip", "--level", "1", file);
        assertThat(again.exit()).isZero();
        assertThat(again.text()).contains("nothing to gain, left alone");
        assertThat(file).hasBinaryContent(once);
    }

    /** It splits, but no GPU reads its frames, which do not tell their size. */
    @Test
    void aZstOfPzstdGetsChunksAndOnlyOnce() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(frame, 3)) {
            out.setChecksum(true);
            out.write(RAW);
        }
        ByteBuffer bytes = ByteBuffer.allocate(12 + frame.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0x184d_2a50).putInt(4).putInt(frame.size()).put(frame.toByteArray());
        Path file = Files.write(folder.resolve("lines.zst"), bytes.array());
        assertThat(ToolRun.of("info", file).text()).containsPattern("splittable +true");
        assertThat(ToolRun.of("recompress", "--format", "zstd", file).complaints())
                .isEmpty();
        byte[] rewritten = Files.readAllBytes(file);
        assertThat(rewritten).isNotEqualTo(bytes.array());
        assertThat(decoded(file)).isEqualTo(RAW);
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(file, time);
        ToolRun.of("recompress", "--format", "zstd", file);
        assertThat(Files.readAllBytes(file)).isEqualTo(rewritten);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(time);
    }

    @Test
    void whatWasInterruptedGoesOnWithTheFilesThatAreLeft() throws IOException {
        compressed("a.gz", Format.GZIP, RAW);
        compressed("b.gz", Format.GZIP, RAW);
        // as if the call had ended between naming an output and deleting its input
        compressed("a.zst", Format.ZSTD, RAW);
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", folder);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.complaints()).singleElement().asString().contains("a.zst: exists already");
        assertThat(files()).containsExactly("a.gz", "a.zst", "b.zst");
        String complaint = run.complaints().get(0);
        String finish = complaint.substring(complaint.indexOf("recompress --format zstd -f "));
        assertThat(ToolRun.of((Object[]) finish.split(" ")).exit()).isZero();
        assertThat(files()).containsExactly("a.zst", "b.zst");
    }

    @Test
    void anOutputOfAnotherContentIsNeitherReplacedNorTakenForDone() throws IOException {
        Path input = compressed("a.gz", Format.GZIP, RAW);
        Path other = compressed("a.zst", Format.ZSTD, Samples.text(10));
        byte[] bytes = Files.readAllBytes(other);
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", input);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.complaints()).singleElement().asString().contains(other + ": exists already");
        assertThat(other).hasBinaryContent(bytes);
        assertThat(input).exists();
        assertThat(ToolRun.of("recompress", "-k", "--format", "zstd", input).exit())
                .isEqualTo(2);
    }

    @Test
    void aDamagedFileStaysAndTheOthersAreRewritten() throws IOException {
        Path bad = compressed("a.gz", Format.GZIP, RAW);
        byte[] bytes = Files.readAllBytes(bad);
        bytes[bytes.length / 2] ^= 4;
        Files.write(bad, bytes);
        compressed("b.gz", Format.GZIP, RAW);
        ToolRun run = ToolRun.of("recompress", "--format", "lz4", folder);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.complaints()).singleElement().asString().contains(bad.toString());
        assertThat(files()).containsExactly("a.gz", "b.lz4");
        assertThat(bad).hasBinaryContent(bytes);
    }

    @Test
    void wrongUsageIsRefusedBeforeAnythingIsTouched() throws IOException {
        Path file = Files.write(folder.resolve("a.gz"), plainGzip(RAW));
        for (List<Object> arguments : Arrays.<List<Object>>asList(
                List.of("recompress", file),
                List.of("recompress", "--format", "snappy", "--level", "3", file),
                List.of("recompress", "--format", "zstd", "-"),
                List.of("recompress", "--format", "gzip", "-k", file),
                List.of("recompress", "--format", "zstd", folder.resolve("absent.gz")))) {
            assertThat(ToolRun.of(arguments.toArray()).exit())
                    .as(arguments.toString())
                    .isEqualTo(1);
        }
        Path noSuffix = Files.write(folder.resolve("lines"), Files.readAllBytes(file));
        assertThat(ToolRun.of("recompress", "--format", "zstd", noSuffix).exit())
                .isEqualTo(1);
        assertThat(files()).containsExactly("a.gz", "lines");
    }
}
