package io.warpcodec.format.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

class XxHash32Test {
    private static final int[] SEEDS = {0, 1, 0x9747_b28c};
    private final XXHash32 reference = XXHashFactory.safeInstance().hash32();

    private static int hash(ByteBuffer bytes, int seed) {
        XxHash32 hash = new XxHash32(seed);
        hash.update(bytes);
        return hash.value();
    }

    @Test
    void everyLengthAgreesWithLz4Java() {
        byte[] bytes = new byte[300];
        new Random(1).nextBytes(bytes);
        for (int seed : SEEDS) {
            for (int length = 0; length <= bytes.length; length++) {
                assertThat(hash(ByteBuffer.wrap(bytes, 0, length), seed))
                        .as("length %d", length)
                        .isEqualTo(reference.hash(bytes, 0, length, seed));
            }
        }
    }

    @Test
    void piecesOfAnySizeGiveTheHashOfTheWhole() {
        Random random = new Random(2);
        byte[] bytes = new byte[100_000];
        random.nextBytes(bytes);
        for (int most : new int[] {1, 2, 15, 16, 17, 33, 5000}) {
            XxHash32 hash = new XxHash32(7);
            for (int at = 0; at < bytes.length; ) {
                int count = Math.min(bytes.length - at, random.nextInt(most + 1));
                hash.update(bytes, at, count);
                at += count;
            }
            assertThat(hash.value()).as("pieces up to %d", most).isEqualTo(reference.hash(bytes, 0, bytes.length, 7));
            assertThat(hash.value()).as("asked again").isEqualTo(reference.hash(bytes, 0, bytes.length, 7));
            hash.reset();
            assertThat(hash.value()).isEqualTo(reference.hash(bytes, 0, 0, 7));
        }
    }

    @Test
    void directMemoryAndOffsetsMakeNoDifference() {
        byte[] bytes = new byte[20_000];
        new Random(3).nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
        direct.put(0, bytes).position(3).limit(19_000);
        ByteBuffer heap = ByteBuffer.wrap(bytes).position(3).limit(19_000).slice();
        assertThat(hash(direct, 5)).isEqualTo(reference.hash(bytes, 3, 18_997, 5));
        assertThat(hash(heap, 5)).isEqualTo(reference.hash(bytes, 3, 18_997, 5));
        assertThat(direct.position()).isEqualTo(3);
    }
}
