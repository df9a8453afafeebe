package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.file.publish.Leftover;
import io.warpcodec.cli.file.system.LocalFiles;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Hadoop file system that renames badly: one complete file remains, and the next call finds it. */
class RenameFailureTest {

    private static final byte[] RAW = Samples.text(20_000);

    @TempDir
    Path folder;

    private Path file;

    @BeforeAll
    static void addFileSystem() {
        Configuration.addDefaultResource("scripted-file-system.xml");
    }

    @BeforeEach
    void writeFile() throws IOException {
        file = Files.write(folder.resolve("a.gz"), RecompressTest.plainGzip(RAW));
    }

    @AfterEach
    void renameAgain() {
        ScriptedFileSystem.rename = ScriptedFileSystem.DONE;
        ScriptedFileSystem.meanwhile = () -> {};
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static byte[] decoded(Path path) {
        return ToolRun.of("decompress", "-c", path).out();
    }

    /** Bytes from standard input cannot be read again. */
    @Test
    void whatCameFromStandardInputStaysWhereItIsComplete() throws IOException {
        ScriptedFileSystem.rename = (from, to, disk) -> {
            throw new IOException("no such luck");
        };
        ToolRun run = ToolRun.fed(
                RAW, "compress", "--format", "gzip", "-o", ScriptedFileSystem.uri(folder.resolve("b.gz")), "-");
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        List<String> partials = names().stream()
                .filter(name -> name.startsWith(".b.gz.partial-"))
                .toList();
        assertThat(partials).hasSize(1);
        assertThat(run.err()).contains("all of it is in", partials.get(0));
        Path copy = Files.move(folder.resolve(partials.get(0)), folder.resolve("c.gz"));
        assertThat(decoded(copy)).isEqualTo(RAW);
    }

    @Test
    void aFileThatLosesBytesInItsRenameDoesNotReplaceItsInput() throws IOException {
        Path input = Files.write(folder.resolve("b"), RAW);
        ScriptedFileSystem.rename = (from, to, disk) -> {
            boolean done = disk.rename();
            try (FileChannel file = FileChannel.open(Path.of(to.toUri().getPath()), StandardOpenOption.WRITE)) {
                file.truncate(file.size() - 1);
            }
            return done;
        };
        ToolRun run = ToolRun.of("compress", "--format", "gzip", ScriptedFileSystem.uri(input));
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(input).hasBinaryContent(RAW);
    }

    /** A store whose rename is a copy, which breaks off. */
    @Test
    void aCopyThatIsLeftHalfDoneUnderAFreeNameGoes() throws IOException {
        Path input = Files.write(folder.resolve("b"), RAW);
        ScriptedFileSystem.rename = (from, to, disk) -> {
            byte[] whole = Files.readAllBytes(Path.of(from.toUri().getPath()));
            Files.write(Path.of(to.toUri().getPath()), Arrays.copyOf(whole, whole.length / 2));
            throw new IOException("no such luck");
        };
        ToolRun run = ToolRun.of("compress", "--format", "gzip", ScriptedFileSystem.uri(input));
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(input).hasBinaryContent(RAW);
        assertThat(names()).containsExactly("a.gz", "b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aFileStaysWhenItsReplacementCannotBeRenamed(int which) throws IOException {
        for (boolean throwing : new boolean[] {true, false}) {
            int[] count = {0};
            ScriptedFileSystem.rename = (from, to, disk) -> {
                if (count[0]++ != which) {
                    return disk.rename();
                }
                if (throwing) {
                    throw new IOException("no such luck");
                }
                return false;
            };
            ToolRun run = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(folder));
            assertThat(run.exit()).as(run.err()).isEqualTo(1);
            assertThat(names()).containsExactly("a.gz");
            assertThat(decoded(file)).isEqualTo(RAW);
        }
        ScriptedFileSystem.rename = ScriptedFileSystem.DONE;
        ToolRun again = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(folder));
        assertThat(again.complaints()).isEmpty();
        assertThat(names()).containsExactly("a.gz");
        assertThat(ToolRun.of("info", file).text()).contains("warpcodec, version 1");
    }

    @Test
    void aRenameWhoseAnswerIsLostCounts() throws IOException {
        ScriptedFileSystem.rename = (from, to, disk) -> {
            disk.rename();
            throw new IOException("connection reset");
        };
        assertThat(ToolRun.of("recompress", "--format", "zstd", ScriptedFileSystem.uri(file))
                        .complaints())
                .isEmpty();
        assertThat(names()).containsExactly("a.zst");
    }

    /** A name as a call gives it to what it leaves, beside {@code a.gz}. */
    private Path left(Leftover.Kind kind) {
        return kind.of(new LocalFiles(), file, "0000abcd");
    }

    /** What a process leaves that is killed between the two renames. */
    @Test
    void aFileThatWasMovedAsideIsPutBackAndDone() throws IOException {
        Path partial = Files.write(left(Leftover.Kind.PARTIAL), new byte[] {1, 2, 3});
        Files.move(file, left(Leftover.Kind.REPLACED));
        ToolRun run = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(folder));
        assertThat(run.exit()).isZero();
        assertThat(run.err()).contains("a.gz: was moved aside by an interrupted call, is back");
        assertThat(run.err()).contains(partial.getFileName() + ": left by an interrupted call, may be the only copy");
        assertThat(decoded(file)).isEqualTo(RAW);
        assertThat(ToolRun.of("info", file).text()).contains("warpcodec, version 1");
        assertThat(names()).containsExactly(partial.getFileName().toString(), "a.gz");
    }

    /** A store whose copy is neither the old file nor the new one. */
    @Test
    void aFileThatIsNeitherOldNorNewIsNotTakenForDone() throws IOException {
        byte[] old = Files.readAllBytes(file);
        Path aside = Files.write(left(Leftover.Kind.REPLACED), old);
        byte[] damaged = ToolRun.fed(RAW, "compress").out();
        Arrays.fill(damaged, damaged.length / 2, damaged.length, (byte) 0);
        Files.write(file, damaged);
        ToolRun run = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(file));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(aside.getFileName() + ": left by an interrupted call, may be the only copy");
        assertThat(aside).hasBinaryContent(old);
        assertThat(file).hasBinaryContent(damaged);
    }

    @Test
    void aFileThatAnotherProcessMakesMeanwhileIsNotReplaced() throws IOException {
        Path theirs = folder.resolve("a.zst");
        ScriptedFileSystem.meanwhile = () -> {
            try {
                Files.writeString(theirs, "written by another process");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        };
        ToolRun run = ToolRun.of("recompress", "--format", "zstd", ScriptedFileSystem.uri(file));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(theirs).hasContent("written by another process");
        assertThat(decoded(file)).isEqualTo(RAW);
        assertThat(names()).containsExactly("a.gz", "a.zst");
    }

    /** Between the two renames of a replacement its name is free. */
    @Test
    void aFileThatTakesTheNameInTheGapStaysAndSoDoesTheOldOne() throws IOException {
        byte[] old = Files.readAllBytes(file);
        ScriptedFileSystem.rename = (from, to, disk) -> {
            boolean done = disk.rename();
            Files.writeString(file, "written by another process");
            return done;
        };
        ToolRun run = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(file));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("the file as it was is .a.gz.replaced-");
        for (int call = 0; call < 3; call++) {
            ToolRun again = ToolRun.of("recompress", "--format", "gzip", ScriptedFileSystem.uri(file));
            assertThat(again.exit()).isEqualTo(1);
            assertThat(again.err()).contains("may be the only copy");
            assertThat(file).hasContent("written by another process");
            String aside = names().stream()
                    .filter(name -> name.startsWith(".a.gz.replaced-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(folder.resolve(aside)).hasBinaryContent(old);
        }
    }

    @Test
    void theOutputIsPrivateWhileItIsWritten() {
        ToolRun.of("recompress", "--format", "zstd", ScriptedFileSystem.uri(file));
        assertThat(ScriptedFileSystem.created.toShort()).isEqualTo((short) 0600);
    }
}
