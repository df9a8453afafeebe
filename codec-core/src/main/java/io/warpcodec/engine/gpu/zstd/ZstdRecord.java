package io.warpcodec.engine.gpu.zstd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What a device is told of the blocks of a frame, or of a segment of one: the host has hopped over their headers, and
 * puts this in front of the frame. {@code Record} and {@code BlockRecord} of {@code zstd_format.cuh}.
 *
 * <pre>
 *  0  record_bytes     of all of it
 *  4  block_count
 *  8  content_bytes    that the frame decodes to; of a segment, at most
 * 12  max_block_bytes  that a block decodes to
 * 16  literal_bytes    of all blocks whose literals are not raw
 * 20  sequence_count   of all blocks
 * 24  is_segment       0 or 1; of a frame the rest is zero
 * 28  history_at       bytes in front of the segment, from the frame's first byte
 * 32  history_bytes    of these, with what fills them up
 * 36  history_fill     bytes at their begin that no offset leads to
 * 40  repeats          three numbers: the offsets in front of the segment
 * 52  reserved         12 bytes, zero
 * 64  blocks, of 48 bytes:
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
    static final int FIXED_BYTES = 64;

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

    /**
     * The record of a segment, whose history is at the begin of its bytes.
     *
     * @param contentBytes that the segment decodes to at most
     * @param historyBytes in front of it, with what fills them up
     */
    static byte[] ofSegment(
            List<ZstdBlock> blocks, int contentBytes, int maxBlockBytes, int historyBytes, int fill, int[] repeats) {
        byte[] record = of(blocks, contentBytes, maxBlockBytes);
        ByteBuffer view = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        view.putInt(24, 1).putInt(32, historyBytes).putInt(36, fill);
        for (int i = 0; i < repeats.length; i++) {
            view.putInt(40 + i * Integer.BYTES, repeats[i]);
        }
        return record;
    }
}
