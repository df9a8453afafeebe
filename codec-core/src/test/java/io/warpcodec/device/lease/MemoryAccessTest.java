package io.warpcodec.device.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryAccessTest {
    private final MemoryAccess access = new MemoryAccess();

    @Test
    void oneThreadAtATimeTouchesTheMemory() {
        assertThat(access.tryBegin()).isTrue();
        assertThat(access.tryBegin()).isFalse();
        assertThat(access.tryClose()).isFalse();
        assertThat(access.end()).isFalse();
        assertThat(access.tryBegin()).isTrue();
    }

    @Test
    void whoClosesGivesTheMemoryBackOnce() {
        assertThat(access.close()).isTrue();
        assertThat(access.close()).isFalse();
        assertThat(access.tryClose()).isFalse();
        assertThat(access.tryBegin()).isFalse();
    }

    @Test
    void aThreadThatTouchesItGivesItBackHoweverOftenItIsClosedMeanwhile() {
        assertThat(access.tryBegin()).isTrue();
        for (int close = 0; close < 3; close++) {
            assertThat(access.close()).as("no call waits for the thread").isFalse();
        }
        assertThat(access.end()).isTrue();
        assertThat(access.tryBegin()).isFalse();
        assertThat(access.close()).isFalse();
    }
}
