package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An output has its input's time; before 1970 in whole seconds, since the JDK sets no fractions there. */
class InheritedTimesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "1901-12-13T20:45:52.75Z, 1901-12-13T20:45:52Z",
        "1960-01-01T00:00:00.25Z, 1960-01-01T00:00:00Z",
        "1960-01-01T00:00:00Z, 1960-01-01T00:00:00Z",
        "1969-12-31T23:59:59.5Z, 1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00.25Z, 1970-01-01T00:00:00.25Z",
        "2026-11-27T01:02:03.123456Z, 2026-11-27T01:02:03.123456Z",
        "2240-01-01T00:00:00.5Z, 2240-01-01T00:00:00.5Z"
    })
    void timesOfAllCenturies(String given, Instant kept) throws Exception {
        Path file = Files.write(folder.resolve("a"), new byte[100]);
        touch(file, given);
        assertThat(ToolRun.of("compress", "-k", file).exit()).isZero();
        assertThat(Files.getLastModifiedTime(folder.resolve("a.gz")).toInstant())
                .isEqualTo(kept);
    }

    /** By another program: the JDK cannot give a file such times. */
    private static void touch(Path file, String time) throws IOException, InterruptedException {
        Process touch = new ProcessBuilder("touch", "-d", time, file.toString()).start();
        assertThat(touch.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(touch.exitValue()).isZero();
    }
}
