package io.warpcodec.engine.gpu.plz;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.block.ChunkRanges;
import org.junit.jupiter.api.Test;

/** How many chunks frames have, and how many numbers of chunks kernels go through. */
class PlzChunksTest {
    private static PlzChunks of(long... lengths) {
        return PlzChunks.of(new ChunkRanges(new long[lengths.length], lengths));
    }

    @Test
    void chunksOfLongFramesHave4096Bytes() {
        assertThat(of(8 << 20)).isEqualTo(new PlzChunks(2048, 2048));
        assertThat(of((1 << 20) + 1)).isEqualTo(new PlzChunks(257, 17 * 16));
    }

    @Test
    void chunksOfShorterFramesAreHalvedOnceOrTwice() {
        assertThat(of(1 << 20)).isEqualTo(new PlzChunks(512, 512));
        assertThat(of((128 << 10) + 1)).isEqualTo(new PlzChunks(65, 3 * 32));
        assertThat(of(128 << 10)).isEqualTo(new PlzChunks(128, 128));
        assertThat(of(1)).isEqualTo(new PlzChunks(1, 64));
    }

    /** A short frame's rows are those of all units; a frame of no bytes has none. */
    @Test
    void numbersGoThroughTheRowsOfTheShortestFrame() {
        assertThat(of(8 << 20, 1)).isEqualTo(new PlzChunks(2049, 129 * 64));
        assertThat(of(1, 8 << 20)).isEqualTo(new PlzChunks(2049, 129 * 64));
        assertThat(of(8 << 20, 1 << 20)).isEqualTo(new PlzChunks(2048 + 512, (128 + 16) * 32));
        assertThat(of(8 << 20, 0)).isEqualTo(new PlzChunks(2048, 129 * 16));
        assertThat(of(0)).isEqualTo(new PlzChunks(0, 16));
    }
}
