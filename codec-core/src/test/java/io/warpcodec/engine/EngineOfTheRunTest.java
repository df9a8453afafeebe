package io.warpcodec.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run on a test engine proves something, or fails. */
class EngineOfTheRunTest {
    private final EngineOfTheRun run = new EngineOfTheRun();

    private void open(String engine) {
        System.setProperty("warpcodec.test.engine", engine);
        run.launcherSessionOpened(null);
        assertThat(Engines.selector().accelerator()).isNotNull();
    }

    private static void roundTrip() throws IOException {
        byte[] raw = new byte[300_000];
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(file, Format.LZ4, CodecOptions.DEFAULTS)) {
            out.write(raw);
        }
        try (ChunkedInputStream in = new ChunkedInputStream(
                new ByteArrayInputStream(file.toByteArray()), Format.LZ4, CodecOptions.DEFAULTS)) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cranky", "scripted-gpu", "scripted-node"})
    void aRunWhoseEngineDidNothingFails(String engine) {
        open(engine);
        assertThatThrownBy(() -> run.launcherSessionClosed(null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(engine)
                .hasMessageContaining("did nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cranky", "scripted-gpu", "scripted-node"})
    void aRunWhoseEngineWorkedPasses(String engine) throws IOException {
        open(engine);
        roundTrip();
        run.launcherSessionClosed(null);
    }

    @Test
    void whatStaysLentFails() {
        assertThatThrownBy(() -> Drained.await("leases", () -> 3, TimeUnit.MILLISECONDS.toNanos(20)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("3 leases were not given back");
    }
}
