package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long TURN = 1_000_000_000;

    private final Silence silence = new Silence(TURN, 0);

    @Test
    void wakingOftenIsNoSilence() throws Exception {
        for (long now = 0; now < TURN; now += TURN / 1000) {
            assertThat(silence.lasts(now)).isFalse();
        }
        assertThat(silence.lasts(TURN)).isTrue();
    }

    @Test
    void aPauseOfThisProcessIsOneTurn() throws Exception {
        assertThat(silence.lasts(100 * TURN)).isTrue();
        assertThat(silence.lasts(100 * TURN + 1)).isFalse();
    }

    @Test
    void tenTurnsAreToleratedAndAWordEndsThem() throws Exception {
        for (int turn = 1; turn <= 10; turn++) {
            assertThat(silence.lasts(turn * TURN)).isTrue();
        }
        silence.end(10 * TURN);
        for (int turn = 11; turn <= 20; turn++) {
            assertThat(silence.lasts(turn * TURN)).isTrue();
        }
        assertThatThrownBy(() -> silence.lasts(21 * TURN)).hasMessage("the service has been silent for 10 s");
    }
}
