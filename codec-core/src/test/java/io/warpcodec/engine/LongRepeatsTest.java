package io.warpcodec.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.GpuStreams;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What repeats is counted out, and nothing else. */
class LongRepeatsTest {
    private static final int FRAME_BYTES = 8 << 20;

    private static double share(byte[] frame) {
        return (double) LongRepeats.otherBytes(ByteBuffer.wrap(frame)) / frame.length;
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }

    private static byte[] periodic(int bytes, int period) {
        byte[] once = noise(period);
        byte[] all = new byte[bytes];
        for (int at = 0; at < bytes; at++) {
            all[at] = once[at % period];
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 100, 255, 4096, 5000, 70_000, 100_000})
    void periodsTakeNextToNothing(int period) {
        assertThat(share(periodic(FRAME_BYTES, period))).isLessThan(0.13);
    }

    /** Longer periods are seen where samples lie a period apart, in part. */
    @ParameterizedTest
    @CsvSource({"300000, 0.5", "1000000, 0.9"})
    void longPeriodsAreSeenInPart(int period, double most) {
        assertThat(share(periodic(FRAME_BYTES, period))).isLessThan(most);
    }

    @Test
    void noiseAndTextAreWhole() {
        assertThat(share(noise(FRAME_BYTES))).isEqualTo(1);
        assertThat(share(GpuStreams.text(FRAME_BYTES, 3))).isGreaterThan(0.95);
    }

    @Test
    void halfOfAFrameIsHalf() {
        byte[] frame = noise(FRAME_BYTES);
        Arrays.fill(frame, 0, FRAME_BYTES / 2, (byte) 'z');
        assertThat(share(frame)).isBetween(0.4, 0.6);
    }

    /** A match counts from 256 bytes on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 15, 16, 100, 1000, 65_536, 131_071, 131_072, 131_073, 1_100_000})
    void anyLengthIsBounded(int bytes) {
        assertThat(LongRepeats.otherBytes(ByteBuffer.wrap(noise(bytes)))).isEqualTo(bytes);
        assertThat(LongRepeats.otherBytes(ByteBuffer.wrap(new byte[bytes]))).isBetween(0, Math.max(271, bytes / 8));
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes);
        assertThat(LongRepeats.otherBytes(direct)).isEqualTo(LongRepeats.otherBytes(ByteBuffer.wrap(new byte[bytes])));
    }

    @Test
    void nothingIsNothing() {
        assertThat(LongRepeats.otherBytes(ByteBuffer.allocate(0))).isZero();
    }
}
