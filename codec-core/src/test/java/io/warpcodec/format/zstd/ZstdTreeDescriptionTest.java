package io.warpcodec.format.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ZstdTreeDescriptionTest {
    /** Accuracy log 5, then two symbols of probability 16 each: 4 bits of 0, 5 bits of 17, 5 bits of 17 + 14. */
    private static final int PROBABILITIES = 17 << 4 | 31 << 9;

    /** A compressed block that starts with a Huffman tree, its weights coded by FSE with this bitstream. */
    private static ByteBuffer block(int sizeFormat, int... weights) {
        ByteBuffer block = ByteBuffer.allocate(20 + weights.length);
        block.put((byte) (2 | sizeFormat << 2)).position(Math.max(3, 2 + sizeFormat));
        block.put((byte) (2 + weights.length));
        block.put((byte) PROBABILITIES).put((byte) (PROBABILITIES >> 8));
        for (int each : weights) {
            block.put((byte) each);
        }
        return block.put(new byte[3]).flip();
    }

    @Test
    void weightsWithFewerBitsThanTwoStatesAreTruncated() {
        for (int sizeFormat = 0; sizeFormat < 4; sizeFormat++) {
            assertThat(ZstdTreeDescription.isTruncated(block(sizeFormat, 1))).isTrue();
            assertThat(ZstdTreeDescription.isTruncated(block(sizeFormat, 0xff))).isTrue();
            assertThat(ZstdTreeDescription.isTruncated(block(sizeFormat, 0, 3))).isTrue();
        }
    }

    @Test
    void tenBitsAreEnoughForTwoStatesOfFive() {
        for (int sizeFormat = 0; sizeFormat < 4; sizeFormat++) {
            assertThat(ZstdTreeDescription.isTruncated(block(sizeFormat, 0, 4))).isFalse();
            assertThat(ZstdTreeDescription.isTruncated(block(sizeFormat, 0, 0, 1)))
                    .isFalse();
        }
    }

    @Test
    void whatIsNoSuchTreeIsLeftToTheLibrary() {
        ByteBuffer other = block(0, 1);
        other.put(0, (byte) 1);
        assertThat(ZstdTreeDescription.isTruncated(other)).isFalse();
        ByteBuffer direct = block(0, 1);
        direct.put(3, (byte) 200);
        assertThat(ZstdTreeDescription.isTruncated(direct)).isFalse();
        ByteBuffer noEndMark = block(0, 0);
        assertThat(ZstdTreeDescription.isTruncated(noEndMark)).isFalse();
        ByteBuffer whole = block(0, 1);
        for (int limit = 0; limit < 7; limit++) {
            assertThat(ZstdTreeDescription.isTruncated(whole.duplicate().limit(limit)))
                    .isFalse();
        }
    }
}
