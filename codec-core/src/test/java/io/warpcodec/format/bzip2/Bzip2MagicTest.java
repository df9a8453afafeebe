package io.warpcodec.format.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search for magics, against a search that looks at each bit. */
class Bzip2MagicTest {
    private static final long BLOCK = 0x314159265359L;
    private static final long END = 0x177245385090L;

    /** Of an array from its middle on, and outside the heap. */
    private static ByteBuffer[] buffers(byte[] bytes) {
        ByteBuffer within = ByteBuffer.allocate(bytes.length + 20);
        within.put(13, bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        return new ByteBuffer[] {
            within.slice(13, bytes.length), direct, ByteBuffer.wrap(bytes).asReadOnlyBuffer()
        };
    }

    private static void put(byte[] bytes, int bit, long magic) {
        for (int index = 0; index < 48; index++) {
            int at = bit + index;
            int mask = 0x80 >>> (at & 7);
            boolean set = (magic >>> 47 - index & 1) != 0;
            bytes[at >>> 3] = (byte) (set ? bytes[at >>> 3] | mask : bytes[at >>> 3] & ~mask);
        }
    }

    private static int findSlowly(byte[] bytes, int fromBit) {
        BigInteger all = new BigInteger(1, bytes);
        int bits = 8 * bytes.length;
        for (int bit = fromBit; bit + 48 <= bits; bit++) {
            long window = all.shiftRight(bits - 48 - bit).longValue() & (1L << 48) - 1;
            if (window == BLOCK || window == END) {
                return bit;
            }
        }
        return -1;
    }

    private static void compare(byte[] bytes, int fromBit) {
        int expected = findSlowly(bytes, fromBit);
        for (ByteBuffer buffer : buffers(bytes)) {
            assertThat(Bzip2Magic.find(buffer, fromBit))
                    .as("%d bytes from bit %d, %s", bytes.length, fromBit, buffer)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {BLOCK, END})
    void aMagicIsFoundAtEveryBit(long magic) {
        for (int length = 6; length <= 24; length++) {
            for (int bit = 0; bit + 48 <= 8 * length; bit++) {
                byte[] bytes = new byte[length];
                new Random(length).nextBytes(bytes);
                put(bytes, bit, magic);
                for (int from = Math.max(0, bit - 34); from <= bit + 1; from++) {
                    compare(bytes, from);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {BLOCK, END})
    void piecesOfAMagicAreNone(long magic) {
        Random random = new Random(TestSeed.value());
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = new byte[6 + random.nextInt(40)];
            for (int at = random.nextInt(20); at + 48 <= 8 * bytes.length; at += 1 + random.nextInt(60)) {
                // the whole one, or one with a bit turned, so that most samples of it are those of a magic
                put(bytes, at, random.nextInt(4) == 0 ? magic : magic ^ 1L << random.nextInt(48));
            }
            compare(bytes, random.nextInt(8 * bytes.length));
        }
    }
}
