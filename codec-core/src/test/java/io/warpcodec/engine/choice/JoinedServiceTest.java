package io.warpcodec.engine.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Format;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a session waits for a service that has just been found. */
class JoinedServiceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BYTES = 100_000_000;

    private final ScriptedProcess process = new ScriptedProcess();
    private final List<Long> waits = new ArrayList<>();
    private Found there = new Found(new Service(), null);
    private final AcceleratorStart start =
            new AcceleratorStart(() -> new Found(new Service(), null), () -> there, () -> null, process);

    private final class Service extends ForwardingEngine {
        @Override
        public boolean awaitStart(long timeoutNanos) throws InterruptedException {
            waits.add(timeoutNanos);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return false;
        }
    }

    @AfterEach
    void forget() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @EnumSource
    void aSessionWaitsNoLongerThanDevicesSaveOfItAndOnce(Format format) throws Exception {
        long saving = StartCosts.expectedSavingNanos(format, BYTES);
        start.awaitIfWorth(format, BYTES);
        assertThat(waits).isEqualTo(saving == 0 ? List.of() : List.of(saving));
        start.awaitIfWorth(format, BYTES);
        assertThat(waits).as("found before").hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void noneWaitsOfWhichDevicesSaveLessThanJoiningCosts() throws Exception {
        for (long bytes = 0;
                StartCosts.expectedSavingNanos(Format.GZIP, bytes) < StartCosts.JOINING_NANOS;
                bytes += 1_000_000) {
            start.awaitIfWorth(Format.GZIP, bytes);
            assertThat(start.known()).isNull();
        }
        assertThat(waits).isEmpty();
    }

    /** What the process has done pays for joining; this session saves nothing. */
    @Test
    void aSessionThatIsShortJoinsWithoutWaiting() throws Exception {
        process.saved(100 * SECOND);
        process.lived(1000 * SECOND);
        start.awaitIfWorth(Format.GZIP, 1);
        assertThat(start.known()).isSameAs(there);
        assertThat(waits).isEmpty();
    }

    @Test
    void noneWaitsForAServiceThatIsNotThere() throws Exception {
        there = null;
        start.awaitIfWorth(Format.GZIP, BYTES);
        assertThat(waits).isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedMeanwhileStaysSo() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> start.awaitIfWorth(Format.GZIP, BYTES)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(waits).hasSize(1);
    }
}
