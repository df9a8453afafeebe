package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.file.MountedFolder;
import io.warpcodec.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A temporary folder that is mounted noexec: native libraries cannot be loaded, one line says what to do, files that
 * need none go on.
 */
class NoexecTest {

    @TempDir
    Path folder;

    @TempDir
    Path temporary;

    @Test
    void eachFileThatNeedsANativeLibraryFailsWithOneLineAndTheOthersGoOn() throws Exception {
        Path zstd = Files.write(
                folder.resolve("a.zst"),
                ToolRun.fed(Samples.text(1_000), "compress", "--format", "zstd", "-")
                        .out());
        Path again = Files.copy(zstd, folder.resolve("b.zst"));
        Path snappy = Files.write(
                folder.resolve("c.snappy"),
                ToolRun.fed(Samples.text(1_000), "compress", "--format", "snappy", "-")
                        .out());
        Path gzip = Files.write(
                folder.resolve("d.gz"),
                ToolRun.fed(Samples.text(1_000), "compress", "-").out());
        try (MountedFolder disk = MountedFolder.tmpfs(temporary, "noexec,size=16m")) {
            ToolProcess run = ToolProcess.with(List.of("-Djava.io.tmpdir=" + disk.folder()))
                    .run("verify", zstd, again, snappy, gzip);
            assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err().lines())
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line)
                            .contains("the native library cannot be loaded")
                            .contains(disk.folder().toString())
                            .contains("-Djava.io.tmpdir=FOLDER"));
            assertThat(run.err().lines().toList().get(0))
                    .startsWith("warpcodec: " + zstd + ": ")
                    .contains("-DZstdNativePath=FILE");
            assertThat(run.err().lines().toList().get(1))
                    .startsWith("warpcodec: " + again + ": ")
                    .contains("-DZstdNativePath=FILE");
            assertThat(run.err().lines().toList().get(2))
                    .startsWith("warpcodec: " + snappy + ": ")
                    .contains("-Dorg.xerial.snappy.lib.path=FOLDER");
            assertThat(run.text()).isEqualTo(gzip + ": ok, gzip, 1000 bytes\n");

            ToolProcess doctor = ToolProcess.with(List.of("-Djava.io.tmpdir=" + disk.folder()))
                    .run("doctor");
            assertThat(doctor.exit()).isZero();
            assertThat(doctor.text()).contains("  executable: false").contains("mounted noexec");
        }
    }

    @Test
    void doctorFindsNothingWrongWithAnOrdinaryFolder() {
        assertThat(ToolRun.of("doctor").text()).contains("  executable: true");
    }
}
