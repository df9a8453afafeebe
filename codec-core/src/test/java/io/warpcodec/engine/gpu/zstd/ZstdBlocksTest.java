package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.forge.Bytes;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that the host refuses before a device sees them, beside frames that it passes. */
class ZstdBlocksTest {
    private static final int CONTENT_BYTES = 600;

    /** A frame of 600 bytes of content with these blocks: types and contents in turn. */
    private static FallbackReason refusal(Object... typesAndContents) {
        Bytes frame = new Bytes().little(0xfd2fb528L, 4).little(0x60, 1).little(CONTENT_BYTES - 256, 2);
        for (int at = 0; at < typesAndContents.length; at += 2) {
            byte[] content = (byte[]) typesAndContents[at + 1];
            int last = at + 2 == typesAndContents.length ? 1 : 0;
            frame.little(last | (int) typesAndContents[at] << 1 | content.length << 3, 3);
            frame.put(content);
        }
        DecodePlan plan = ZstdPlans.frame(chunk(frame.toArray()), 1 << 20);
        return plan.refusal();
    }

    static Chunk chunk(byte[] frame) {
        return Chunk.encoded(new Lease(ByteBuffer.wrap(frame), "test", () -> {}), 0, frame.length, 0, -1, null);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int at = 0; at < values.length; at++) {
            bytes[at] = (byte) values[at];
        }
        return bytes;
    }

    private static final int RAW = 0;
    private static final int COMPRESSED = 2;

    /** Header of two raw literals, which follow. */
    private static final int TWO_RAW = 2 << 3;

    @Test
    void sectionsThatAreRightAreTaken() {
        assertThat(refusal(RAW, new byte[CONTENT_BYTES])).isNull();
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 0))).isNull();
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 1, 0, 1))).isNull();
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 128, 5, 0, 1))).isNull();
    }

    @Test
    void sectionsThatAreCutOffAreRefused() {
        for (byte[] block : new byte[][] {
            bytes(TWO_RAW),
            bytes(TWO_RAW, 'a', 'b'),
            bytes(TWO_RAW, 'a', 'b', 1),
            bytes(TWO_RAW, 'a', 'b', 1, 0),
            bytes(TWO_RAW, 'a', 'b', 128, 5, 0),
            bytes(TWO_RAW, 'a', 'b', 255, 0),
            bytes(0x0f, 0),
            bytes(2, 0, 0, 0)
        }) {
            assertThat(refusal(COMPRESSED, block)).as(Arrays.toString(block)).isEqualTo(FallbackReason.NOT_WELL_FORMED);
        }
    }

    @Test
    void bytesBehindNoSequencesAreRefused() {
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 0, 0))).isEqualTo(FallbackReason.NOT_WELL_FORMED);
    }

    @Test
    void aReservedModeIsRefused() {
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 1, 1, 1))).isEqualTo(FallbackReason.NOT_WELL_FORMED);
    }

    /** What a dictionary would have brought. */
    @ParameterizedTest
    @ValueSource(ints = {0xc0, 0x30, 0x0c})
    void aTableThatIsRepeatedBeforeThereIsOneIsRefused(int modes) {
        byte[] repeats = bytes(TWO_RAW, 'a', 'b', 1, modes, 1);
        assertThat(refusal(COMPRESSED, repeats)).isEqualTo(FallbackReason.NOT_WELL_FORMED);
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 0), COMPRESSED, repeats))
                .isEqualTo(FallbackReason.NOT_WELL_FORMED);
        assertThat(refusal(COMPRESSED, bytes(TWO_RAW, 'a', 'b', 1, 0, 1), COMPRESSED, repeats))
                .isNull();
    }

    @Test
    void aTreeThatIsRepeatedBeforeThereIsOneIsRefused() {
        // three literals in four bytes, one stream
        byte[] treeless = bytes(3 | 3 << 4, 0, 4 >> 2, 0, 0, 0, 1, 0);
        byte[] described = bytes(2 | 3 << 4, 0, 4 >> 2, 0, 0, 0, 1, 0);
        assertThat(refusal(COMPRESSED, treeless)).isEqualTo(FallbackReason.NOT_WELL_FORMED);
        assertThat(refusal(COMPRESSED, described, COMPRESSED, treeless)).isNull();
        assertThat(refusal(COMPRESSED, treeless, COMPRESSED, described)).isEqualTo(FallbackReason.NOT_WELL_FORMED);
    }

    /** 200 sequences make 600 bytes at least: with one literal more they do not fit the content. */
    @Test
    void moreThanTheContentHoldsIsRefused() {
        assertThat(refusal(COMPRESSED, bytes(0, 128, 200, 0, 1))).isNull();
        assertThat(refusal(COMPRESSED, bytes(1 << 3, 'a', 128, 200, 0, 1))).isEqualTo(FallbackReason.NOT_WELL_FORMED);
        assertThat(refusal(RAW, bytes('a'), COMPRESSED, bytes(0, 128, 200, 0, 1)))
                .isEqualTo(FallbackReason.NOT_WELL_FORMED);
        assertThat(refusal(COMPRESSED, bytes(0, 255, 0, 0, 0, 1))).isEqualTo(FallbackReason.NOT_WELL_FORMED);
    }

    @Test
    void framesOfTooManyBlocksAreRefused() {
        for (int blocks : new int[] {16, 17}) {
            Object[] some = new Object[2 * blocks];
            for (int at = 0; at < some.length; at += 2) {
                some[at] = RAW;
                some[at + 1] = new byte[at == 0 ? CONTENT_BYTES : 0];
            }
            assertThat(refusal(some)).isEqualTo(blocks == 16 ? null : FallbackReason.MANY_BLOCKS);
        }
    }

    @Test
    void framesWithoutContentSizeAreRefused() {
        byte[] frame = bytes(0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1 | 1 << 3, 0, 0, 'a');
        assertThat(ZstdPlans.frame(chunk(frame), 1 << 20).refusal()).isEqualTo(FallbackReason.NO_CONTENT_SIZE);
    }
}
