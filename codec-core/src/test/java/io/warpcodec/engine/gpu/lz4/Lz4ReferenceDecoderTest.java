package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.junit.jupiter.api.Test;

/**
 * What the reference takes for sound, and with it the kernels, every decoder of lz4-java decodes to the same bytes.
 * So a device never accepts a block that the CPU engine refuses.
 */
class Lz4ReferenceDecoderTest {
    private static final LZ4SafeDecompressor[] OTHERS = {
        LZ4Factory.fastestInstance().safeDecompressor(),
        LZ4Factory.safeInstance().safeDecompressor()
    };

    @Test
    void acceptsNothingThatLz4JavaRefuses() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int soundCount = 0;
        int refusedCount = 0;
        for (int turn = 0; turn < 60_000; turn++) {
            byte[] block = block(random);
            int limit = 1 + random.nextInt(80); // an engine never asks for nothing
            Optional<byte[]> raw = Lz4ReferenceDecoder.decode(block, limit);
            soundCount += raw.isPresent() ? 1 : 0;
            for (LZ4SafeDecompressor other : OTHERS) {
                Optional<byte[]> found = decode(other, block, limit);
                refusedCount += found.isPresent() && raw.isEmpty() ? 1 : 0;
                if (raw.isPresent()) {
                    assertThat(found)
                            .as("seed %d, turn %d, %s", seed, turn, Arrays.toString(block))
                            .isPresent();
                    assertThat(found.get()).isEqualTo(raw.get());
                }
            }
        }
        assertThat(soundCount).as("seed %d: sound blocks tried", seed).isGreaterThan(1000);
        assertThat(refusedCount)
                .as("seed %d: blocks that only lz4-java takes", seed)
                .isPositive();
    }

    /** Some short sequences, the last perhaps without the literals that it should have, sometimes with a wrong byte. */
    private static byte[] block(Random random) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int sequences = random.nextInt(4); sequences > 0; sequences--) {
            int literals = random.nextInt(12);
            block.write(literals << 4 | random.nextInt(14));
            block.writeBytes(new byte[literals]);
            block.write(random.nextInt(10));
            block.write(0);
        }
        int last = random.nextInt(14);
        block.write(last << 4);
        block.writeBytes(new byte[last]);
        byte[] bytes = block.toByteArray();
        if (random.nextInt(3) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static Optional<byte[]> decode(LZ4SafeDecompressor decompressor, byte[] block, int limit) {
        try {
            return Optional.of(decompressor.decompress(block, 0, block.length, limit));
        } catch (LZ4Exception refused) {
            return Optional.empty();
        }
    }
}
