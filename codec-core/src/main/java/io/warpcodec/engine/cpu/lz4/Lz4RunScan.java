package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.UNCOMPRESSED;
import static io.warpcodec.format.lz4.Lz4Format.maxRawBytes;

import io.warpcodec.engine.BlockRun;
import io.warpcodec.format.lz4.Lz4FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the blocks of a frame that lie whole in the input at hand and may be decoded as one run. It stops in front of
 * whatever is not as it should be, and leaves that to the session.
 */
final class Lz4RunScan {
    /** Decoded bytes of a run of more than one block. */
    private static final int MOST_RAW_BYTES = 4 << 20;

    private static final int WORD_BYTES = 4;

    private final Lz4FrameHeader frame;
    private final int mostRawBytes;
    private long contentLeftBytes;
    private int rawBytes;
    private int limit;
    private boolean hasCompressed;

    /**
     * @param contentBytes decoded so far
     * @param mostRawBytes of a run
     */
    Lz4RunScan(Lz4FrameHeader frame, long contentBytes, int mostRawBytes) {
        this.frame = frame;
        this.mostRawBytes = mostRawBytes;
        boolean declared = frame.hasContentBytes() && frame.contentBytes() >= 0;
        contentLeftBytes = declared ? frame.contentBytes() - contentBytes : Long.MAX_VALUE;
    }

    /** The blocks from the input's position on, which stays. */
    List<BlockRun.Block> blocks(ByteBuffer input) {
        ByteBuffer bytes = input.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<BlockRun.Block> blocks = new ArrayList<>();
        limit = bytes.position();
        boolean full = true;
        while (full && bytes.limit() - limit >= WORD_BYTES) {
            int word = bytes.getInt(limit);
            int blockBytes = word & ~UNCOMPRESSED;
            boolean stored = (word & UNCOMPRESSED) != 0;
            int at = limit + WORD_BYTES;
            int trailerBytes = frame.blockChecksums() ? WORD_BYTES : 0;
            if (blockBytes == 0
                    || blockBytes > frame.blockMaxBytes()
                    || blockBytes > bytes.limit() - at - trailerBytes
                    || trailerBytes > 0 && bytes.getInt(at + blockBytes) != Lz4Hash.of(bytes, at, blockBytes, 0)) {
                break;
            }
            int blockRawBytes = stored
                    ? blockBytes
                    : (int) Math.min(Math.min(frame.blockMaxBytes(), maxRawBytes(blockBytes)), contentLeftBytes);
            int most = blocks.isEmpty() ? mostRawBytes : Math.min(mostRawBytes, MOST_RAW_BYTES);
            if (blockRawBytes == 0 || blockRawBytes > contentLeftBytes || blockRawBytes > most - rawBytes) {
                break;
            }
            blocks.add(new BlockRun.Block(at, blockBytes, blockRawBytes, stored));
            rawBytes += blockRawBytes;
            contentLeftBytes -= blockRawBytes;
            hasCompressed |= !stored;
            limit = at + blockBytes + trailerBytes;
            // where the next one goes is known only behind a full block
            full = stored || blockRawBytes == frame.blockMaxBytes();
        }
        return blocks;
    }

    /** Decoded bytes of these blocks, at most. */
    int rawBytes() {
        return rawBytes;
    }

    /** Index behind the last of these blocks. */
    int limit() {
        return limit;
    }

    /** Whether there is anything to decode. */
    boolean hasCompressed() {
        return hasCompressed;
    }
}
