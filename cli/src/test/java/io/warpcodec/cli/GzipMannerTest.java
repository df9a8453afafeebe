package io.warpcodec.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.Terminal;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool takes the words that gzip takes, and asks before it does what gzip asks for. */
class GzipMannerTest {

    private static final byte[] RAW = Samples.text(60_000);

    @TempDir
    Path folder;

    private Path raw(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        return Files.write(folder.resolve(name), RAW);
    }

    private Path gzip(String name) throws IOException {
        return Files.write(folder.resolve(name), RecompressTest.plainGzip(RAW));
    }

    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                sizes.put(folder.relativize(file).toString(), Files.size(file));
            }
        }
        return sizes;
    }

    /** A call with these streams at a terminal, into which this is typed. */
    private static ToolRun atTerminal(String streams, String typed, Object... words) {
        System.setProperty(Terminal.PROPERTY, streams);
        return ToolRun.fed(typed.getBytes(UTF_8), words);
    }

    // Letters in the place of verbs

    @ParameterizedTest
    @CsvSource({
        "'', compress --",
        "-, compress -",
        "-9k a, compress -9k a",
        "-dk a.gz, decompress -k a.gz",
        "-dc, decompress -c",
        "-cd a.gz, decompress -c a.gz",
        "--decompress --keep a.gz, decompress --keep a.gz",
        "--uncompress a.gz, decompress a.gz",
        "-t a.gz, verify --quiet a.gz",
        "-tv a.gz, verify -v a.gz",
        "--test --verbose a.gz, verify --verbose a.gz",
        "-l a.gz, info --list a.gz",
        "-dl a.gz, info --list a.gz",
        "-td a.gz, verify --quiet a.gz",
        "-z a, compress a",
        "compress -d a.gz, decompress a.gz",
        "compress -o -d a, compress -o -d a",
        "-od a, compress -od a",
        "-ko d a, compress -ko d a",
        "--format zstd -d a, decompress --format zstd a",
        "--threads 2 -d a, decompress --threads 2 a",
        "-k -- -d, compress -k -- -d",
        "decompress -t a, decompress -t a",
        "-dx a, compress -dx a",
        "--help, --help",
        "-V, -V",
        "nonsense -d, decompress nonsense",
        "a -k, compress a -k",
        "a.gz -dk, decompress a.gz -k",
        "a, a"
    })
    void aLetterNamesTheVerb(String given, String meant) {
        String[] words = given.isEmpty() ? new String[0] : given.split(" ");
        String[] expected = meant.equals("compress --") ? new String[] {"compress"} : meant.split(" ");
        assertThat(Shorthand.verbFirst(words)).containsExactly(expected);
    }

    @Test
    void theBareCommandCompressesChecksListsAndDecompresses() throws IOException {
        Path file = raw("a");
        assertThat(ToolRun.of("-9", file).complaints()).isEmpty();
        Path compressed = folder.resolve("a.gz");
        assertThat(files()).containsOnlyKeys("a.gz");
        ToolRun test = ToolRun.of("-t", compressed);
        assertThat(test.exit()).isZero();
        assertThat(test.text()).isEmpty();
        assertThat(ToolRun.of("-tv", compressed).text()).contains(": ok, gzip, 60000 bytes");
        assertThat(ToolRun.of("-l", compressed).text()).contains("60000").contains(compressed.toString());
        assertThat(ToolRun.of("-dc", compressed).out()).isEqualTo(RAW);
        assertThat(ToolRun.of("-d", compressed).exit()).isZero();
        assertThat(files()).containsExactly(Map.entry("a", 60_000L));
    }

    @Test
    void withoutFileStandardInputIsTaken() {
        byte[] compressed = ToolRun.fed(RAW).out();
        assertThat(compressed).startsWith(0x1f, 0x8b);
        assertThat(compressed).isEqualTo(ToolRun.fed(RAW, "compress").out());
        assertThat(ToolRun.fed(compressed, "-d").out()).isEqualTo(RAW);
        assertThat(ToolRun.fed(compressed, "decompress").out()).isEqualTo(RAW);
        assertThat(ToolRun.fed(compressed, "verify").text()).isEqualTo("-: ok, gzip, 60000 bytes\n");
        assertThat(ToolRun.fed(compressed, "info").text()).contains("gzip");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void fastAndBestAreTheEndsOfTheScale(Format format) {
        ToolRun fast = ToolRun.fed(RAW, "compress", "--format", format.word(), "--fast");
        ToolRun best = ToolRun.fed(RAW, "compress", "--format", format.word(), "--fast", "--best");
        if (format == Format.SNAPPY) {
            assertThat(fast.err()).contains("snappy has no levels");
            return;
        }
        int most = format.levels().most();
        assertThat(fast.out())
                .isEqualTo(ToolRun.fed(RAW, "compress", "--format", format.word(), "-1")
                        .out());
        assertThat(best.out())
                .isEqualTo(ToolRun.fed(RAW, "compress", "--format", format.word(), "-" + most)
                        .out());
    }

    @Test
    void forceIsForce() throws IOException {
        Path file = raw("a");
        Path other = Files.writeString(folder.resolve("a.gz"), "other content");
        ToolRun refused = ToolRun.of("compress", file);
        assertThat(refused.exit()).isEqualTo(ExitCode.TAKEN);
        assertThat(refused.err()).contains("finishes the work: warpcodec compress -f " + file);
        assertThat(other).hasContent("other content");
        assertThat(ToolRun.of("compress", "-f", file).complaints()).isEmpty();
        assertThat(files()).containsOnlyKeys("a.gz");
        assertThat(ToolRun.of("decompress", "-c", other).out()).isEqualTo(RAW);
    }

    @Test
    void forceOfRecompressReplacesToo() throws IOException {
        Path file = gzip("a.gz");
        Path other = Files.writeString(folder.resolve("a.zst"), "other content");
        assertThat(ToolRun.of("recompress", "--format", "zstd", file).err())
                .contains("finishes the work: warpcodec recompress --format zstd -f " + file);
        assertThat(ToolRun.of("recompress", "-f", "--format", "zstd", file).complaints())
                .isEmpty();
        assertThat(files()).containsOnlyKeys("a.zst");
        assertThat(ToolRun.of("decompress", "-c", other).out()).isEqualTo(RAW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/null", "folder", "dangling", "self"})
    void forceReplacesNoLinkNorFolderByTheOutputOfAnInputThatGoes(String where) throws IOException {
        Path file = raw("a");
        Path name = folder.resolve("a.gz");
        if (where.equals("folder")) {
            Files.createDirectory(name);
        } else {
            Files.createSymbolicLink(name, where.equals("self") ? file : Path.of(where));
        }
        ToolRun run = ToolRun.of("compress", "-f", file);
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(file).hasBinaryContent(RAW);
        assertThat(Files.isSymbolicLink(name) || Files.isDirectory(name)).isTrue();
    }

    @Test
    void aFileWithSeveralNamesIsLeftAloneUnlessForcedOrKept() throws IOException {
        Path file = raw("a");
        Files.createLink(folder.resolve("b"), file);
        ToolRun refused = ToolRun.of("compress", file);
        assertThat(refused.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err()).contains("a: has 1 other name (hard link), left alone without -f or -k");
        assertThat(files()).containsOnlyKeys("a", "b");
        assertThat(ToolRun.of("compress", "-k", file).exit()).isZero();
        assertThat(ToolRun.of("compress", "-f", file).exit()).isZero();
        assertThat(files()).containsOnlyKeys("a.gz", "b");
    }

    @Test
    void aSuffixIsAddedAgainOnlyByForceAndNeverInAFolder() throws IOException {
        Path file = gzip("a.gz");
        assertThat(ToolRun.of("compress", "-kf", file).exit()).isZero();
        assertThat(files()).containsOnlyKeys("a.gz", "a.gz.gz");
        assertThat(ToolRun.of("compress", "-rf", folder).exit()).isZero();
        assertThat(files()).containsOnlyKeys("a.gz", "a.gz.gz");
    }

    // Names that are taken

    @ParameterizedTest
    @ValueSource(strings = {"compress -o OUT FILE", "compress -o OUT", "compress FILE"})
    void aTakenNameIsNotReplacedUnasked(String words) throws IOException {
        Path file = raw("a");
        Path out = Files.writeString(folder.resolve("a.gz"), "other content");
        Object[] call = Stream.of(words.split(" "))
                .map(word -> word.equals("OUT") ? out.toString() : word.equals("FILE") ? file.toString() : word)
                .toArray();
        assertThat(ToolRun.fed(RAW, call).exit()).isEqualTo(ExitCode.TAKEN);
        assertThat(out).hasContent("other content");
        assertThat(file).exists();
    }

    @Test
    void thePersonAtTheTerminalIsAsked() throws IOException {
        Path file = raw("a");
        Path out = Files.writeString(folder.resolve("a.gz"), "other content");
        ToolRun no = atTerminal("in,out,err", "n\n", "compress", file);
        assertThat(no.exit()).isEqualTo(ExitCode.TAKEN);
        assertThat(no.err()).contains(out + " exists already; replace it (y or n)? ");
        assertThat(out).hasContent("other content");
        assertThat(atTerminal("in,out,err", "", "compress", file).exit()).isEqualTo(ExitCode.TAKEN);
        ToolRun yes = atTerminal("in,out,err", "y\n", "compress", file);
        assertThat(yes.exit()).isZero();
        assertThat(files()).containsOnlyKeys("a.gz");
        assertThat(ToolRun.of("decompress", "-c", out).out()).isEqualTo(RAW);
    }

    @Test
    void aPipeOrDeviceTakesTheOutputUnasked() throws IOException {
        assertThat(ToolRun.of("compress", "-o", "/dev/null", raw("a")).complaints())
                .isEmpty();
        assertThat(Path.of("/dev/null")).exists();
    }

    // Terminals

    @Test
    void compressedDataIsNotWrittenToATerminal() throws IOException {
        Path file = raw("a");
        for (Object[] words :
                new Object[][] {{"compress", "-c", file}, {"-c", file}, {"compress"}, {"compress", "-"}}) {
            ToolRun run = atTerminal("out,err", "typed", words);
            assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err()).contains("compressed data is not written to a terminal; -f does");
            assertThat(run.out()).isEmpty();
        }
        assertThat(atTerminal("out,err", "", "compress", "-cf", file).out()).startsWith(0x1f, 0x8b);
        Path compressed = gzip("b.gz");
        assertThat(atTerminal("in,out,err", "", "-dc", compressed).out()).isEqualTo(RAW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-d", "-t", "-l", "decompress -", "verify", "info -"})
    void compressedDataIsNotReadFromATerminal(String words) {
        ToolRun run = atTerminal("in,err", "typed", (Object[]) words.split(" "));
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("compressed data is not read from a terminal; -f does");
    }

    @Test
    void withoutArgumentsATerminalGetsTheUsage() {
        for (String streams : List.of("in,out,err", "in,err", "out,err")) {
            ToolRun run = atTerminal(streams, "");
            assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).contains("Usage: warpcodec").contains("decompress");
        }
    }

    // Folders

    @Test
    void everyVerbTakesTheFilesOfAFolder() throws IOException {
        raw("tree/a");
        raw("tree/deep/b");
        Files.writeString(folder.resolve("tree/_SUCCESS"), "Hadoop's");
        Path tree = folder.resolve("tree");
        assertThat(ToolRun.of("compress", tree).err()).contains("is a folder; -r takes the files in it");
        assertThat(ToolRun.of("compress", "-r", tree).complaints()).isEmpty();
        assertThat(files()).containsOnlyKeys("tree/_SUCCESS", "tree/a.gz", "tree/deep/b.gz");
        assertThat(ToolRun.of("compress", "-r", tree).complaints()).isEmpty();
        assertThat(ToolRun.of("verify", "-r", tree).text().lines()).hasSize(2).allMatch(line -> line.contains(": ok"));
        assertThat(ToolRun.of("info", "-r", tree).text().lines().filter(line -> line.startsWith("format")))
                .hasSize(2);
        assertThat(ToolRun.of("-lr", tree).text().lines())
                .hasSize(4)
                .last()
                .asString()
                .endsWith("(totals)");
        assertThat(ToolRun.of("recompress", "-r", "--format", "zstd", tree).exit())
                .isZero();
        assertThat(ToolRun.of("decompress", "-r", tree).complaints()).isEmpty();
        assertThat(files()).containsOnlyKeys("tree/_SUCCESS", "tree/a", "tree/deep/b");
    }

    // What is said

    @Test
    void quietSaysNothingAndVerboseSaysWhatWasDone() throws IOException {
        Path file = raw("a");
        ToolRun run = ToolRun.of("compress", "-v", file);
        assertThat(run.err())
                .matches("warpcodec: .*/a: 60000 -> [0-9]+ bytes \\([0-9.]+% saved\\), replaced with .*/a.gz\n");
        Path compressed = folder.resolve("a.gz");
        for (Object[] words : new Object[][] {
            {"verify", "-q", compressed},
            {"index", "-q", compressed},
            {"recompress", "-q", "--format", "zstd", compressed}
        }) {
            ToolRun quiet = ToolRun.of(words);
            assertThat(quiet.exit()).isZero();
            assertThat(quiet.text() + quiet.err()).isEmpty();
        }
    }

    @Test
    void aMisspeltWordIsAnsweredWithTheNearestOne() throws IOException {
        assertThat(ToolRun.of("compres", "x").err()).contains("did you mean compress?");
        assertThat(ToolRun.of("verfiy").err()).contains("did you mean verify?");
        assertThat(ToolRun.of("compress", "--forse", "x").err()).contains("did you mean --force?");
        Path file = raw("a");
        assertThat(ToolRun.of(file).err()).contains("'warpcodec compress " + file + "' compresses");
    }

    @Test
    void theHelpOfEachVerbSaysWhatForceDoes() {
        for (String verb : List.of("compress", "decompress", "verify", "info", "recompress", "index")) {
            assertThat(ToolRun.of(verb, "--help").text())
                    .contains("-f, --force")
                    .contains("Do what is refused without it");
        }
    }

    @Test
    void aMessageNamesAnOptionThatTheVerbHas() {
        for (String verb : List.of("verify", "info", "decompress")) {
            assertThat(ToolRun.fed(RAW, verb, "-").err()).contains("; --format says what it is");
            byte[] snappy = ToolRun.fed(RAW, "compress", "--format", "snappy").out();
            assertThat(ToolRun.fed(snappy, verb, "--format", "snappy").exit()).isZero();
        }
    }
}
