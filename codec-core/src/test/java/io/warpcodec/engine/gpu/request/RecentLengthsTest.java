package io.warpcodec.engine.gpu.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentLengthsTest {
    private final RecentLengths lengths = new RecentLengths();

    private void add(int count, int bytes) {
        for (int index = 0; index < count; index++) {
            lengths.add(bytes);
        }
    }

    @Test
    void nothingIsLikelyBeforeThereAreEnough() {
        assertThat(lengths.likely(Integer.MAX_VALUE)).isZero();
        add(4, 1000);
        assertThat(lengths.likely(Integer.MAX_VALUE)).isZero();
        add(1, 900);
        assertThat(lengths.likely(Integer.MAX_VALUE)).isEqualTo(900);
    }

    @Test
    void threeOfFourAreNotLonger() {
        for (int index = 1; index <= RecentLengths.COUNT; index++) {
            lengths.add(index * 100);
        }
        assertThat(lengths.likely(Integer.MAX_VALUE)).isEqualTo(1200);
    }

    @Test
    void aFewLongOnesChangeNothing() {
        add(RecentLengths.COUNT, 900_000);
        add(4, 40_000_000);
        assertThat(lengths.likely(4_000_000)).isEqualTo(900_000);
        add(1, 40_000_000);
        assertThat(lengths.likely(4_000_000)).isZero();
        assertThat(lengths.likely(40_000_000)).isEqualTo(40_000_000);
    }

    @Test
    void theOldestAreForgotten() {
        add(RecentLengths.COUNT, 2_000_000);
        add(RecentLengths.COUNT - 5, 900_000);
        assertThat(lengths.likely(4_000_000)).isEqualTo(2_000_000);
        add(1, 900_000);
        assertThat(lengths.likely(4_000_000)).isEqualTo(900_000);
    }
}
