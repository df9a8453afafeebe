package io.warpcodec.format.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The first run-length coding of bzip2, undone in pieces of every size. */
class Bzip2RunsTest {
    private static final long SEED = 20_260_101;

    /** As the format says it: plain and slow. Null where a run's length is missing. */
    private static byte[] expanded(byte[] text) {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        int run = 0;
        for (int i = 0; i < text.length; i++) {
            run = run > 0 && text[i] == text[i - 1] ? run + 1 : 1;
            raw.write(text[i]);
            if (run == 4) {
                if (i + 1 == text.length) {
                    return null;
                }
                byte value = text[i];
                for (int more = text[++i] & 0xff; more > 0; more--) {
                    raw.write(value);
                }
                run = 0;
            }
        }
        return raw.toByteArray();
    }

    /** Short and long ones, with many runs and with few. */
    private static byte[] text(Random random) {
        byte[] text = new byte[random.nextInt(random.nextInt(20) == 0 ? 4000 : 60)];
        int values = 2 + random.nextInt(4);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(values));
        }
        return text;
    }

    @Test
    void everyPieceSizeGivesTheSameBytes() {
        Random random = new Random(SEED);
        int whole = 0;
        for (int round = 0; round < 1000; round++) {
            byte[] text = text(random);
            byte[] expected = expanded(text);
            // what stands behind the text does not count
            byte[] longer = Arrays.copyOf(text, text.length + 3);
            for (int pieceBytes : new int[] {1, 2, 3, 7, 10, 11, 12, 19, 23, 100, 1 << 16}) {
                Bzip2Runs runs = new Bzip2Runs(longer, text.length);
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                byte[] piece = new byte[pieceBytes + 2];
                while (!runs.ended()) {
                    assertThat(runs.leastBytesLeft()).isPositive();
                    int count = runs.read(piece, 1, 1 + pieceBytes);
                    assertThat(count).isBetween(runs.ended() ? 0 : pieceBytes, pieceBytes);
                    assertThat(piece[0]).as("in front").isZero();
                    assertThat(piece[1 + pieceBytes]).as("behind").isZero();
                    got.write(piece, 1, count);
                }
                assertThat(runs.isCutShort())
                        .as("seed %d, round %d", SEED, round)
                        .isEqualTo(expected == null);
                if (expected != null) {
                    assertThat(Arrays.equals(got.toByteArray(), expected))
                            .as("seed %d, round %d, pieces of %d", SEED, round, pieceBytes)
                            .isTrue();
                    whole++;
                }
            }
        }
        assertThat(whole).isGreaterThan(1000);
    }
}
