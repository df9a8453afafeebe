package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.block.BlockData;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** The two ways to the dynamic blocks of a stream: from one to the next, and by looking everywhere. */
class DeflateBlocksReferenceTest {
    @Test
    void everyDynamicBlockOfTheJdkIsAmongTheHeaders() {
        int blocks = 0;
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int level : new int[] {1, 6, 9}) {
                byte[] raw = BlockData.make(new Random(kind), kind, 400_000);
                byte[] body = GzipMembers.body(raw, level, Deflater.DEFAULT_STRATEGY);
                int[] dynamic = DeflateBlocksReference.dynamicBlocks(body);
                assertThat(DeflateBlocksReference.headers(body, 0, Byte.SIZE * body.length))
                        .as("kind %d, level %d", kind, level)
                        .contains(dynamic);
                blocks += dynamic.length;
            }
        }
        assertThat(blocks).isGreaterThan(30);
    }

    @Test
    void noiseHasNoHeaders() {
        byte[] noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        assertThat(DeflateBlocksReference.headers(noise, 0, Byte.SIZE * noise.length))
                .isEmpty();
    }

    @Test
    void aHeaderThatIsCutIsNone() {
        byte[] body = GzipMembers.body(BlockData.make(new Random(1), BlockData.TEXT, 20_000), 6, 0);
        int least = 0;
        while (DeflateBlocksReference.headers(Arrays.copyOf(body, least), 0, Math.min(1, least)).length == 0) {
            least++;
        }
        assertThat(least).isBetween(10, 290);
    }
}
