package io.warpcodec.format.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;

class ChecksumCombineTest {
    private interface Combine {
        int of(int first, int second, long secondBytes);
    }

    @Test
    void everyCutOfASmallMessageJoins() {
        byte[] message = noise(7, 300);
        for (int cut = 0; cut <= message.length; cut++) {
            assertJoins(new CRC32(), Crc32Combine::combine, message, cut);
            assertJoins(new Adler32(), Adler32Combine::combine, message, cut);
        }
    }

    @Test
    void randomCutsOfLargeMessagesJoin() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int turn = 0; turn < 40; turn++) {
            byte[] message = noise(random.nextLong(), 1 + random.nextInt(300_000));
            if (turn % 4 == 0) {
                Arrays.fill(message, (byte) (turn % 8 == 0 ? 0 : 0xFF));
            }
            int cut = random.nextInt(message.length + 1);
            assertThat(joins(new CRC32(), Crc32Combine::combine, message, cut))
                    .as("CRC-32, seed %d", seed)
                    .isTrue();
            assertThat(joins(new Adler32(), Adler32Combine::combine, message, cut))
                    .as("Adler-32, seed %d", seed)
                    .isTrue();
        }
    }

    @Test
    void joiningIsAssociativeForLengthsFarBeyondMemory() {
        int a = 0x12345678;
        int b = 0x9ABCDEF0;
        int c = 0x0F1E2D3C;
        long large = (1L << 45) + 12345;
        long larger = (1L << 61) + 77;
        assertThat(Crc32Combine.combine(Crc32Combine.combine(a, b, large), c, larger))
                .isEqualTo(Crc32Combine.combine(a, Crc32Combine.combine(b, c, larger), large + larger));
        int d = 0x1234ABCD;
        int e = 0x0001FFF0;
        int f = 0xFFF00001;
        assertThat(Adler32Combine.combine(Adler32Combine.combine(d, e, large), f, larger))
                .isEqualTo(Adler32Combine.combine(d, Adler32Combine.combine(e, f, larger), large + larger));
    }

    @Test
    void aTebibyteOfZerosIsReachedByDoubling() {
        CRC32 one = new CRC32();
        one.update(0);
        int crc = (int) one.getValue();
        for (long bytes = 1; bytes < 1L << 40; bytes *= 2) {
            crc = Crc32Combine.combine(crc, crc, bytes);
        }
        int inThreeParts = 0;
        int part = zeros(1 << 20);
        int group = 0;
        for (int i = 0; i < 1024; i++) {
            group = Crc32Combine.combine(group, part, 1 << 20);
        }
        for (int i = 0; i < 1024; i++) {
            inThreeParts = Crc32Combine.combine(inThreeParts, group, 1 << 30);
        }
        assertThat(crc).isEqualTo(inThreeParts);
    }

    @Test
    void negativeLengthsAreRefused() {
        assertThatThrownBy(() -> Crc32Combine.combine(1, 2, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Adler32Combine.combine(1, 2, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int zeros(int bytes) {
        CRC32 crc = new CRC32();
        crc.update(new byte[bytes]);
        return (int) crc.getValue();
    }

    private static byte[] noise(long seed, int bytes) {
        byte[] message = new byte[bytes];
        new Random(seed).nextBytes(message);
        return message;
    }

    private static void assertJoins(Checksum checksum, Combine combine, byte[] message, int cut) {
        assertThat(joins(checksum, combine, message, cut)).as("cut at %d", cut).isTrue();
    }

    private static boolean joins(Checksum checksum, Combine combine, byte[] message, int cut) {
        int first = value(checksum, message, 0, cut);
        int second = value(checksum, message, cut, message.length - cut);
        return combine.of(first, second, message.length - cut) == value(checksum, message, 0, message.length);
    }

    private static int value(Checksum checksum, byte[] message, int offset, int length) {
        checksum.reset();
        checksum.update(message, offset, length);
        return (int) checksum.getValue();
    }
}
