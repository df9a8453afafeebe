package io.warpcodec.engine.gpu.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.metrics.Metrics;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short soak over the scripted driver. */
class SoakTest {
    @Test
    void aShortSoakWithFaultsIsClean(@TempDir Path folder) throws Exception {
        long faultsBefore = Metrics.sum("fallback.", "driver-error");
        Path marks = folder.resolve("soak.csv");
        assertThat(Soak.run(
                        "--driver", "scripted",
                        "--minutes", "0.07",
                        "--threads", "4",
                        "--largest", "1048576",
                        "--fault-every", "2",
                        "--driver-fault-every", "50",
                        "--out", marks.toString()))
                .isEmpty();
        assertThat(Metrics.sum("fallback.", "driver-error")).isGreaterThan(faultsBefore);
        // a head and a mark: how many more there are in the time, the machine decides
        assertThat(Files.readAllLines(marks)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aShortSoakThroughAServiceIsClean(@TempDir Path folder) throws Exception {
        long chunks = Metrics.sum("", ".gpu.chunks");
        assertThat(Soak.run(
                        "--driver", "scripted",
                        "--node", "true",
                        "--minutes", "0.07",
                        "--threads", "4",
                        "--largest", "1048576",
                        "--fault-every", "2",
                        "--driver-fault-every", "50",
                        "--out", folder.resolve("soak.csv").toString()))
                .isEmpty();
        assertThat(Metrics.sum("", ".gpu.chunks")).isGreaterThan(chunks);
    }
}
