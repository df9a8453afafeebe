package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.CorruptDataException;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.bzip2.Bzip2Expansion;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.format.bzip2.Bzip2BitReader;
import io.warpcodec.format.bzip2.Bzip2Block;
import io.warpcodec.format.bzip2.Bzip2BlockHeader;
import io.warpcodec.format.bzip2.Bzip2Randomisation;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;

/**
 * Plans for bzip2 blocks, as the scanner cuts them. The host parses a block's header, so that there is one parser
 * that is as strict as bzip2. The device gets a {@link Bzip2Record} in front of the chunk's bytes. What a block
 * decodes to is not known before. Its slot is made for the lengths of the last blocks, and holds its text in any case.
 * Like on the CPU, no block is too large for the budget: a block that expands is held as text.
 */
final class Bzip2Plans {
    /**
     * The shortest slot for each level: a sixth more than the text, since runs make blocks longer that have some; nine
     * of them in 1 MiB, which is the smallest wave. A multiple of 16.
     */
    static final int SLOT_BYTES_OF_LEVEL = 116_496;

    /**
     * No chunk of more bytes is a device's: 900,001 symbols of 20 bits each, and selectors and code lengths without
     * needless steps.
     */
    static final int MOST_CHUNK_BYTES = 2_300_000;

    private Bzip2Plans() {}

    /**
     * Bytes of output that a block of this level can have: a sixteenth more than the likely length, but no fewer than
     * its level's, and no more than a kernel takes.
     */
    static int slotBytes(int level, int likelyBytes) {
        int most = Bzip2Kernels.MAX_OUTPUT_BYTES;
        int sixteenth = Math.min(likelyBytes, most) / 16 + 1;
        int likely = Math.min(sixteenth * 17, most) / 16 * 16;
        return Math.max(level * SLOT_BYTES_OF_LEVEL, likely);
    }

    /** @param likelyBytes likely length of the block when decoded; 0: no guess */
    static DecodePlan block(Chunk chunk, int likelyBytes) {
        Bzip2Block block = (Bzip2Block) chunk.detail();
        ByteBuffer bytes = chunk.bytesView();
        int limitBit = block.bitOffset() + block.bitLength();
        if (chunk.bytes() > MOST_CHUNK_BYTES) {
            return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
        }
        if (limitBit > Byte.SIZE * chunk.bytes()) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        Bzip2BlockHeader header = new Bzip2BlockHeader();
        Bzip2BitReader bits = new Bzip2BitReader().over(bytes, limitBit);
        header.start(block.bitOffset(), block.level(), chunk.offset());
        try {
            if (!header.read(bits) || bits.position() >= limitBit) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
        } catch (CorruptDataException notOne) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        int crc = header.crc();
        boolean randomised = header.randomised();
        byte[] record = Bzip2Record.of(header, bits.position(), limitBit, block.level());
        return DecodePlan.upTo(
                new Body(0, chunk.bytes(), slotBytes(block.level(), likelyBytes), false, record),
                text -> expansion(text, randomised, crc));
    }

    /**
     * What a text stands for; null if that is not right. Devices leave it to the host to undo what bzip2 did to a
     * block before 0.9.5.
     */
    private static Bzip2Expansion expansion(byte[] text, boolean randomised, int crc) {
        if (randomised) {
            Bzip2Randomisation.undo(text, text.length);
        }
        return Bzip2Expansion.verified(text, crc);
    }
}
