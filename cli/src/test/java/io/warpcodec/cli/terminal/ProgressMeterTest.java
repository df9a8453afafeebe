package io.warpcodec.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Progress is one line with speed and time left, on a terminal alone. */
class ProgressMeterTest {

    private static final long TOTAL = 200_000_000;

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private PrintStream errBefore;

    @BeforeEach
    void catchStandardError() {
        errBefore = System.err;
        System.setErr(new PrintStream(screen, true, UTF_8));
    }

    @AfterEach
    void giveStandardErrorBack() {
        System.setErr(errBefore);
    }

    private String shown(String streams, String... options) {
        System.setProperty(Terminal.PROPERTY, streams);
        SpeechOption speech = new SpeechOption();
        new CommandLine(new Quiet(speech)).parseArgs(options);
        AtomicLong done = new AtomicLong();
        try (ProgressMeter meter = new ProgressMeter(speech, "a.gz", done::get, TOTAL, Duration.ZERO)) {
            for (int i = 0; i < 4; i++) {
                done.addAndGet(TOTAL / 8);
                meter.update();
            }
            meter.close();
            meter.update();
        }
        return screen.toString(UTF_8);
    }

    @CommandLine.Command
    private record Quiet(@CommandLine.Mixin SpeechOption speech) {}

    @Test
    void aTerminalHasOneLineThatGoes() {
        String shown = shown("err");
        assertThat(shown).endsWith("\r\u001b[K").doesNotContain("\n");
        assertThat(shown).contains("a.gz").contains("MB/s").contains("100/200 MB");
    }

    @Test
    void aPipeHasNone() {
        assertThat(shown("in,out")).isEmpty();
    }

    @Test
    void quietHasNone() {
        assertThat(shown("err", "-q")).isEmpty();
    }
}
