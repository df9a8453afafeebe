package io.warpcodec.format.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Bzip2TextCutTest {
    /** The definition: whole runs of up to 255, of which four bytes and more have a byte for the rest. */
    private static int plainly(byte[] raw, int from, int most, int textLimit) {
        int text = 0;
        int at = from;
        while (at < from + most) {
            int run = 1;
            while (run < 255 && at + run < from + most && raw[at + run] == raw[at]) {
                run++;
            }
            text += run >= 4 ? 5 : run;
            if (text > textLimit) {
                return at - from;
            }
            at += run;
        }
        return most;
    }

    private static void check(byte[] raw, int from, int most, int textLimit) {
        int expected = plainly(raw, from, most, textLimit);
        assertThat(Bzip2TextCut.fitting(ByteBuffer.wrap(raw), from, most, textLimit))
                .as("heap, from %d, %d bytes, text of %d", from, most, textLimit)
                .isEqualTo(expected);
        ByteBuffer direct = ByteBuffer.allocateDirect(raw.length).put(0, raw);
        assertThat(Bzip2TextCut.fitting(direct, from, most, textLimit))
                .as("direct")
                .isEqualTo(expected);
    }

    /** Runs of random lengths, most of them short. */
    private static byte[] runs(Random random, int bytes, int longest) {
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; ) {
            int run = 1 + random.nextInt(longest);
            Arrays.fill(raw, at, Math.min(bytes, at + run), (byte) random.nextInt(3));
            at += run;
        }
        return raw;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 8, 40, 600})
    void asManyBytesFitAsTheirTextAllows(int longest) {
        Random random = new Random(longest);
        for (int round = 0; round < 4000; round++) {
            int from = random.nextInt(9);
            byte[] raw = runs(random, from + 1 + random.nextInt(300), longest);
            int most = raw.length - from;
            check(raw, from, most, 5 + random.nextInt(most + most / 3 + 1));
        }
    }

    /** The text of runs of four is a quarter longer: the worst that there is. */
    @Test
    void runsOfFourFillABlockEarly() {
        byte[] raw = new byte[900_000];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (at / 4);
        }
        check(raw, 0, raw.length, 899_980);
        assertThat(Bzip2TextCut.fitting(ByteBuffer.wrap(raw), 0, raw.length, 899_980))
                .isEqualTo(719_984);
        check(raw, 3, 100_000, 124_999);
        check(raw, 3, 100_000, 125_001);
    }

    @Test
    void otherTextFillsItWithItsLastByte() {
        byte[] noise = new byte[900_000];
        new Random(5).nextBytes(noise);
        check(noise, 0, 889_992, 899_980);
        check(noise, 0, 900_000, 899_980);
        check(new byte[900_000], 0, 900_000, 899_980);
        check(new byte[900_000], 0, 900_000, 5);
    }
}
