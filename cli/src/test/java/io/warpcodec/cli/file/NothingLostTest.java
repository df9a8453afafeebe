package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.file.DisturbedFiles.Disturbance;
import io.warpcodec.cli.file.DisturbedFiles.Store;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of every verb that writes is disturbed in every way, one at a time
 * ({@code -Dwarpcodec.test.disturbed.every=1}; by default one of eleven). After each a file holds all of the content,
 * no file of a private one's content can be read by others, and the same call again ends well with the output of an
 * undisturbed one.
 */
class NothingLostTest {

    private static final byte[] RAW = Samples.text(3_000);
    private static final byte[] OLD = Samples.text(500);

    /** Of so many operations of a verb one is disturbed, each time another one; 1 disturbs all of them. */
    private static final int EVERY = Integer.getInteger("warpcodec.test.disturbed.every", 11);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    @TempDir
    Path scratch;

    /** A verb with its files before and after. */
    private enum Work {
        COMPRESS("a", "a.gz", false, "compress", "a"),
        DECOMPRESS("a.gz", "a", true, "decompress", "a.gz"),
        RECOMPRESS("a.gz", "a.zst", true, "recompress", "--format", "zstd", "a.gz"),
        RECOMPRESS_FOLDER("a.gz", "a.zst", true, "recompress", "--format", "zstd", "."),
        RECOMPRESS_IN_PLACE("a.gz", "a.gz", true, "recompress", "--format", "gzip", "a.gz"),
        RECOMPRESS_FOLDER_IN_PLACE("a.gz", "a.gz", true, "recompress", "--format", "gzip", "."),
        COMPRESS_ONTO("a", "b.gz", false, "compress", "-f", "-o", "b.gz", "a"),
        RECOMPRESS_ELSEWHERE("a.gz", "out/a.zst", true, "recompress", "--format", "zstd", "-o", "out", "."),
        INDEX("a.gz", "a.gz", true, "index", "--spacing", "300", "a.gz");

        private final String input;
        private final String output;
        private final boolean isCompressed;
        private final List<String> words;

        Work(String input, String output, boolean isCompressed, String... words) {
            this.input = input;
            this.output = output;
            this.isCompressed = isCompressed;
            this.words = List.of(words);
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Work.values())
                .flatMap(work -> Stream.of(Store.values())
                        .flatMap(store -> Stream.of(Disturbance.values())
                                .map(disturbance -> Arguments.of(work, store, disturbance))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theContentSurvivesAndTheNextCallEndsWell(Work work, Store store, Disturbance disturbance) throws IOException {
        boolean goesOn = true;
        int begin = Math.floorMod(work.ordinal() + 3 * store.ordinal() + disturbance.ordinal(), EVERY);
        int number = begin;
        for (; goesOn; number += EVERY) {
            Path folder = Files.createDirectory(scratch.resolve("case" + number));
            prepare(work, folder);
            String what;
            ToolRun first;
            try (DisturbedFiles layer = DisturbedFiles.put(store, disturbance, number)) {
                first = run(work, folder);
                what = work + " " + store + " " + disturbance + " " + number + " " + layer.disturbed();
                goesOn = layer.disturbed() != null;
            }
            assertPrivate(folder, what);
            assertThat(holders(folder, RAW))
                    .as("%s: names of the content after %s", what, first)
                    .isNotEmpty();
            if (!goesOn) {
                assertThat(first.exit()).as(what).isZero();
            }
            if (first.exit() == 0 && disturbance != Disturbance.KILLS) {
                assertThat(decoded(folder.resolve(work.output))).as(what).isEqualTo(RAW);
            } else {
                try (DisturbedFiles layer = DisturbedFiles.put(store, null, 0)) {
                    ToolRun again = Scenario.finished(run(work, folder));
                    boolean notThereAnyMore = isDone(work, folder) && !Files.exists(folder.resolve(work.input));
                    assertThat(again.exit() == 0 || notThereAnyMore)
                            .as("%s: %s after %s", what, again, first)
                            .isTrue();
                }
            }
            assertThat(decoded(folder.resolve(work.output))).as(what).isEqualTo(RAW);
            assertPrivate(folder, what);
        }
        assertThat(number).as("operations").isGreaterThan(5);
    }

    private static boolean isDone(Work work, Path folder) {
        return Arrays.equals(decoded(folder.resolve(work.output)), RAW);
    }

    private static void prepare(Work work, Path folder) throws IOException {
        Files.write(folder.resolve(work.input), work.isCompressed ? RecompressTest.plainGzip(RAW) : RAW);
        if (work == Work.COMPRESS_ONTO) {
            Files.write(folder.resolve(work.output), RecompressTest.plainGzip(OLD));
        }
        for (Path file : filesIn(folder)) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
    }

    /** What is made of a private file is private, whenever the process ends. */
    private static void assertPrivate(Path folder, String what) throws IOException {
        for (Path file : filesIn(folder)) {
            assertThat(Files.getPosixFilePermissions(file))
                    .as("%s: %s", what, file.getFileName())
                    .isEqualTo(OWNER_ONLY);
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static ToolRun run(Work work, Path folder) {
        List<Object> words = new ArrayList<>();
        for (String word : work.words) {
            boolean isFile = word.equals(work.input) || word.equals(work.output) || word.equals("out");
            words.add(word.equals(".") ? folder : isFile ? folder.resolve(word) : word);
        }
        return ToolRun.of(words.toArray());
    }

    private static byte[] decoded(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                return new byte[0];
            }
            byte[] bytes = Files.readAllBytes(file);
            boolean isRaw = Arrays.equals(bytes, RAW) || bytes.length == 0;
            return isRaw ? bytes : ToolRun.fed(bytes, "decompress", "-").out();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Files that hold all of the content. */
    private static List<String> holders(Path folder, byte[] content) throws IOException {
        return filesIn(folder).stream()
                .filter(file -> Arrays.equals(decoded(file), content))
                .map(file -> folder.relativize(file).toString())
                .toList();
    }
}
