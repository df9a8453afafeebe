package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the tool compresses, it decompresses to the same bytes, whichever way the bytes come and go. */
class RoundTripTest {

    @TempDir
    Path folder;

    static Stream<Arguments> formatsAndSizes() {
        return Stream.of(Format.values())
                .flatMap(format -> Stream.of(0, 1, format.defaultChunkBytes(), 3 * format.defaultChunkBytes() + 1)
                        .map(size -> Arguments.of(format, size)));
    }

    @ParameterizedTest
    @MethodSource("formatsAndSizes")
    void fileTakesTheSuffixAndLosesItAgain(Format format, int size) throws IOException {
        byte[] raw = Samples.text(size);
        Path file = Files.write(folder.resolve("lines.txt"), raw);
        Path compressed = folder.resolve("lines.txt" + format.suffix());

        assertThat(ToolRun.of("compress", "--format", format.word(), file).complaints())
                .isEmpty();
        assertThat(file).doesNotExist();
        assertThat(compressed).exists();

        assertThat(ToolRun.of("decompress", compressed).complaints()).isEmpty();
        assertThat(compressed).doesNotExist();
        assertThat(file).hasBinaryContent(raw);
        assertThat(folder.toFile().list()).containsExactly("lines.txt");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void standardInputGoesToStandardOutput(Format format) {
        byte[] raw = Samples.text(100_000);
        ToolRun compress = ToolRun.fed(raw, "compress", "--format", format.word(), "-");
        assertThat(compress.exit()).isZero();
        assertThat(compress.out().length).isBetween(1, raw.length / 2);
        ToolRun decompress = ToolRun.fed(compress.out(), "decompress", "--format", format.word(), "-");
        assertThat(decompress.exit()).isZero();
        assertThat(decompress.out()).isEqualTo(raw);
    }

    /** What {@code <(...)} of a shell names. */
    @ParameterizedTest
    @EnumSource(Format.class)
    void aPipeWithANameIsReadLikeAFile(Format format) throws Exception {
        byte[] raw = Samples.text(700_000);
        ToolRun compress = ToolRun.fed(raw, "compress", "--format", format.word(), "-");
        Path pipe = Samples.pipe(folder.resolve("pipe" + format.suffix()), compress.out());
        ToolRun decompress = ToolRun.of("decompress", "-c", pipe);
        assertThat(decompress.complaints()).isEmpty();
        assertThat(decompress.out()).isEqualTo(raw);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void keptInputStaysWithEachOfTheThreeOptions(Format format) throws IOException {
        byte[] raw = Samples.noise(5_000);
        Path file = Files.write(folder.resolve("noise"), raw);
        Path compressed = folder.resolve("noise" + format.suffix());
        Path elsewhere = folder.resolve("elsewhere");

        assertThat(ToolRun.of("compress", "-k", "--format", format.word(), file).exit())
                .isZero();
        assertThat(ToolRun.of("compress", "-o", elsewhere, "--format", format.word(), file)
                        .exit())
                .isZero();
        ToolRun toOutput = ToolRun.of("compress", "-c", "--format", format.word(), file);
        assertThat(file).hasBinaryContent(raw);
        assertThat(compressed).hasBinaryContent(toOutput.out());
        assertThat(elsewhere).hasBinaryContent(toOutput.out());

        assertThat(ToolRun.of("decompress", "-f", "-o", elsewhere, compressed).exit())
                .isZero();
        assertThat(elsewhere).hasBinaryContent(raw);
        assertThat(ToolRun.of("decompress", "-c", compressed).out()).isEqualTo(raw);
        assertThat(compressed).exists();
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void outputHasTheInputsTimeAndPermissions(Format format) throws IOException {
        Path file = Files.write(folder.resolve("private"), Samples.text(100));
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(file, time);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(ToolRun.of("compress", "--format", format.word(), file).exit())
                .isZero();
        Path compressed = folder.resolve("private" + format.suffix());
        assertThat(Files.getLastModifiedTime(compressed)).isEqualTo(time);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(compressed)))
                .isEqualTo("rw-r-----");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void outputsSuffixChoosesTheFormatWhenNoneIsGiven(Format format) throws IOException {
        Path file = Files.write(folder.resolve("lines"), Samples.text(2_000));
        Path byName = folder.resolve("byname" + format.suffix());
        assertThat(ToolRun.of("compress", "-o", byName, file).exit()).isZero();
        assertThat(byName)
                .hasBinaryContent(ToolRun.of("compress", "-c", "--format", format.word(), file)
                        .out());
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "BZIP2", "LZ4", "ZSTD", "ZLIB"})
    void contentTellsTheFormatWhereTheNameDoesNot(Format format) {
        byte[] raw = Samples.text(300_000);
        byte[] compressed =
                ToolRun.fed(raw, "compress", "--format", format.word(), "-").out();
        assertThat(ToolRun.fed(compressed, "decompress", "-").out()).isEqualTo(raw);
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "ZSTD", "ZLIB"})
    void levelReachesTheEncoder(Format format) throws IOException {
        Path file = Files.write(folder.resolve("lines"), Samples.text(200_000));
        byte[] fast = ToolRun.of("compress", "-c", "--level", 1, "--format", format.word(), file)
                .out();
        byte[] small = ToolRun.of("compress", "-c", "--level", 9, "--format", format.word(), file)
                .out();
        assertThat(small).isNotEqualTo(fast);
        assertThat(ToolRun.fed(small, "decompress", "-").out()).isEqualTo(Samples.text(200_000));
    }
}
