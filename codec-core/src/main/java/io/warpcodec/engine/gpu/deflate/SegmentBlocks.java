package io.warpcodec.engine.gpu.deflate;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The blocks that a segment of a DEFLATE stream may have, each with the pieces that warps read. First comes the block
 * that is open where the segment begins. Then come the blocks that a search listed, in the order of their headers.
 * Behind them come the blocks that were added one at a time. Positions are in bits from the first byte of the input.
 * Not thread-safe.
 */
final class SegmentBlocks {
    /** The number of the block that is open where the segment begins, if there is one. */
    static final int OPEN = 0;

    private static final int BLOCK_HEADER_BITS = 3;

    private final int endBit;
    private final int mostPieces;
    private final int[] headerBits;
    private final int[] firstPieces;
    private final ByteBuffer table;

    private int[] candidates = {};
    private int count;
    private int firstListed;
    private int listedCount;
    private int pieceCount;

    /**
     * @param endBit where no token is begun any more
     * @param mostBlocks at least 1
     * @param table takes an entry of {@link SegmentChain#BLOCK_BYTES} for each block
     */
    SegmentBlocks(int endBit, int mostBlocks, int mostPieces, ByteBuffer table) {
        this.endBit = endBit;
        this.mostPieces = mostPieces;
        this.headerBits = new int[mostBlocks];
        this.firstPieces = new int[mostBlocks];
        this.table = table;
    }

    /**
     * Takes the positions at which dynamic blocks may begin, in order.
     *
     * @param bit where the segment begins
     * @param openHeaderBit where the header of the block that is open there is, or -1
     */
    void list(int[] positions, int bit, int openHeaderBit) {
        candidates = positions;
        if (openHeaderBit >= 0) {
            add(openHeaderBit, bit);
        }
        firstListed = count;
        for (int position : positions) {
            if (position >= bit && (openHeaderBit < 0 || position > bit) && !add(position, 0)) {
                break;
            }
        }
        listedCount = count;
    }

    /**
     * Adds a block. A block for which no entry or piece is left is not added.
     *
     * @param tokenBit where its tokens go on, if it is open; 0 if it begins with its header
     * @return whether it was added
     */
    boolean add(int headerBit, int tokenBit) {
        int from = Math.max(headerBit, tokenBit);
        int next = Arrays.binarySearch(candidates, from + 1);
        next = next < 0 ? -next - 1 : next;
        int limit = next == candidates.length ? endBit : Math.min(candidates[next], endBit);
        int begin = tokenBit == 0 ? headerBit + BLOCK_HEADER_BITS : tokenBit;
        int pieces = limit > begin ? (limit - begin + SegmentChain.PIECE_BITS - 1) / SegmentChain.PIECE_BITS : 0;
        if (count == headerBits.length || pieces > mostPieces - pieceCount || headerBit >= endBit) {
            return false;
        }
        headerBits[count] = headerBit;
        firstPieces[count] = pieceCount;
        table.putInt(headerBit).putInt(tokenBit).putInt(limit);
        table.putInt(pieceCount).putInt(pieces).putInt(0);
        count++;
        pieceCount += pieces;
        return true;
    }

    /** Whether {@link #OPEN} is there: the first that was listed is not number 0. */
    boolean hasOpen() {
        return firstListed > 0;
    }

    /** The number of the block whose header is there, or negative. */
    int find(int headerBit) {
        if (count > listedCount && headerBits[count - 1] == headerBit) {
            return count - 1;
        }
        return Arrays.binarySearch(headerBits, firstListed, listedCount, headerBit);
    }

    int headerBit(int block) {
        return headerBits[block];
    }

    int firstPiece(int block) {
        return firstPieces[block];
    }

    /** Behind the last piece of a block. */
    int pieceLimit(int block) {
        return block + 1 < count ? firstPieces[block + 1] : pieceCount;
    }

    int count() {
        return count;
    }

    int pieceCount() {
        return pieceCount;
    }
}
