package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * File systems that cannot sync a folder, and disks that fail at it. Needs strace, which makes the system's call fail.
 */
class SyncTest {

    @TempDir
    Path folder;

    /** The first sync is the file's, the second its folder's. */
    @ParameterizedTest
    @CsvSource({"EINVAL, 0", "EIO, 1"})
    void onlyAFolderThatCannotBeSyncedAtAllIsForgiven(String error, int exit) throws Exception {
        Path file = Files.write(folder.resolve("a"), Samples.text(1_000));
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync"));
        command.addAll(List.of("-e", "inject=fsync:error=" + error + ":when=2"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.warpcodec.cli.Main"));
        command.addAll(List.of("compress", "--engine", "cpu", file.toString()));
        ToolProcess run = runOrSkip(command);
        Assumptions.assumeFalse(run.err().startsWith("strace:"), run.err());
        assertThat(run.exit()).as(run.err()).isEqualTo(exit);
        assertThat(Files.exists(file)).isEqualTo(exit != 0);
        assertThat(folder.resolve("a.gz")).exists();
    }

    private static ToolProcess runOrSkip(List<String> command) throws InterruptedException {
        try {
            return ToolProcess.run(command, Map.of());
        } catch (IOException noStrace) {
            Assumptions.abort("there is no strace");
            throw new IllegalStateException(noStrace);
        }
    }
}
