package io.warpcodec.engine.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a process in mode auto joins a service that is there. */
class JoiningTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MEGABYTE = 1_000_000;

    private final ScriptedProcess process = new ScriptedProcess();
    private final AtomicInteger looks = new AtomicInteger();
    private final AcceleratorStart start = new AcceleratorStart(this::search, this::look, () -> process, process);
    private final EngineSelector engines = new EngineSelector(new Cpu(), start);

    private static final class Cpu extends ForwardingEngine {}

    private static final class Served extends ForwardingEngine {}

    private Found look() {
        looks.incrementAndGet();
        return new Found(new Served(), null);
    }

    private Found search() {
        throw new AssertionError("devices of its own");
    }

    private String chosen() throws IOException {
        return engines.choose(Format.LZ4, Direction.DECODE, AUTO).name();
    }

    @Test
    void aTaskThatDoesLittleDoesNotLook() throws IOException {
        process.saved(249 * MILLISECOND);
        process.lived(10_000 * MILLISECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 16 * MEGABYTE).name())
                .isEqualTo("Cpu");
        assertThat(looks).hasValue(0);
    }

    @Test
    void aYoungOneDoesNotLook() throws IOException {
        process.saved(1000 * MILLISECOND);
        process.lived(2499 * MILLISECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(looks).hasValue(0);
    }

    @Test
    void oneThatIsOlderAndHasDoneMoreJoins() throws IOException {
        process.saved(250 * MILLISECOND);
        process.lived(2500 * MILLISECOND);
        assertThat(chosen()).isEqualTo("Served");
        assertThat(looks).hasValue(1);
    }

    @Test
    void oneThatIsSaidToLiveLongJoinsWithItsFirstBatch() throws IOException {
        start.expectLongLife();
        assertThat(chosen()).isEqualTo("Served");
    }

    @ParameterizedTest
    @EnumSource
    void aSessionJoinsFirstIfItIsKnownToBeLong(Format format) throws IOException {
        boolean deflate = format == Format.GZIP || format == Format.ZLIB;
        assertThat(engines.chooseForSession(format, AUTO, 17 * MEGABYTE).name()).isEqualTo(deflate ? "Served" : "Cpu");
    }

    @Test
    void whatIsNotThereIsLookedForEverySecondAtMost() throws IOException {
        AcceleratorStart absent = new AcceleratorStart(
                () -> new Found(null, FallbackReason.NO_DRIVER),
                () -> {
                    looks.incrementAndGet();
                    return null;
                },
                () -> null,
                process);
        process.saved(1000 * MILLISECOND);
        process.lived(10_000 * MILLISECOND);
        long begun = System.nanoTime();
        for (int batch = 0; batch < 1000; batch++) {
            absent.consider();
        }
        long most = 1 + (System.nanoTime() - begun) / AcceleratorStart.LOOK_NANOS;
        assertThat((long) looks.get()).isBetween(1L, most);
    }
}
