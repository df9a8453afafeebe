package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that a call may delete: only files that it opened itself. Its own output must have its name, be on the disk,
 * and still be the file that this call wrote. The input at a last look must be the same file, and closed where the file
 * system knows that. Where a cluster's file system does not tell, nothing is deleted. Every verb that deletes, in every
 * format, on every kind of file system.
 */
class DeletionTest {

    private static final byte[] RAW = Samples.text(3_000);
    private static final byte[] OTHER = Samples.text(500);

    @TempDir
    static Path scratch;

    private static Stores stores;

    @BeforeAll
    static void start() throws IOException {
        stores = new Stores(scratch);
    }

    @AfterAll
    static void stop() throws IOException {
        stores.close();
    }

    @AfterEach
    void release() {
        SteppedFiles.release();
    }

    /** A call that deletes its input. */
    private record Work(String label, String words, String input, String output, boolean isCompressed, Format format) {

        /** Calls for a format; to rewrite a file in its own format is refused where that has no places to split. */
        static List<Work> of(Format format) {
            String compressed = "a" + format.suffix();
            Format another = format == Format.ZSTD ? Format.GZIP : Format.ZSTD;
            return List.of(
                    new Work("compress", "compress --format " + format.word() + " @/a", "a", compressed, false, format),
                    new Work("decompress", "decompress @/" + compressed, compressed, "a", true, format),
                    new Work(
                            "recompress",
                            "recompress --format " + another.word() + " @/" + compressed,
                            compressed,
                            "a" + another.suffix(),
                            true,
                            format),
                    new Work(
                            "compress -r",
                            "compress -r --format " + format.word() + " @",
                            "a",
                            compressed,
                            false,
                            format),
                    new Work("decompress -r", "decompress -r @", compressed, "a", true, format));
        }

        byte[] content() {
            return isCompressed
                    ? ToolRun.fed(RAW, "compress", "--format", format.word()).out()
                    : RAW;
        }

        ToolRun run(String folder) {
            return ToolRun.of((Object[]) words.replace("@", folder).split(" "));
        }

        @Override
        public String toString() {
            return label + " " + format.word();
        }
    }

    /**
     * Whether each kind of file system has each format; else each call has a format of its own there, and local files
     * have every other one.
     */
    private static final boolean ALL = Boolean.getBoolean("warpcodec.test.deletion.all");

    static Stream<Arguments> works() {
        List<Arguments> works = new ArrayList<>();
        for (Stores.Kind kind : Stores.Kind.values()) {
            for (Format format : Format.values()) {
                List<Work> calls = Work.of(format);
                for (int i = 0; i < calls.size(); i++) {
                    boolean isItsTurn = (i + kind.ordinal()) % Format.values().length == format.ordinal();
                    boolean isLocalTurn = kind == Stores.Kind.LOCAL && (i + format.ordinal()) % 2 == 0;
                    if (ALL || isLocalTurn || isItsTurn) {
                        works.add(Arguments.of(kind, calls.get(i)));
                    }
                }
            }
        }
        return works.stream();
    }

    private Arena<?> arena;
    private String folder;

    private void prepare(Stores.Kind kind, Work work) throws IOException {
        folder = stores.folder(kind);
        arena = Arena.at(folder);
        arena.write(work.input(), work.content());
    }

    /** What other programs do when the output has its name, and before the input goes. */
    private interface Event {
        void happen() throws IOException;
    }

    /** Runs a call; the event happens when its output is on the disk and has been looked at. */
    private ToolRun runWith(Work work, Event event) {
        List<String> operations = new ArrayList<>();
        boolean[] happened = {false};
        SteppedFiles.direct(step -> {
            operations.add(step.operation());
            if (step.operation().equals("writers") && operations.contains("syncName") && !happened[0]) {
                happened[0] = true;
                event.happen();
            }
            return step.whole().run();
        });
        try {
            return work.run(folder);
        } finally {
            SteppedFiles.release();
            assertThat(happened[0]).as("the event").isTrue();
        }
    }

    private void assertInputStays(ToolRun run, Work work, byte[] content) throws IOException {
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(arena.contents().get(work.input())).isEqualTo(content);
        assertThat(run.complaints()).anyMatch(line -> line.contains(work.input() + ": "));
    }

    @ParameterizedTest
    @MethodSource("works")
    void anInputGoesWhenNothingIsInItsWay(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        ToolRun run = work.run(folder);
        Map<String, byte[]> left = arena.contents();
        if (kind.isSilent()) {
            assertInputStays(run, work, work.content());
            assertThat(run.err()).contains("this file system does not tell whether it is being written");
            assertThat(left).containsOnlyKeys(work.input(), work.output());
        } else {
            assertThat(run.complaints()).isEmpty();
            assertThat(left).containsOnlyKeys(work.output());
        }
    }

    @ParameterizedTest
    @MethodSource("works")
    void anInputStaysWhenItsOutputIsGone(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        ToolRun run = runWith(work, () -> arena.delete(work.output()));
        assertInputStays(run, work, work.content());
    }

    @ParameterizedTest
    @MethodSource("works")
    void anInputStaysWhenItsOutputIsAnotherFile(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        ToolRun run = runWith(work, () -> arena.replace(work.output(), OTHER));
        assertInputStays(run, work, work.content());
        assertThat(arena.contents().get(work.output())).isEqualTo(OTHER);
    }

    @ParameterizedTest
    @MethodSource("works")
    void anInputThatIsAnotherFileByThenStays(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        ToolRun run = runWith(work, () -> arena.replace(work.input(), OTHER));
        assertInputStays(run, work, OTHER);
    }

    /** As a backup or a database puts back the time of what it has written. */
    @ParameterizedTest
    @MethodSource("works")
    void anInputThatIsWrittenInPlaceStaysAlsoIfItsTimeIsPutBack(Stores.Kind kind, Work work) throws IOException {
        if (kind != Stores.Kind.LOCAL) {
            return;
        }
        prepare(kind, work);
        Path file = Path.of(folder, work.input());
        byte[] changed = Files.readAllBytes(file);
        FileTime time = Files.getLastModifiedTime(file);
        changed[0] ^= 1;
        ToolRun run = runWith(work, () -> {
            awaitLaterChange(file, Files.getAttribute(file, "unix:ctime"));
            Files.write(file, changed);
            Files.setLastModifiedTime(file, time);
        });
        assertInputStays(run, work, changed);
    }

    /** Change times are as fine as the system's ticks. */
    private static void awaitLaterChange(Path file, Object before) throws IOException {
        Path probe = file.resolveSibling("_probe");
        do {
            Files.write(probe, new byte[] {1});
        } while (((FileTime) Files.getAttribute(probe, "unix:ctime")).compareTo((FileTime) before) <= 0);
        Files.delete(probe);
    }

    static Stream<Arguments> worksWhereOpenFilesAreKnown() {
        return works().filter(work -> ((Stores.Kind) work.get()[0]).tellsOpenFiles());
    }

    @ParameterizedTest
    @MethodSource("worksWhereOpenFilesAreKnown")
    void aFileThatIsBeingWrittenIsLeftAlone(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        try (FSDataOutputStream writer = stores.hdfs().append(Stores.inCluster(folder + "/" + work.input()))) {
            // acknowledged and readable, while the name node still has the length of before
            writer.write(OTHER);
            writer.hflush();
            ToolRun run = work.run(folder);
            assertThat(run.exit()).as(run.err()).isEqualTo(1);
            assertThat(run.err()).contains(work.input() + ": is being written");
            assertThat(arena.contents()).containsOnlyKeys(work.input());
        }
        byte[] both = Arrays.copyOf(work.content(), work.content().length + OTHER.length);
        System.arraycopy(OTHER, 0, both, work.content().length, OTHER.length);
        assertThat(arena.contents().get(work.input())).isEqualTo(both);
    }

    @ParameterizedTest
    @MethodSource("worksWhereOpenFilesAreKnown")
    void aFileThatIsOpenedForWritingMeanwhileStays(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        List<FSDataOutputStream> writers = new ArrayList<>();
        ToolRun run = runWith(work, () -> {
            FSDataOutputStream writer = stores.hdfs().append(Stores.inCluster(folder + "/" + work.input()));
            writer.write(OTHER);
            writer.hflush();
            writers.add(writer);
        });
        writers.get(0).close();
        assertThat(run.err()).contains(work.input() + ": is being written, is kept");
        assertThat(arena.contents().get(work.input())).hasSize(work.content().length + OTHER.length);
    }

    /** Names that are both taken may be the work of a call that was interrupted, or two files. */
    @ParameterizedTest
    @MethodSource("works")
    void nothingIsDeletedWhereBothNamesAreTaken(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        byte[] done = work.output().equals("a")
                ? RAW
                : ToolRun.fed(
                                RAW,
                                "compress",
                                "--format",
                                Format.ofFileName(work.output()).word())
                        .out();
        for (byte[] there : ALL || kind == Stores.Kind.LOCAL ? List.of(done, OTHER) : List.of(done)) {
            arena.write(work.output(), there);
            ToolRun run = work.run(folder);
            // a folder has one file of each name, and the other one is not the verb's
            assertThat(run.exit()).as(run.err()).isEqualTo(2);
            assertThat(arena.contents()).containsOnlyKeys(work.input(), work.output());
            assertThat(arena.contents().get(work.input())).isEqualTo(work.content());
            assertThat(arena.contents().get(work.output())).isEqualTo(there);
            ToolRun finished = Scenario.finished(run);
            assertThat(finished.exit()).as(finished.err()).isEqualTo(kind.isSilent() ? 1 : 0);
            assertThat(arena.contents()).containsKey(work.output());
            arena.clear();
            arena.write(work.input(), work.content());
        }
    }

    /** What stays after a loss of power: bytes and name of the output are on the disk before the input goes. */
    @ParameterizedTest
    @MethodSource("works")
    void theOutputIsOnTheDiskBeforeTheInputGoes(Stores.Kind kind, Work work) throws IOException {
        prepare(kind, work);
        List<String> operations = new ArrayList<>();
        SteppedFiles.direct(step -> {
            operations.add(step.operation());
            return step.whole().run();
        });
        work.run(folder);
        SteppedFiles.release();
        assertThat(operations).containsSubsequence("write", "sync", "close", "rename", "syncName");
        if (!kind.isSilent()) {
            assertThat(operations).containsSubsequence("syncName", "writers", "look", "delete");
        }
    }

    /** In its own format a file is replaced, which deletes the old one. */
    @ParameterizedTest
    @EnumSource(Stores.Kind.class)
    void aFileIsReplacedInItsPlaceUnderTheSameConditions(Stores.Kind kind) throws IOException {
        byte[] plain = RecompressTest.plainGzip(RAW);
        Work work = new Work("recompress", "recompress --format gzip @/a.gz", "a.gz", "a.gz", true, Format.GZIP);
        folder = stores.folder(kind);
        arena = Arena.at(folder);
        arena.write("a.gz", plain);
        if (kind.tellsOpenFiles()) {
            try (FSDataOutputStream writer = stores.hdfs().append(Stores.inCluster(folder + "/a.gz"))) {
                assertInputStays(work.run(folder), work, plain);
            }
        }
        ToolRun run = work.run(folder);
        if (kind.isSilent()) {
            assertInputStays(run, work, plain);
        } else {
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(arena.contents().get("a.gz")).isNotEqualTo(plain);
        }
        assertThat(arena.contents()).containsOnlyKeys("a.gz");
    }
}
