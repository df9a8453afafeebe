package io.warpcodec.benchmarks.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BaselinePointTest {
    private static final BaselinePoint POINT = new BaselinePoint(
            CodecPair.GZ, "read", "own", 1, List.of(100.0, 10.0, 110.0, 120.0), List.of(50.0, 10.0, 100.0, 100.0));

    @Test
    void speedIsTheMeanOfTheMiddleHalf() {
        assertThat(POINT.megabytesPerSecond(Side.OURS)).isEqualTo(105.0);
        assertThat(POINT.megabytesPerSecond(Side.STOCK)).isEqualTo(75.0);
    }

    @Test
    void ratioComparesNeighbouringSlices() {
        assertThat(POINT.ratioQuartile(1)).isEqualTo(1.1);
        assertThat(POINT.ratioQuartile(3)).isEqualTo(1.2);
    }
}
