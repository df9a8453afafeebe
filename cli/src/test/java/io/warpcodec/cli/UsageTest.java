package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.terminal.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that cannot be right is refused as a whole: before any of its files is written or deleted. */
class UsageTest {

    private static final byte[] RAW = Samples.text(300_000);

    @TempDir
    Path folder;

    /** Names and sizes of all files in the folder. */
    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (var all = Files.list(folder)) {
            for (Path file : all.toList()) {
                sizes.put(file.getFileName().toString(), Files.size(file));
            }
        }
        return sizes;
    }

    private byte[] compressed(String... options) throws IOException {
        Object[] words = new Object[options.length + 2];
        words[0] = "compress";
        System.arraycopy(options, 0, words, 1, options.length);
        words[words.length - 1] = "-";
        ToolRun run = ToolRun.fed(RAW, words);
        assertThat(run.complaints()).isEmpty();
        return run.out();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aDigitIsTheLevelOfThatNumber(int level) throws IOException {
        assertThat(compressed("-" + level)).isEqualTo(compressed("--level", "" + level));
    }

    @Test
    void levelsDoMakeADifference() throws IOException {
        assertThat(compressed("-9").length).isLessThan(compressed("-1").length);
    }

    @Test
    void theLastLevelCountsAndOtherLettersMayStandBesideIt() throws IOException {
        assertThat(compressed("-1", "-9")).isEqualTo(compressed("-9"));
        assertThat(compressed("--level", "9", "-1")).isEqualTo(compressed("-1"));
        assertThat(compressed("-c9")).isEqualTo(compressed("-9"));
        assertThat(compressed("-9c")).isEqualTo(compressed("-9"));
    }

    @Test
    void twoDigitsAreOneLevel() throws IOException {
        assertThat(compressed("--format", "zstd", "-19")).isEqualTo(compressed("--format", "zstd", "--level", "19"));
        Path file = Files.write(folder.resolve("mine.csv"), RAW);
        ToolRun run = ToolRun.of("compress", "-19", file);
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("level 19 of gzip is not in 0 to 9");
        assertThat(files()).containsOnlyKeys("mine.csv");
    }

    @Test
    void recompressHasTheSameLevels() throws IOException {
        Path file = Files.write(folder.resolve("a.bz2"), compressed("--format", "bzip2"));
        assertThat(ToolRun.of("recompress", "--format", "gzip", "-1", file).complaints())
                .isEmpty();
        byte[] fast = Files.readAllBytes(folder.resolve("a.gz"));
        assertThat(fast).isEqualTo(compressed("-1"));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(fast))) {
            assertThat(in.readAllBytes()).isEqualTo(RAW);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "compress,-10",
        "compress,-23",
        "compress,-99",
        "compress,-1.5",
        "compress,-0x9",
        "compress,-1e3",
        "compress,-Infinity",
        "compress,-x",
        "compress,--fats",
        "compress,-dx",
        "decompress,-9",
        "decompress,-x",
        "recompress,-23",
        "index,-9",
        "verify,-9",
        "info,-1.5",
        "bench,-9"
    })
    void anUnknownOptionIsRefusedBeforeAnythingIsTouched(String verb, String option) throws IOException {
        byte[] bytes = verb.equals("compress") ? RAW : compressed();
        Path file = Files.write(folder.resolve("mine.csv.gz"), bytes);
        Path plain = Files.write(folder.resolve("mine.csv2"), RAW);
        Path first = verb.equals("compress") ? plain : file;
        for (Object[] words : new Object[][] {{verb, option, first}, {verb, first, option}}) {
            ToolRun run = ToolRun.of(words);
            assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(run.complaints()).hasSize(2);
            assertThat(run.complaints().get(1)).isEqualTo("warpcodec: try 'warpcodec " + verb + " --help'");
            assertThat(run.out()).isEmpty();
        }
        assertThat(files()).containsOnlyKeys("mine.csv.gz", "mine.csv2");
        assertThat(file).hasBinaryContent(bytes);
        assertThat(plain).hasBinaryContent(RAW);
    }

    @Test
    void aWordBehindTwoDashesIsAFile() {
        ToolRun run = ToolRun.of("verify", "--", "-9", "-x");
        assertThat(run.complaints()).containsExactly("warpcodec: -9: no such file", "warpcodec: -x: no such file");
    }

    @Test
    void aFileWhoseNameBeginsWithAnAtSignIsNoListOfWords() throws IOException {
        Files.write(folder.resolve("inner"), RAW);
        Path list = Files.writeString(
                folder.resolve("@list"), folder.resolve("inner").toString());
        Path inFolder = Path.of("").toAbsolutePath().relativize(list.toAbsolutePath());
        assertThat(ToolRun.of("compress", inFolder).complaints()).isEmpty();
        assertThat(files()).containsOnlyKeys("inner", "@list.gz");
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent", "folder", "taken", "done.gz", "pipe"})
    void compressTouchesNoFileIfOneOfThemCannotBeUsed(String wrong) throws Exception {
        Path good = Files.write(folder.resolve("good"), RAW);
        Files.createDirectory(folder.resolve("folder"));
        Files.write(folder.resolve("taken"), RAW);
        Files.write(folder.resolve("taken.gz"), RAW);
        Files.write(folder.resolve("done.gz"), RAW);
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        Map<String, Long> before = files();
        ToolRun run = ToolRun.of("compress", good, folder.resolve(wrong));
        assertThat(run.exit()).isEqualTo(wrong.equals("taken") ? ExitCode.TAKEN : ExitCode.FAILED);
        assertThat(run.complaints()).hasSize(2);
        assertThat(run.complaints().get(0)).contains(wrong);
        assertThat(run.complaints().get(1))
                .isEqualTo("warpcodec: nothing was done, because 1 of 2 FILEs cannot be used");
        assertThat(files()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"decompress", "recompress", "index"})
    void theOtherVerbsThatWriteLookFirstToo(String verb) throws IOException {
        Path good = Files.write(folder.resolve("good.gz"), compressed());
        Path absent = folder.resolve("absent.gz");
        ToolRun run = verb.equals("recompress")
                ? ToolRun.of(verb, "--format", "zstd", good, absent)
                : ToolRun.of(verb, good, absent);
        assertThat(run.complaints())
                .containsExactly(
                        "warpcodec: " + absent + ": no such file",
                        "warpcodec: nothing was done, because 1 of 2 FILEs cannot be used");
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(files()).containsOnlyKeys("good.gz");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"compress -c", "decompress -c", "verify", "info", "info --json", "classpath", "doctor", "--help"
            })
    void standardOutputThatCannotBeWrittenIsAFailure(String words) throws IOException {
        Path file = Files.write(folder.resolve("a.gz"), compressed());
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        boolean takesFile = !words.matches("classpath|doctor|--help");
        Object[] arguments = (words + (takesFile ? " " + file : "")).split(" ");
        ToolRun run = ToolRun.into(full, new byte[0], arguments);
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("(standard output): cannot be written");
        assertThat(file).exists();
    }

    @Test
    void corruptionIsStillToldFromALostReport() throws IOException {
        Path bad = Files.write(folder.resolve("a.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(ToolRun.into(out, new byte[0], "verify", bad).exit()).isEqualTo(ExitCode.CORRUPT);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("full");
            }
        };
        Path good = Files.write(folder.resolve("b.gz"), compressed());
        ToolRun run = ToolRun.into(full, new byte[0], "verify", bad, good);
        assertThat(run.exit()).isEqualTo(ExitCode.CORRUPT);
        assertThat(run.err()).contains("(standard output): cannot be written");
    }
}
