package io.warpcodec.stream.zstd;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.StreamRig;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Which split owns which frame of a {@code .zst}. */
class ZstdSplitTest {
    private static final int MOST_BLOCK_BYTES = 128 << 10;
    private static final StreamRig RIG = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withChunkBytes(40 << 10));

    @Test
    void laterSplitsOwnTheChunksThatStartInThem() throws IOException {
        byte[] raw = text(700_000, 1);
        byte[] file = RIG.write(raw);
        for (int splitBytes : new int[] {1000, file.length / 3, file.length}) {
            assertThat(RIG.splits(file, splitBytes)).isEqualTo(raw);
        }
        assertThat(RIG.split(file, file.length / 2, file.length).length).isBetween(250_000, 450_000);
    }

    /**
     * Several chunks of it lie in one raw block, and lead further than the block: a chain must be longer than any
     * block to be believed.
     */
    @Test
    void aLongFileOfOursInsideTheBlocksOfAnotherHasNoSyncPoints() throws IOException {
        byte[] inner = RIG.write(noise(3 * MOST_BLOCK_BYTES, 2));
        ZstdForge frame = new ZstdForge().header(20);
        for (int at = 0; at < inner.length; at += MOST_BLOCK_BYTES) {
            int end = Math.min(inner.length, at + MOST_BLOCK_BYTES);
            frame.rawBlock(Arrays.copyOfRange(inner, at, end), end == inner.length);
        }
        byte[] raw = text(3000, 3);
        byte[] ours = RIG.write(raw);
        byte[] file = concat(ours, frame.toArray(), ours);
        // with the first, the second split begins right in front of the inner file
        for (int splitBytes : new int[] {ours.length + 2, 50_001, 130_000}) {
            assertThat(RIG.splits(file, splitBytes))
                    .as("splits of %d", splitBytes)
                    .isEqualTo(concat(raw, inner, raw));
        }
    }
}
