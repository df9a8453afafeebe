package io.warpcodec.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a service's process starts again. Times are the test's. */
class RestartPausesTest {
    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

    private final RestartPauses pauses = new RestartPauses(1000);

    private long[] afterShortLives(int count) {
        return LongStream.range(0, count).map(life -> pauses.after(life, false)).toArray();
    }

    @Test
    void eachIsTwiceAsLongUpToAMinute() {
        assertThat(afterShortLives(8)).containsExactly(1000, 2000, 4000, 8000, 16_000, 32_000, MINUTE, MINUTE);
    }

    @Test
    void aLifeOfMoreThanAMinuteEndsTheRow() {
        afterShortLives(8);
        assertThat(pauses.after(MINUTE, false)).isEqualTo(MINUTE);
        assertThat(pauses.after(MINUTE + 1, false)).isEqualTo(1000);
        assertThat(afterShortLives(2)).containsExactly(2000, 4000);
    }

    @Test
    void whileAProcessCannotBeKilledOneStartsEachMinuteWhateverItsLife() {
        assertThat(LongStream.of(0, 1, MINUTE, 10 * MINUTE).map(life -> pauses.after(life, true)))
                .containsOnly(MINUTE);
        assertThat(pauses.after(0, false)).isEqualTo(MINUTE);
    }
}
