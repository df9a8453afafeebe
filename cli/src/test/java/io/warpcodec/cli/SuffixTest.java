package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of names, as Hadoop and gzip have them; and names as long as the file system allows. */
class SuffixTest {

    private static final byte[] RAW = Samples.text(2_000);

    @TempDir
    Path folder;

    private static byte[] compressed(Format format) {
        return ToolRun.fed(RAW, "compress", "--format", format.word()).out();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    static Stream<Arguments> suffixes() {
        return Stream.of(Format.values())
                .flatMap(format -> Stream.of(
                                format.suffix().toUpperCase(Locale.ROOT),
                                format.suffix().substring(0, 2).toUpperCase(Locale.ROOT)
                                        + format.suffix().substring(2))
                        .map(suffix -> Arguments.of(format, suffix)));
    }

    @ParameterizedTest
    @MethodSource("suffixes")
    void capitalsMeanTheSame(Format format, String suffix) throws IOException {
        Path file = Files.write(folder.resolve("A" + suffix), compressed(format));
        String word = format.word();
        assertThat(ToolRun.of("compress", "-r", folder).complaints()).isEmpty();
        assertThat(names()).containsExactly("A" + suffix);
        assertThat(ToolRun.of("compress", "-k", "--format", word, file).err()).contains("already, left alone");
        assertThat(ToolRun.of("verify", "-r", folder).text()).contains("A" + suffix + ": ok, " + word);
        Files.write(file, new byte[] {1, 2, 3}, java.nio.file.StandardOpenOption.APPEND);
        assertThat(ToolRun.of("verify", "-r", folder).exit()).isEqualTo(2);
        Files.write(file, compressed(format));
        assertThat(ToolRun.of("recompress", "--format", word, folder).exit()).isZero();
        assertThat(names()).containsExactly("A" + suffix);
        Format other = format == Format.BZIP2 ? Format.GZIP : Format.BZIP2;
        assertThat(ToolRun.of("recompress", "-k", "--format", other.word(), folder)
                        .exit())
                .isZero();
        assertThat(names()).containsExactlyInAnyOrder("A" + suffix, "A" + other.suffix());
        Files.delete(folder.resolve("A" + other.suffix()));
        assertThat(ToolRun.of("decompress", file).complaints()).isEmpty();
        assertThat(names()).containsExactly("A");
        assertThat(folder.resolve("A")).hasBinaryContent(RAW);
    }

    @Test
    void anIndexIsPutBesideAFileWithCapitals() throws IOException {
        Path file = Files.write(folder.resolve("A.GZ"), RecompressTest.plainGzip(Samples.text(700_000)));
        assertThat(ToolRun.of("index", "--spacing", 10_000, folder).text()).contains("A.GZ: splits at ");
        assertThat(names()).containsExactly(".A.GZ.wci", "A.GZ");
        assertThat(ToolRun.of("decompress", file).complaints()).isEmpty();
        assertThat(names()).containsExactly("A");
    }

    @ParameterizedTest
    @CsvSource({"tgz, GZIP", "TGZ, GZIP", "tbz2, BZIP2", "tbz, BZIP2", "tzst, ZSTD"})
    void archivesHaveShortSuffixes(String suffix, Format format) throws IOException {
        Path file = Files.write(folder.resolve("x." + suffix), compressed(format));
        assertThat(ToolRun.of("compress", "-r", folder).complaints()).isEmpty();
        assertThat(ToolRun.of("compress", "--format", format.word(), file).err())
                .contains("already, left alone");
        assertThat(ToolRun.of("verify", "-r", folder).text()).contains(": ok, " + format.word());
        assertThat(ToolRun.of("recompress", "-k", "--format", "lz4", file).exit())
                .isZero();
        assertThat(names()).containsExactlyInAnyOrder("x." + suffix, "x.tar.lz4");
        assertThat(ToolRun.of("decompress", file).complaints()).isEmpty();
        assertThat(names()).containsExactly("x.tar", "x.tar.lz4");
        assertThat(folder.resolve("x.tar")).hasBinaryContent(RAW);
        Path compressed = folder.resolve("y." + suffix);
        assertThat(ToolRun.of("compress", "-o", compressed, folder.resolve("x.tar"))
                        .complaints())
                .isEmpty();
        assertThat(ToolRun.of("info", compressed).text()).contains(format.word());
    }

    @ParameterizedTest
    @ValueSource(strings = {".gz", ".GZ", ".tgz"})
    void aNameThatIsOnlyASuffixHasNone(String name) throws IOException {
        Path file = Files.write(folder.resolve(name), compressed(Format.GZIP));
        assertThat(ToolRun.of("decompress", file).err()).contains("has no suffix to take away");
        assertThat(names()).containsExactly(name);
    }

    static Stream<String> longNames() {
        return Stream.of(
                "x".repeat(100),
                "x".repeat(120),
                "x".repeat(121),
                "x".repeat(143),
                "x".repeat(232),
                "x".repeat(247),
                "中".repeat(45),
                "中".repeat(79),
                "é".repeat(123),
                "a" + "😀".repeat(61));
    }

    @ParameterizedTest
    @MethodSource("longNames")
    void aNameMayBeAsLongAsTheFileSystemAllows(String name) throws IOException {
        Path file = Files.write(folder.resolve(name), RAW);
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        assertThat(ToolRun.of("compress", file).complaints()).isEmpty();
        assertThat(names()).containsExactly(name + ".gz");
        Path gzip = Files.write(folder.resolve(name + ".gz"), RecompressTest.plainGzip(RAW));
        assertThat(ToolRun.of("recompress", "--format", "gzip", folder).complaints())
                .isEmpty();
        assertThat(names()).containsExactly(name + ".gz");
        assertThat(ToolRun.of("recompress", "--format", "zstd", gzip).complaints())
                .isEmpty();
        assertThat(names()).containsExactly(name + ".zst");
        assertThat(ToolRun.of("decompress", "-r", folder).complaints()).isEmpty();
        assertThat(names()).containsExactly(name);
        assertThat(file).hasBinaryContent(RAW);
        assertThat(bytes).isLessThan(252);
    }

    /** One byte too many is said, and nothing is lost. */
    @Test
    void aNameThatGetsTooLongIsRefused() throws IOException {
        Path file = Files.write(folder.resolve("x".repeat(254)), RAW);
        ToolRun run = ToolRun.of("compress", file);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).containsIgnoringCase("file name too long");
        assertThat(names()).containsExactly("x".repeat(254));
        Path gzip = Files.write(folder.resolve("y".repeat(252) + ".gz"), compressed(Format.GZIP));
        assertThat(ToolRun.of("decompress", gzip).complaints()).isEmpty();
        assertThat(folder.resolve("y".repeat(252))).hasBinaryContent(RAW);
    }
}
