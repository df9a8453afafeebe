package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A folder whose owner changes it while the tool works in it: the tool reads and writes nothing but what it found
 * there, gives nothing away, and ends. Each change comes before each access of each verb, one at a time.
 */
class ForeignFolderTest {

    private static final byte[] RAW = Samples.text(3_000);
    /** Of so many accesses of a call one is disturbed, in each call and change another one; 1 disturbs all. */
    private static final int STRIDE = Integer.getInteger("warpcodec.test.folder.stride", 5);

    private static final String SECRET = "a line that nobody may read";

    @TempDir
    Path scratch;

    private Path folder;
    private Path elsewhere;
    private Path secret;
    private Path secretGzip;

    /** Verbs that work on a folder; {@code @} stands for it. */
    private static final List<String> CALLS = List.of(
            "compress -r @",
            "compress -r -k @",
            "decompress -r @",
            "decompress -r -k @",
            "recompress --format zstd @",
            "recompress --format zstd -k @",
            "recompress --format gzip @",
            "recompress --format zstd -o OUT @",
            "index --spacing 300 @",
            "verify -r @",
            "info -r @",
            "info -r --list @");

    /** What the owner does. */
    private enum Change {
        /** The file becomes a link to what only the tool's user may read. */
        FILE_IS_A_LINK,
        /** The file is another one, which the owner may move and not read. */
        FILE_IS_ANOTHER,
        /** Its folder becomes a link to a folder elsewhere, with a file of the same name. */
        FOLDER_IS_A_LINK,
        /** Its folder is another one. */
        FOLDER_IS_ANOTHER,
        /** The file becomes a pipe that no program writes to. */
        FILE_IS_A_PIPE
    }

    static Stream<Arguments> cases() {
        return CALLS.stream().flatMap(call -> Stream.of(Change.values()).map(change -> Arguments.of(call, change)));
    }

    @BeforeEach
    void prepare() throws IOException {
        for (String name : List.of("tree", "elsewhere", "out")) {
            delete(scratch.resolve(name));
        }
        folder = Files.createDirectories(scratch.resolve("tree/sub"));
        elsewhere = Files.createDirectories(scratch.resolve("elsewhere"));
        secret = Files.writeString(elsewhere.resolve("a"), SECRET);
        secretGzip = Files.write(
                elsewhere.resolve("a.gz"), RecompressTest.plainGzip(SECRET.getBytes(StandardCharsets.US_ASCII)));
        for (Path file : List.of(secret, secretGzip)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    @AfterEach
    void release() {
        SteppedFiles.release();
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }

    private Path input(String call) throws IOException {
        return call.startsWith("compress")
                ? Files.write(folder.resolve("a"), RAW)
                : Files.write(folder.resolve("a.gz"), RecompressTest.plainGzip(RAW));
    }

    private void make(Change change, Path file) throws IOException {
        Path forbidden = file.getFileName().toString().equals("a") ? secret : secretGzip;
        Path away = scratch.resolve("tree/away");
        switch (change) {
            case FILE_IS_A_LINK -> {
                Files.deleteIfExists(file);
                Files.createSymbolicLink(file, forbidden);
            }
            case FILE_IS_ANOTHER -> {
                Files.deleteIfExists(file);
                Files.move(forbidden, file);
            }
            case FOLDER_IS_A_LINK -> {
                Files.move(folder, away);
                Files.createSymbolicLink(folder, elsewhere);
            }
            case FOLDER_IS_ANOTHER -> {
                Files.move(folder, away);
                Files.move(elsewhere, folder);
            }
            case FILE_IS_A_PIPE -> {
                Files.deleteIfExists(file);
                mkfifo(file);
            }
            default -> throw new AssertionError(change);
        }
    }

    private static void mkfifo(Path name) throws IOException {
        try {
            assertThat(new ProcessBuilder("mkfifo", name.toString()).start().waitFor())
                    .isZero();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private ToolRun run(String call) {
        String words = call.replace("@", scratch.resolve("tree").toString())
                .replace("OUT", scratch.resolve("out").toString());
        return assertTimeoutPreemptively(Duration.ofMinutes(5), () -> ToolRun.of((Object[]) words.split(" ")));
    }

    private List<String> steps(String call) throws IOException {
        prepare();
        input(call);
        List<String> steps = new ArrayList<>();
        SteppedFiles.direct(step -> {
            steps.add(step.operation());
            return step.whole().run();
        });
        run(call);
        SteppedFiles.release();
        return steps;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nothingElseIsReadWrittenOrGivenAway(String call, Change change) throws IOException {
        List<String> steps = steps(call);
        // the folder and the one below it have been listed
        int listed = steps.indexOf("list")
                + 1
                + steps.subList(steps.indexOf("list") + 1, steps.size()).indexOf("list")
                + 1;
        int first = (CALLS.indexOf(call) + change.ordinal()) % STRIDE;
        for (int at = listed + first; at < steps.size(); at += STRIDE) {
            if (steps.get(at).equals("delete") && change == Change.FILE_IS_ANOTHER) {
                // no file system deletes a file on the condition that it is still the same
                continue;
            }
            prepare();
            Path file = input(call);
            int[] count = {0};
            int when = at;
            SteppedFiles.direct(step -> {
                if (count[0]++ == when) {
                    make(change, file);
                }
                return step.whole().run();
            });
            ToolRun run = run(call);
            SteppedFiles.release();
            String what = call + ", " + change + " before " + at + " " + steps.get(at) + ": " + run;
            assertThat(run.text()).as(what).doesNotContain(SECRET);
            assertThat(linesOutside()).as(what).isEmpty();
            if (Files.exists(elsewhere)) {
                assertThat(elsewhere.toFile().list()).as(what).isSubsetOf("a", "a.gz");
            }
        }
    }

    /** Files that hold the secret, and that were not there, or may be read by others. */
    private List<String> linesOutside() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.walk(scratch)) {
            for (Path file : all.filter(path -> Files.isRegularFile(path)).toList()) {
                boolean isOne = Files.isSameFile(file, secret(secret)) || Files.isSameFile(file, secret(secretGzip));
                boolean isOpen = !PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                        .endsWith("------");
                if (Scenario.holds(Files.readAllBytes(file), SECRET.getBytes(StandardCharsets.US_ASCII))
                        && (!isOne || isOpen)) {
                    open.add(file.toString());
                }
            }
        }
        return open;
    }

    private Path secret(Path file) {
        String name = file.getFileName().toString();
        return Stream.of(file, folder.resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElse(file);
    }

    /** Another file has the partial's name when it gets owner and permissions, or its own name. */
    @ParameterizedTest
    @ValueSource(strings = {"write", "giveAttributes", "sync", "close", "look", "rename"})
    void aFileThatTakesThePartialsNameIsNotGivenAway(String before) throws IOException {
        Path file = input("compress");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path roots = Files.writeString(folder.resolve("roots"), SECRET);
        Files.setPosixFilePermissions(roots, PosixFilePermissions.fromString("rw-------"));
        Object inode = Files.getAttribute(roots, "unix:ino");
        boolean[] written = {false};
        boolean[] done = {false};
        SteppedFiles.direct(step -> {
            written[0] |= step.operation().equals("write");
            if (written[0] && !done[0] && step.operation().equals(before)) {
                done[0] = true;
                swapPartial(roots);
            }
            return step.whole().run();
        });
        ToolRun run = ToolRun.of("compress", file);
        SteppedFiles.release();
        assertThat(done[0]).isTrue();
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(file).hasBinaryContent(RAW);
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                if (Files.getAttribute(each, "unix:ino").equals(inode)) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .isEqualTo("rw-------");
                }
            }
        }
    }

    private void swapPartial(Path roots) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            Path partial = all.filter(path -> path.toString().contains(".partial-"))
                    .findFirst()
                    .orElseThrow();
            Files.move(partial, folder.resolve("away"));
            Files.move(roots, partial);
        }
    }

    /** The names are put back before anybody looks again. */
    @ParameterizedTest
    @ValueSource(strings = {"compress -r -k @", "decompress -r -k @", "verify -r @", "index --spacing 300 @"})
    void whatWasOpenedIsLookedAtAndNotWhatHasItsName(String call) throws IOException {
        Path file = input(call);
        Path forbidden = call.startsWith("compress") ? secret : secretGzip;
        SteppedFiles.direct(step -> {
            if (!step.operation().equals("openSeen")) {
                return step.whole().run();
            }
            Path away = file.resolveSibling("away");
            Files.move(file, away);
            Files.move(forbidden, file);
            try {
                return step.whole().run();
            } finally {
                Files.move(file, forbidden);
                Files.move(away, file);
            }
        });
        ToolRun run = run(call);
        SteppedFiles.release();
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("changes while it is opened");
        assertThat(linesOutside()).isEmpty();
    }
}
