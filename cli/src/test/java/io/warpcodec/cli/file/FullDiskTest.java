package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full or may not be written: one line, nothing lost, nothing left behind. */
class FullDiskTest {

    private static final int USAGE_OR_IO = 1;

    @TempDir
    Path folder;

    @Test
    void fullDiskKeepsTheInputAndRemovesThePartialOutput() throws Exception {
        try (MountedFolder disk = MountedFolder.tmpfs(folder, "size=512k")) {
            byte[] raw = Samples.noise(300_000);
            Path file = Files.write(disk.folder().resolve("noise"), raw);
            ToolRun run = ToolRun.of("compress", file);
            assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
            assertThat(run.complaints()).hasSize(1);
            assertThat(run.err())
                    .containsIgnoringCase(file + ".gz: no space left on device")
                    .containsPattern("at offset \\d+");
            assertThat(file).hasBinaryContent(raw);
            assertThat(disk.folder().toFile().list()).containsExactly("noise");
        }
    }

    @Test
    void readOnlyDiskKeepsTheInput() throws Exception {
        try (MountedFolder disk = MountedFolder.tmpfs(folder, "size=512k")) {
            byte[] raw = Samples.text(1_000);
            Path file = Files.write(disk.folder().resolve("lines"), raw);
            disk.makeReadOnly();
            ToolRun run = ToolRun.of("compress", file);
            assertThat(run.exit()).isEqualTo(USAGE_OR_IO);
            assertThat(run.complaints()).hasSize(1);
            assertThat(run.err()).contains(file + ".gz: ").containsIgnoringCase("read-only");
            assertThat(file).hasBinaryContent(raw);
        }
    }
}
