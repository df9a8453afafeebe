package io.warpcodec.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What cannot be written is an error with its reason; but a reader that has seen enough ends the call without a word.
 */
class StandardOutputTest {

    private static final byte[] RAW = Samples.text(400_000);

    @TempDir
    Path folder;

    private Path gzip(String name) throws IOException {
        return Files.write(folder.resolve(name), RecompressTest.plainGzip(RAW));
    }

    private Object[] call(String words) throws IOException {
        Path file = gzip("a.gz");
        return Stream.of(words.split(" "))
                .map(word -> word.equals("FILE") ? file.toString() : word)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compress -c FILE",
                "decompress -c FILE",
                "-dc FILE",
                "verify FILE",
                "info FILE",
                "info --json FILE",
                "-l FILE",
                "recompress -k --format zstd FILE",
                "index FILE",
                "doctor",
                "classpath",
                "--help",
                "compress --help",
                "--version"
            })
    void aFullDiskBehindStandardOutputIsNamed(String words) throws IOException {
        try (OutputStream full = new FileOutputStream("/dev/full")) {
            ToolRun run = ToolRun.into(full, new byte[0], call(words));
            assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err())
                    .containsIgnoringCase("(standard output)")
                    .containsIgnoringCase("no space left on device");
        }
        assertThat(folder.resolve("a.gz")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress", "decompress"})
    void aFullDeviceAsOutputIsNamed(String verb) throws IOException {
        ToolRun run = ToolRun.of(verb, "-o", "/dev/full", gzip("a.gz"));
        assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).containsIgnoringCase("/dev/full: no space left on device");
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress -c FILE", "decompress -c FILE", "verify FILE", "info FILE", "-l FILE", "--help"})
    void aReaderThatHasLeftEndsTheCallWithoutAWord(String words) throws IOException {
        OutputStream left = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ToolRun run = ToolRun.into(left, new byte[0], call(words));
        assertThat(run.exit()).isEqualTo(ExitCode.NO_READER);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void filesBehindTheOneThatNoReaderWantedAreNotOpened() throws IOException {
        OutputStream left = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ToolRun run = ToolRun.into(left, new byte[0], "info", gzip("a.gz"), folder.resolve("absent"));
        assertThat(run.exit()).isEqualTo(ExitCode.NO_READER);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aPipeToHeadEndsAsTheShellExpects() throws Exception {
        Path bash = Path.of("/bin/bash");
        Assumptions.assumeTrue(Files.isExecutable(bash), "bash is not installed");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // in a language that has its own words for a broken pipe, where the system knows it
        ToolProcess run = ToolProcess.run(
                List.of(
                        bash.toString(),
                        "-c",
                        "'" + java + "' -cp \"$CLASSES\" io.warpcodec.cli.Main -dc '" + gzip("a.gz")
                                + "' | head -n 1; echo ${PIPESTATUS[0]}"),
                Map.of("CLASSES", System.getProperty("java.class.path"), "LANGUAGE", "de"));
        assertThat(run.err()).isEmpty();
        assertThat(run.text())
                .isEqualTo(new String(RAW, UTF_8).lines().findFirst().orElseThrow() + "\n141\n");
    }
}
