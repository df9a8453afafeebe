package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.warpcodec.Format;
import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.file.publish.Leftover;
import io.warpcodec.cli.file.system.LocalFiles;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which files a call may take for its own: what counts as done, which names mean which files, and what lies beside
 * them.
 */
class SafeFilesTest {

    private static final byte[] MONDAY = "monday\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TUESDAY = "tuesday\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RAW = Samples.text(700_000);

    @TempDir
    Path folder;

    private Path gzip(String name, byte[] raw) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, RecompressTest.plainGzip(raw));
    }

    private Path zstd(String name, byte[] raw) throws IOException {
        return Files.write(
                folder.resolve(name),
                ToolRun.fed(raw, "compress", "--format", "zstd", "-").out());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !Files.isDirectory(path))
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private static byte[] decoded(Path file) {
        return ToolRun.of("decompress", "-c", file).out();
    }

    // Two inputs, one output

    @Test
    void twoInputsOfOneOutputAreRefusedBeforeAnythingIsWritten() throws IOException {
        gzip("day1/part-00000.gz", MONDAY);
        gzip("day2/part-00000.gz", TUESDAY);
        gzip("day2/part-00001.gz", TUESDAY);
        List<String> before = names();
        ToolRun run = ToolRun.of(
                "recompress",
                "--format",
                "zstd",
                "-o",
                folder.resolve("out"),
                folder.resolve("day1"),
                folder.resolve("day2"));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err())
                .contains("day2/part-00000.gz: would be written to ")
                .contains("day1/part-00000.gz");
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void twoFormatsOfOneNameAreRefusedByEveryVerb() throws IOException {
        Path first = gzip("a.gz", MONDAY);
        Path second = Files.write(
                folder.resolve("a.bz2"),
                ToolRun.fed(TUESDAY, "compress", "--format", "bzip2", "-").out());
        Path raw = Files.write(folder.resolve("b"), RAW);
        assertThat(ToolRun.of("recompress", "--format", "zstd", folder).exit()).isEqualTo(1);
        assertThat(ToolRun.of("recompress", "-k", "--format", "zstd", first, second)
                        .exit())
                .isEqualTo(1);
        assertThat(ToolRun.of("decompress", first, second).exit()).isEqualTo(1);
        assertThat(ToolRun.of("compress", raw, folder.resolve("./b")).exit()).isEqualTo(1);
        assertThat(names()).containsExactly("a.bz2", "a.gz", "b");
    }

    // A name that is taken

    @Test
    void anOutputThatIsTheInputIsNotReplaced() throws IOException {
        Path input = gzip("x.gz", MONDAY);
        Files.createSymbolicLink(folder.resolve("x.zst"), Path.of("x.gz"));
        assertThat(ToolRun.of("recompress", "--format", "zstd", input).exit()).isEqualTo(1);
        Files.delete(folder.resolve("x.zst"));
        Files.createLink(folder.resolve("x.zst"), input);
        ToolRun run = ToolRun.of("recompress", "-f", "--format", "zstd", input);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("is the same file as");
        assertThat(decoded(input)).isEqualTo(MONDAY);
        assertThat(ToolRun.of("decompress", "-f", "-o", input, input).exit()).isEqualTo(1);
        assertThat(decoded(input)).isEqualTo(MONDAY);
    }

    // Names

    @Test
    void namesWithSignsOfUrisMeanThemselves() throws IOException {
        Path notGzip = zstd("x.zst", MONDAY);
        gzip("x.zst#old.gz", TUESDAY);
        gzip("q?.gz", TUESDAY);
        gzip("a%20b.gz", TUESDAY);
        gzip("100%.gz", TUESDAY);
        Path blank = zstd("a b.zst", MONDAY);
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", "file://" + folder);
        assertThat(run.complaints()).isEmpty();
        assertThat(run.text()).contains("file://" + folder + "/x.zst%23old.zst: ");
        assertThat(names()).containsExactly("100%.zst", "a b.zst", "a%20b.zst", "q?.zst", "x.zst", "x.zst#old.zst");
        assertThat(decoded(notGzip)).isEqualTo(MONDAY);
        assertThat(decoded(blank)).isEqualTo(MONDAY);
        assertThat(decoded(folder.resolve("x.zst#old.zst"))).isEqualTo(TUESDAY);
    }

    @Test
    void anOutputFolderInTheInputFolderIsNoInput() throws IOException {
        gzip("n/a.gz", MONDAY);
        Path tree = folder.resolve("n");
        for (int i = 0; i < 3; i++) {
            assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", tree.resolve("out"), tree)
                            .exit())
                    .isEqualTo(i == 0 ? ExitCode.DONE : ExitCode.TAKEN);
            assertThat(names()).containsExactly("n/a.gz", "n/out/a.zst");
        }
    }

    /** A folder that an output folder gets stands for one of the input's. */
    @Test
    void aNewFolderIsAsPrivateAsTheOneThatItStandsFor() throws IOException {
        Path file = gzip("tree/private/deep/x.gz", MONDAY);
        gzip("tree/open/y.gz", MONDAY);
        permit("tree", "rwxr-x---");
        permit("tree/private", "rwx------");
        permit("tree/private/deep", "rwxr-xr-x");
        permit("tree/open", "r-xr-xr-x");
        Path out = folder.resolve("out");
        assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", out, folder.resolve("tree"))
                        .complaints())
                .isEmpty();
        assertThat(permissions("out")).isEqualTo("rwxr-x---");
        assertThat(permissions("out/private")).isEqualTo("rwx------");
        assertThat(permissions("out/private/deep")).isEqualTo("rwxr-xr-x");
        // its owner has to write in it
        assertThat(permissions("out/open")).isEqualTo("rwxr-xr-x");
        permit("tree/private/deep", "rwx------");
        assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", folder.resolve("one"), file)
                        .exit())
                .isZero();
        assertThat(permissions("one")).isEqualTo("rwx------");
    }

    private void permit(String name, String permissions) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString(permissions));
    }

    private String permissions(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }

    /** Files whose paths are longer than the system takes in one piece. */
    @Test
    void aPathMayBeLongerThanTheSystemTakes() throws Exception {
        gzip("a.gz", MONDAY);
        String name = "d".repeat(200);
        String script = "cd " + folder + "; for i in $(seq 20); do mkdir " + name + "; cd -P " + name
                + "; done; cp " + folder + "/a.gz last.gz; cp last.gz " + "e".repeat(200) + ".gz; mkdir -p " + name
                + "/" + name + "; cp last.gz " + name + "/" + name + "/";
        try {
            assertThat(new ProcessBuilder("bash", "-c", script).start().waitFor())
                    .isZero();
            ToolRun run = ToolRun.of("verify", "-r", folder);
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.text().lines().filter(line -> line.endsWith(": ok, gzip, 7 bytes")))
                    .hasSize(3);
            assertThat(run.complaints()).singleElement().asString().contains("ame too long");
        } finally {
            new ProcessBuilder("rm", "-rf", folder.resolve(name).toString())
                    .start()
                    .waitFor();
        }
    }

    // Links

    @Test
    void aLinkIsNeverDeletedNorFollowedOutOfATree() throws IOException {
        Path outside = gzip("outside/a.gz", RAW);
        byte[] bytes = Files.readAllBytes(outside);
        Files.createDirectory(folder.resolve("tree"));
        Path link = Files.createSymbolicLink(folder.resolve("tree/a.gz"), outside);
        Path linkedFolder = Files.createSymbolicLink(folder.resolve("tree/deep"), outside.getParent());
        assertThat(ToolRun.of("recompress", "--format", "gzip", folder.resolve("tree"))
                        .exit())
                .isZero();
        assertThat(outside).hasBinaryContent(bytes);
        for (Object[] call : new Object[][] {
            {"recompress", "--format", "gzip", link}, {"recompress", "--format", "zstd", link}, {"decompress", link}
        }) {
            ToolRun run = ToolRun.of(call);
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("is a symbolic link, left alone");
        }
        assertThat(link).isSymbolicLink();
        assertThat(linkedFolder).isSymbolicLink();
        assertThat(ToolRun.of("decompress", "-c", link).out()).isEqualTo(RAW);
        gzip("in/deep/b.gz", MONDAY);
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", "-o", folder.resolve("tree"), folder.resolve("in"));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(folder.resolve("outside/b.zst")).doesNotExist();
    }

    // The index beside a file

    @Test
    void anIndexIsNotWrittenThroughALink() throws IOException {
        Path file = gzip("raw.gz", RAW);
        Path victim = Files.writeString(folder.resolve("victim"), "theirs");
        Path beside = Files.createSymbolicLink(folder.resolve(".raw.gz.wci"), victim);
        ToolRun run = ToolRun.of("index", "--spacing", 10_000, file);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(victim).hasContent("theirs");
        assertThat(beside).isSymbolicLink();
        assertThat(ToolRun.of("decompress", file).exit()).isZero();
        assertThat(beside).isSymbolicLink();
    }

    @Test
    void aPipeInTheIndexsPlaceIsNotWaitedFor() throws Exception {
        Path file = gzip("raw.gz", RAW);
        assertThat(new ProcessBuilder("mkfifo", folder.resolve(".raw.gz.wci").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            assertThat(ToolRun.of("info", file).exit()).isZero();
            assertThat(ToolRun.of("index", file).exit()).isEqualTo(1);
        });
        assertThat(folder.resolve(".raw.gz.wci")).exists();
    }

    @Test
    void aHugeFileInTheIndexsPlaceIsNotRead() throws IOException {
        Path file = gzip("raw.gz", RAW);
        try (RandomAccessFile sparse =
                new RandomAccessFile(folder.resolve(".raw.gz.wci").toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }
        assertThat(ToolRun.of("info", file).exit()).isZero();
        ToolRun run = ToolRun.of("index", file);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains(".raw.gz.wci: is no index, not replaced");
    }

    @Test
    void onlyAnIndexIsDeletedWithItsFile() throws IOException {
        Path raw = Files.write(folder.resolve("raw"), RAW);
        Files.writeString(folder.resolve(".raw.wci"), "not ours");
        assertThat(ToolRun.of("compress", raw).exit()).isZero();
        Files.createDirectory(folder.resolve(".raw.gz.wci"));
        assertThat(ToolRun.of("decompress", folder.resolve("raw.gz")).exit()).isZero();
        assertThat(folder.resolve(".raw.gz.wci")).isDirectory();
        assertThat(names()).containsExactly(".raw.wci", "raw");
        ToolRun.of("compress", raw);
        Files.delete(folder.resolve(".raw.gz.wci"));
        Files.writeString(folder.resolve(".raw.gz.wci"), "not ours either");
        ToolRun.of("decompress", folder.resolve("raw.gz"));
        assertThat(names()).containsExactly(".raw.gz.wci", ".raw.wci", "raw");
    }

    // Hadoop's checksums

    @Test
    void hadoopsChecksumGoesWithItsFile() throws IOException {
        byte[] checksum = {'c', 'r', 'c', 0, 0, 0, 2, 0, 1, 2, 3, 4};
        Path file = gzip("a.gz", RAW);
        Files.write(folder.resolve(".a.gz.crc"), checksum);
        assertThat(ToolRun.of("recompress", "--format", "gzip", file).exit()).isZero();
        assertThat(names()).containsExactly("a.gz");
        Files.write(folder.resolve(".a.gz.crc"), checksum);
        Files.write(folder.resolve(".a.crc"), checksum);
        assertThat(ToolRun.of("decompress", file).exit()).isZero();
        assertThat(names()).containsExactly("a");
        Files.writeString(folder.resolve(".a.crc"), "a file of the user's");
        assertThat(ToolRun.of("compress", folder.resolve("a")).exit()).isZero();
        assertThat(names()).containsExactly(".a.crc", "a.gz");
    }

    // Leftovers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compress -k FOLDER/raw",
                "compress -r -k FOLDER",
                "decompress -k FOLDER/a.gz",
                "decompress -r -k FOLDER",
                "recompress -k --format zstd FOLDER",
                "recompress --format gzip FOLDER",
                "index FOLDER"
            })
    void whatAKilledCallLeftIsNamedAndNeverDeleted(String words) throws IOException {
        gzip("a.gz", MONDAY);
        Files.write(folder.resolve("raw"), TUESDAY);
        List<Path> left = new ArrayList<>();
        for (Leftover.Kind kind : Leftover.Kind.values()) {
            for (String name : List.of("a.gz", "a.zst", "a", "raw", "raw.gz", ".a.gz.wci", "gone")) {
                left.add(Files.writeString(kind.of(new LocalFiles(), folder.resolve(name), "12345678"), name));
            }
        }
        ToolRun run =
                ToolRun.of((Object[]) words.replace("FOLDER", folder.toString()).split(" "));
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains(": left by an interrupted call, may be the only copy of ");
        assertThat(left).allMatch(Files::exists);
    }

    /** Files of the user's that are called nearly as a call calls what it leaves. */
    @ParameterizedTest
    @ValueSource(strings = {"", "copying://"})
    void namesThatOnlyLookLikeLeftoversAreNotTouched(String scheme) throws IOException {
        Configuration.addDefaultResource("publishing-harness.xml");
        gzip("a.gz", MONDAY);
        Path ours = Leftover.Kind.REPLACED.of(new LocalFiles(), folder.resolve("cfg"), "12345678");
        String name = ours.getFileName().toString();
        char other = name.endsWith("0") ? '1' : '0';
        List<String> theirs = List.of(
                ".report.partial-1",
                ".cfg.replaced-20240101",
                ".a.gz.replaced-12345678",
                ".a.gz.partial-12345678abcd",
                ".empty.replaced-1",
                name.substring(0, name.length() - 1) + other,
                name.replace(".cfg.", ".cfh."));
        for (String each : theirs) {
            Files.writeString(folder.resolve(each), "mine");
        }
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", scheme + folder);
        assertThat(run.complaints()).isEmpty();
        assertThat(theirs).allMatch(each -> Files.exists(folder.resolve(each)));
        assertThat(names()).hasSize(theirs.size() + 1).contains("a.zst");
    }

    @Test
    void aSuffixThatLiesAboutTheFormatIsPutRight() throws IOException {
        byte[] ours = ToolRun.fed(RAW, "compress", "--format", "gzip", "-").out();
        Path file = Files.write(folder.resolve("y.zst"), ours);
        assertThat(ToolRun.of("recompress", "--format", "zstd", file).exit()).isZero();
        assertThat(ToolRun.of("info", file).text()).contains(Format.ZSTD.word());
    }
}
