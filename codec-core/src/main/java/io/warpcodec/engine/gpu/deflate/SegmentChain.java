package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.lease.InputBytes;
import java.nio.ByteBuffer;

/**
 * Follows the blocks of a segment of one DEFLATE stream between the kernels of {@code deflate_stream.cu}: which
 * blocks there may be, which of them are true, and where the bytes of each piece go. Positions are in bits from the
 * first byte of the input, output positions in bytes, of which the first {@link #HISTORY_BYTES} are those in front of
 * the segment.
 *
 * <p>Everything it reads may be wrong, the stream and the notes alike: it stops there, and never leaves the input or
 * the output. Not thread-safe.
 */
final class SegmentChain {
    /** Most bytes that distances lead back. */
    static final int HISTORY_BYTES = 1 << 15;

    static final int BLOCK_BYTES = 24;
    static final int NOTE_BYTES = 16;
    static final int RUN_BYTES = 16;
    /** Bits that a warp reads at once. */
    static final int PIECE_BITS = 32 * 480;
    /** So long before the end of the input no token is begun any more. */
    static final int MARGIN_BITS = 48;
    /** Of the longest header of a block. */
    static final int MAX_HEADER_BITS = 3 + 14 + 19 * 3 + 316 * 7;

    private static final int BLOCK_HEADER_BITS = 3;
    private static final int STORED = 0;
    private static final int FIXED = 1;
    private static final int RESERVED = 3;
    private static final int STORED_HEADER_BYTES = 4;
    /** The code of a fixed block's end, all zeros. */
    private static final int FIXED_END_BITS = 7;

    /** A warp copies each: no more than a piece's bytes take. */
    private static final int STORED_RUN_BYTES = 1024;

    static final int STORED_RUN = -1;
    static final int ENDING_ENDED = 1;
    static final int ENDING_BAD = 2;
    private static final int ENDING_MASK = 0xff;
    /**
     * Blocks that no search finds, those with fixed codes, are read one at a time: so many of them in a segment, and
     * one more for each {@link #PASS_BYTES} of its output.
     */
    private static final int PASSES = 8;
    /** Half of a piece of pigz, whose last block may be one. */
    private static final int PASS_BYTES = 64 << 10;
    /**
     * Blocks that one call of {@link #follow} takes without notes, stored ones and empty ones: with more, a stream of
     * empty blocks would hold the device's thread for seconds.
     */
    static final int MOST_HOPS_A_PASS = 4096;

    private final InputBytes input;
    private final int endBit;
    private final int outputLimit;
    private final SegmentBlocks blocks;

    private int runCount;
    private final ByteBuffer runs;
    private int passes;

    private int bit;
    private int openHeaderBit;
    private int openHeaderBits;
    private int outputAt = HISTORY_BYTES;
    private boolean ended;
    private boolean defect;
    /** Where it stood when a block began last, or -1, and what had been given its position by then. */
    private int blockBit = -1;

    private int blockOutputAt;
    private int blockRuns;

    /**
     * @param input the segment, which may change while it is read
     * @param bit where a block begins, or with an open one a token
     * @param openHeaderBit where the open block's header is, or -1
     * @param openHeaderBits how long that is
     * @param outputBytes space for output, history included
     * @param blockLimit most blocks, at least 1
     * @param pieceLimit most pieces
     * @param blocks takes the table of blocks
     * @param runs takes the table of runs
     */
    SegmentChain(
            InputBytes input,
            int bit,
            int openHeaderBit,
            int openHeaderBits,
            int outputBytes,
            int blockLimit,
            int pieceLimit,
            ByteBuffer blocks,
            ByteBuffer runs) {
        this.input = input;
        this.endBit = input.length() * Byte.SIZE - MARGIN_BITS;
        this.bit = bit;
        this.openHeaderBit = openHeaderBit;
        this.openHeaderBits = openHeaderBits;
        this.outputLimit = outputBytes;
        this.blocks = new SegmentBlocks(endBit, blockLimit, pieceLimit, blocks);
        this.runs = runs;
    }

    /** Takes the positions at which dynamic blocks may begin, in order. */
    void list(int[] positions) {
        blocks.list(positions, bit, openHeaderBit);
    }

    /**
     * Goes on until the notes lead no further, or past {@link #MOST_HOPS_A_PASS} blocks that need none.
     *
     * @param blockNotes of all blocks, from index 0
     * @param pieceNotes of all pieces, from index 0
     * @return whether it is to be called again: once a block that has been added is read, or at once if none has been
     */
    boolean follow(ByteBuffer blockNotes, ByteBuffer pieceNotes) {
        boolean goesOn = true;
        int hops = 0;
        while (goesOn && !ended && !defect) {
            if (hops == MOST_HOPS_A_PASS) {
                return true;
            }
            int header = openHeaderBit >= 0 ? openHeaderBit : bit;
            if (openHeaderBit < 0) {
                blockBit = bit;
                blockOutputAt = outputAt;
                blockRuns = runCount;
            }
            if (header + BLOCK_HEADER_BITS > endBit || openHeaderBit >= 0 && !blocks.hasOpen()) {
                return false;
            }
            int type = bits(header + 1, 2);
            if (openHeaderBit < 0 && type == STORED) {
                goesOn = takeStored();
                hops++;
            } else if (openHeaderBit < 0 && isEmptyFixed(header, type)) {
                bit += BLOCK_HEADER_BITS + FIXED_END_BITS;
                hops++;
            } else if (type == STORED || type == RESERVED) {
                defect = true;
            } else {
                int block = openHeaderBit >= 0 ? SegmentBlocks.OPEN : blocks.find(header);
                if (block < 0) {
                    return passes++ < PASSES + (outputAt - HISTORY_BYTES) / PASS_BYTES && blocks.add(header, 0);
                }
                goesOn = take(block, blockNotes, pieceNotes);
            }
            ended = goesOn && bits(header, 1) != 0;
        }
        return false;
    }

    /** Gives up what was taken of the block that is open, if it began in this segment. */
    void rewindToBlockStart() {
        if (openHeaderBit >= 0 && blockBit >= 0) {
            openHeaderBit = -1;
            bit = blockBit;
            outputAt = blockOutputAt;
            runs.position(runs.position() - RUN_BYTES * (runCount - blockRuns));
            runCount = blockRuns;
        }
    }

    /** Whether a block of fixed codes ends at once: pigz fills up bytes with such blocks behind each 128 KiB. */
    private boolean isEmptyFixed(int header, int type) {
        return type == FIXED && bits(header + BLOCK_HEADER_BITS, FIXED_END_BITS) == 0;
    }

    /** Takes a stored block. False if it is not all there, or has no space. */
    private boolean takeStored() {
        int at = (bit + BLOCK_HEADER_BITS + Byte.SIZE - 1) / Byte.SIZE;
        if (input.length() - at < STORED_HEADER_BYTES) {
            return false;
        }
        int length = input.at(at) | input.at(at + 1) << Byte.SIZE;
        if ((input.at(at + 2) | input.at(at + 3) << Byte.SIZE) != (length ^ 0xffff)) {
            defect = true;
            return false;
        }
        at += STORED_HEADER_BYTES;
        if (length > input.length() - at || length > outputLimit - outputAt || !putStored(outputAt, length, at)) {
            return false;
        }
        outputAt += length;
        bit = (at + length) * Byte.SIZE;
        return true;
    }

    /** Gives bytes of the input their position in the output; false if there is no space for the runs. */
    boolean putStored(int at, int bytes, int inputAt) {
        if ((long) (bytes / STORED_RUN_BYTES + 1) * RUN_BYTES > runs.remaining()) {
            return false;
        }
        for (int done = 0; done < bytes; done += STORED_RUN_BYTES) {
            putRun(at + done, Math.min(STORED_RUN_BYTES, bytes - done), inputAt + done, STORED_RUN);
        }
        return true;
    }

    private void putRun(int at, int bytes, int from, int block) {
        runs.putInt(at).putInt(bytes).putInt(from).putInt(block);
        runCount++;
    }

    /** Takes the pieces of a block from {@link #bit} on. False if it goes on behind this segment. */
    private boolean take(int block, ByteBuffer blockNotes, ByteBuffer pieceNotes) {
        int note = block * NOTE_BYTES;
        int tokenBit = blockNotes.getInt(note);
        int noteEndBit = blockNotes.getInt(note + 4);
        int ending = blockNotes.getInt(note + 8);
        int pieces = blockNotes.getInt(note + 12);
        int headerBit = blocks.headerBit(block);
        int firstPiece = blocks.firstPiece(block);
        if (ending == ENDING_BAD && pieces == 0) {
            // near the end of the input its header may go on behind it
            defect = headerBit + MAX_HEADER_BITS <= endBit;
            return false;
        }
        if (pieces < 0
                || pieces > blocks.pieceLimit(block) - firstPiece
                || !isAhead(tokenBit)
                || openHeaderBit < 0 && tokenBit - headerBit > MAX_HEADER_BITS) {
            defect = true;
            return false;
        }
        if (openHeaderBit < 0) {
            openHeaderBit = headerBit;
            openHeaderBits = tokenBit - openHeaderBit;
        }
        bit = tokenBit;
        for (int piece = firstPiece; piece < firstPiece + pieces; piece++) {
            int pieceEndBit = pieceNotes.getInt(piece * NOTE_BYTES + 4);
            int bytes = pieceNotes.getInt(piece * NOTE_BYTES + 8);
            if ((pieceNotes.getInt(piece * NOTE_BYTES + 12) & ENDING_MASK) == ENDING_BAD || !isAhead(pieceEndBit)) {
                defect = true;
                return false;
            }
            if (bytes < 0 || bytes > outputLimit - outputAt || runs.remaining() < RUN_BYTES) {
                return false;
            }
            if (bytes > 0) {
                putRun(outputAt, bytes, piece, block);
                outputAt += bytes;
            }
            bit = pieceEndBit;
        }
        if (ending != ENDING_ENDED) {
            return false;
        }
        if (!isAhead(noteEndBit)) {
            defect = true;
            return false;
        }
        bit = noteEndBit;
        openHeaderBit = -1;
        return true;
    }

    private boolean isAhead(int at) {
        return at >= bit && at <= input.length() * Byte.SIZE;
    }

    private int bits(int at, int count) {
        int value = input.at(at / Byte.SIZE);
        if (at / Byte.SIZE + 1 < input.length()) {
            value |= input.at(at / Byte.SIZE + 1) << Byte.SIZE;
        }
        return value >> at % Byte.SIZE & (1 << count) - 1;
    }

    int blockCount() {
        return blocks.count();
    }

    int pieceCount() {
        return blocks.pieceCount();
    }

    int runCount() {
        return runCount;
    }

    /** Behind the last byte of output. */
    int outputAt() {
        return outputAt;
    }

    /** Where it stands: where a block begins, or with an open one a token. */
    int bit() {
        return bit;
    }

    /** Where the open block's header is, or -1. */
    int openHeaderBit() {
        return openHeaderBit;
    }

    /** Bits of that header. */
    int openHeaderBits() {
        return openHeaderBits;
    }

    /** Whether the last block has ended. */
    boolean ended() {
        return ended;
    }

    /** Whether something is wrong behind {@link #bit}. */
    boolean defect() {
        return defect;
    }
}
