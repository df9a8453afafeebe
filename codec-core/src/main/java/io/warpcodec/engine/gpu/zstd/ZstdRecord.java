package io.warpcodec.engine.gpu.zstd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What a device is told of a frame's blocks: the host has hopped over their headers, and puts this in front of the
 * frame. {@code Record} and {@code BlockRecord} of {@code zstd_format.cuh}.
 *
 * <pre>
 *  0  record_bytes     of all of it
 *  4  block_count
 *  8  content_bytes    that the frame decodes to
 * 12  max_block_bytes  that a block decodes to
 * 16  literal_bytes    of all blocks whose literals are not raw
 * 20  sequence_count   of all blocks
 * 24  reserved         8 bytes, zero
 * 32  blocks, of 48 bytes:
 *      0  at               content, from the frame's first byte
 *      4  bytes            of its content
 *      8  literals_at      literals: raw bytes, the byte, or the tree or the streams, in the content
 *     12  literals_end
 *     16  literal_count
 *     20  first_literal    among the frame's literals that are not raw
 *     24  tables_at        descriptions of the tables of its sequences
 *     28  sequence_count
 *     32  first_sequence   among the frame's
 *     36  tree_block       16 bits: number of the block that describes the tree of its literals
 *     38  table_block      three times 16 bits: likewise for literal lengths, offsets and match lengths
 *     44  literal_kind     8 bits: raw, one byte, one stream, four streams
 *     45  modes            8 bits, as in its header
 *     46  reserved         2 bytes, zero
 * </pre>
 *
 * Numbers are unsigned, of 32 bits unless another width is named, little-endian. A record begins at a multiple of 16
 * bytes.
 */
final class ZstdRecord {
    /** Length of what stands in front of the blocks. */
    static final int FIXED_BYTES = 32;

    static final int BLOCK_BYTES = 48;

    /** What a record and the bytes behind it are aligned to. */
    static final int ALIGNMENT_BYTES = 16;

    private ZstdRecord() {}

    /**
     * The record of a frame.
     *
     * @param contentBytes that the frame decodes to
     * @param maxBlockBytes that a block of it may decode to
     */
    static byte[] of(List<ZstdBlock> blocks, int contentBytes, int maxBlockBytes) {
        ByteBuffer record = ByteBuffer.allocate(FIXED_BYTES + blocks.size() * BLOCK_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(FIXED_BYTES);
        int literals = 0;
        int sequences = 0;
        for (ZstdBlock block : blocks) {
            ZstdLiterals own = block.literals();
            ZstdSequences following = block.sequences();
            record.putInt(block.at()).putInt(block.bytes());
            record.putInt(own.at()).putInt(own.end()).putInt(own.count()).putInt(literals);
            record.putInt(following.tablesAt()).putInt(following.count()).putInt(sequences);
            record.putShort((short) block.treeBlock());
            for (int table : block.tableBlocks()) {
                record.putShort((short) table);
            }
            record.put((byte) own.kind()).put((byte) following.modes()).putShort((short) 0);
            literals += own.kind() == ZstdLiterals.RAW ? 0 : own.count();
            sequences += following.count();
        }
        record.putInt(0, record.capacity()).putInt(4, blocks.size());
        record.putInt(8, contentBytes).putInt(12, maxBlockBytes);
        record.putInt(16, literals).putInt(20, sequences);
        return record.array();
    }
}
