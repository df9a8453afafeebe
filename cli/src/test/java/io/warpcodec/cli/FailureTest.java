package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong is named in one line with file, offset and reason; the exit code tells data from usage; nothing is
 * lost.
 */
class FailureTest {

    private static final int USAGE_OR_IO = 1;
    private static final int CORRUPT = 2;

    @TempDir
    Path folder;

    private Path compressed(Format format, int rawBytes) throws IOException {
        byte[] bytes = ToolRun.fed(Samples.text(rawBytes), "compress", "--format", format.word(), "-")
                .out();
        return Files.write(folder.resolve("file" + format.suffix()), bytes);
    }

    private void assertNothingHappened(Path input, byte[] before) throws IOException {
        assertThat(input).hasBinaryContent(before);
        assertThat(folder.toFile().list()).containsExactly(input.getFileName().toString());
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void truncatedFileIsCorruptAndLeavesNoOutput(Format format) throws IOException {
        Path file = compressed(format, 200_000);
        byte[] cut = Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) * 2 / 3);
        Files.write(file, cut);
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(CORRUPT);
        assertThat(run.complaints()).hasSize(1);
        assertThat(run.err()).contains(file.toString()).containsPattern("at offset \\d+: .+");
        assertNothingHappened(file, cut);
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "ZLIB", "BZIP2", "ZSTD", "LZ4"})
    void flippedBitIsCorruptAndLeavesNoOutput(Format format) throws IOException {
        Path file = compressed(format, 200_000);
        byte[] flipped = Files.readAllBytes(file);
        flipped[flipped.length / 2] ^= 4;
        Files.write(file, flipped);
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(CORRUPT);
        assertThat(run.complaints()).hasSize(1);
        assertThat(run.err()).contains(file.toString()).containsPattern("at offset \\d+: .+");
        assertNothingHappened(file, flipped);
        assertThat(ToolRun.of("verify", file).exit()).isEqualTo(CORRUPT);
        assertThat(ToolRun.of("info", "--decode", file).exit()).isEqualTo(CORRUPT);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void textWithACompressedFilesSuffixIsCorrupt(Format format) throws IOException {
        byte[] text = Samples.text(500);
        Path file = Files.write(folder.resolve("wrong" + format.suffix()), text);
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(CORRUPT);
        assertThat(run.err()).contains(file.toString()).containsPattern("at offset \\d+: .+");
        assertNothingHappened(file, text);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void emptyFileIsAnEmptyStreamOnlyInHadoopsFramings(Format format) throws IOException {
        Path file = Files.write(folder.resolve("empty" + format.suffix()), new byte[0]);
        int expected = format == Format.LZ4 || format == Format.SNAPPY ? 0 : CORRUPT;
        assertThat(ToolRun.of("verify", file).exit()).isEqualTo(expected);
        ToolRun run = ToolRun.of("decompress", "-c", file);
        assertThat(run.exit()).isEqualTo(expected);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void trailingBytesAreCorruptAndLeaveNoOutput() throws IOException {
        Path file = compressed(Format.GZIP, 1_000);
        byte[] bytes = Files.readAllBytes(file);
        byte[] trailed = Arrays.copyOf(bytes, bytes.length + 3);
        Arrays.fill(trailed, bytes.length, trailed.length, (byte) 'x');
        Files.write(file, trailed);
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(CORRUPT);
        assertThat(run.err()).contains("at offset " + bytes.length);
        assertNothingHappened(file, trailed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress", "decompress", "verify", "info"})
    void folderIsRefused(String verb) {
        ToolRun run = ToolRun.of(verb, folder);
        assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
        assertThat(run.complaints())
                .containsExactly("warpcodec: " + folder + ": is a folder; -r takes the files in it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress", "decompress", "verify", "info"})
    void absentFileIsRefused(String verb) {
        Path absent = folder.resolve("absent.gz");
        ToolRun run = ToolRun.of(verb, absent);
        assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
        assertThat(run.complaints()).containsExactly("warpcodec: " + absent + ": no such file");
    }

    @Test
    void unknownContentAndNameAreRefused() throws IOException {
        byte[] text = Samples.text(100);
        Path file = Files.write(folder.resolve("notes"), text);
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
        assertThat(run.complaints()).hasSize(1);
        assertThat(run.err()).contains(file + ": is not compressed, by its first bytes");
        assertNothingHappened(file, text);
        assertThat(ToolRun.of("decompress", "-c", file).err())
                .contains(file + ": is not compressed, by its first bytes");
    }

    @Test
    void existingOutputIsNotReplacedWhenItsNameIsDerived() throws IOException {
        Path file = Files.write(folder.resolve("a"), Samples.text(100));
        Path there = Files.write(folder.resolve("a.gz"), new byte[] {1, 2, 3});
        ToolRun run = ToolRun.of("compress", file);
        assertThat(run.exit()).isEqualTo(ExitCode.TAKEN);
        assertThat(run.complaints())
                .singleElement()
                .asString()
                .startsWith("warpcodec: " + there + ": exists already, nothing was replaced or deleted")
                .endsWith("warpcodec compress -f " + file);
        assertThat(there).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(file).exists();
    }

    @Test
    void outputGivenByNameIsReplacedOnlyByACompleteOne() throws IOException {
        byte[] before = {1, 2, 3};
        Path target = Files.write(folder.resolve("target"), before);
        Path bad = compressed(Format.GZIP, 200_000);
        Files.write(bad, Arrays.copyOf(Files.readAllBytes(bad), 900));
        assertThat(ToolRun.of("decompress", "-f", "-o", target, bad).exit()).isEqualTo(CORRUPT);
        assertThat(target).hasBinaryContent(before);
        Path good = compressed(Format.GZIP, 200_000);
        ToolRun unasked = ToolRun.of("decompress", "-o", target, good);
        assertThat(unasked.exit()).isEqualTo(ExitCode.TAKEN);
        assertThat(unasked.err()).contains(target + ": exists already");
        assertThat(target).hasBinaryContent(before);
        assertThat(ToolRun.of("decompress", "-f", "-o", target, good).exit()).isZero();
        assertThat(target).hasBinaryContent(Samples.text(200_000));
    }

    @Test
    void fileThatHasTheSuffixAlreadyIsLeftAlone() throws IOException {
        Path file = compressed(Format.GZIP, 100);
        byte[] before = Files.readAllBytes(file);
        assertThat(ToolRun.of("compress", file).exit()).isEqualTo(USAGE_OR_IO);
        assertNothingHappened(file, before);
    }

    @Test
    void oneBadFileDoesNotStopTheOthersAndTheWorstCodeWins() throws IOException {
        Path good = compressed(Format.GZIP, 1_000);
        Path bad = Files.write(folder.resolve("bad.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        ToolRun run = ToolRun.of("verify", folder.resolve("absent.gz"), bad, good);
        assertThat(run.exit()).isEqualTo(CORRUPT);
        assertThat(run.complaints()).hasSize(2);
        assertThat(run.text()).contains(good + ": ok, gzip, 1000 bytes");
    }

    @Test
    void wrongUsageIsNotCorruption() throws IOException {
        Path file = Files.write(folder.resolve("a"), Samples.text(100));
        assertThat(ToolRun.of("recompress", "--format", "zstd").exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("index").exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("nonsense").exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "--format", "lzma", file).exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "--level", "10", file).exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "--format", "snappy", "--level", "1", file)
                        .exit())
                .isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "-c", "-o", "b", file).exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "-o", "b", file, file).exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("compress", "--engine", "tpu", file).exit()).isEqualTo(USAGE_OR_IO);
        assertThat(ToolRun.of("demo", "--size", "0").exit()).isEqualTo(USAGE_OR_IO);
        assertNothingHappened(file, Samples.text(100));
    }

    @Test
    void insistingOnAGpuWithoutOneSaysWhyNot() throws IOException {
        Assumptions.assumeTrue(
                io.warpcodec.Engines.selector().accelerator() == null, "there is a GPU engine in this process");
        byte[] raw = Samples.text(100);
        Path file = Files.write(folder.resolve("a"), raw);
        ToolRun run = ToolRun.of("compress", "--engine", "gpu", file);
        assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
        assertThat(run.complaints()).hasSize(1);
        assertThat(run.err()).contains(file.toString()).contains("mode=gpu");
        assertNothingHappened(file, raw);
        assertThat(ToolRun.of("demo", "--engine", "gpu").err()).contains("no GPU engine");
    }

    @Test
    void unreadableFileIsRefused() throws IOException {
        Path file = Files.write(folder.resolve("secret.gz"), new byte[] {1});
        assertThat(file.toFile().setReadable(false, false)).isTrue();
        Assumptions.assumeFalse(Files.isReadable(file), "this user may read everything");
        ToolRun run = ToolRun.of("decompress", file);
        assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
        assertThat(run.complaints()).containsExactly("warpcodec: " + file + ": permission denied");
    }
}
