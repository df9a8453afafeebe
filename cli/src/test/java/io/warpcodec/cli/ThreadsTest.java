package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool's {@code --threads}: faster where there are processors, never another byte. */
class ThreadsTest {

    @TempDir
    Path folder;

    @AfterEach
    void oneThreadAgain() {
        Engines.useCpuThreads(1);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void anyNumberOfThreadsWritesTheSameFileAndReadsIt(Format format) throws IOException {
        byte[] raw = Samples.text(5 * format.defaultChunkBytes() + 3);
        Path file = Files.write(folder.resolve("lines"), raw);
        byte[] one = ToolRun.of("compress", "--threads", "1", "-c", "--format", format.word(), file)
                .out();
        assertThat(Engines.selector().cpu().isAsynchronous()).isFalse();
        byte[] four = ToolRun.of("compress", "--threads", "4", "-c", "--format", format.word(), file)
                .out();
        assertThat(Engines.selector().cpu().isAsynchronous()).isTrue();
        assertThat(four).isEqualTo(one);

        Path compressed = Files.write(folder.resolve("lines" + format.suffix()), one);
        assertThat(ToolRun.of("verify", "--threads", "4", compressed).exit()).isZero();
        assertThat(ToolRun.of("decompress", "--threads", "4", "-c", compressed).out())
                .isEqualTo(raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threads 0", "-T0", "-T 2", "-p 4", "-p2", "--threads=3"})
    void otherToolsWordsForThreadsAreTaken(String words) throws IOException {
        byte[] raw = Samples.text(1_000_000);
        Path file = Files.write(folder.resolve("lines"), raw);
        assertThat(ToolRun.of((Object[]) ("compress " + words + " " + file).split(" "))
                        .complaints())
                .isEmpty();
        Path output = folder.resolve("lines.gz");
        assertThat(ToolRun.of((Object[]) ("-d " + words + " " + output).split(" "))
                        .complaints())
                .isEmpty();
        assertThat(file).hasBinaryContent(raw);
    }
}
