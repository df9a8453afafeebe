package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The seventh format on the command line. */
class StoreToolTest {
    @TempDir
    Path folder;

    @Test
    void theToolKnowsTheFormat() throws IOException {
        byte[] raw = Samples.text(300_000);
        Path file = Files.write(folder.resolve("lines.txt"), raw);
        Path stored = folder.resolve("lines.txt.store");
        assertThat(ToolRun.of("compress", "--format", "store", file).exit()).isZero();
        assertThat(ToolRun.of("verify", stored).exit()).isZero();
        ToolRun info = ToolRun.of("info", "--json", stored);
        assertThat(new String(info.out(), StandardCharsets.UTF_8))
                .contains("stored units", "CRC-32", "\"splittable\": true");
        // and without its name
        assertThat(ToolRun.fed(Files.readAllBytes(stored), "decompress", "-").out())
                .isEqualTo(raw);
        assertThat(ToolRun.of("decompress", stored).exit()).isZero();
        assertThat(file).hasBinaryContent(raw);
    }
}
