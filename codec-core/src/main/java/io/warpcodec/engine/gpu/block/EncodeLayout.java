package io.warpcodec.engine.gpu.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;

/**
 * How the blocks of an encoded chunk are cut and laid behind each other, as the framing's assembler expects them. The
 * CPU engine cuts and lays them so, too.
 *
 * @param program that encodes the blocks
 * @param blockRawBytes most raw bytes of a block
 * @param formatBound the most bytes that the format can need for so many raw bytes
 * @param length what is put before each block: its length in this byte order; null for nothing
 * @param storedMark set in the length of a block that is kept as it is, which only 0 forbids
 * @param hash what the container keeps of the hash of the raw bytes that the program computes, or null
 * @param continued whether chunks continue each other's DEFLATE stream: their matches may reach into what precedes
 *     them, and the host computes their Adler-32
 * @param textLimit the most bytes that a block may have when its runs are shortened, if a chunk is one block, ends
 *     anywhere in a byte and has a checksum that the program computes; 0 for whole bytes
 */
public record EncodeLayout(
        String program,
        int blockRawBytes,
        IntUnaryOperator formatBound,
        ByteOrder length,
        int storedMark,
        Hash hash,
        boolean continued,
        int textLimit) {
    /** Bytes of the length before a block. */
    public static final int LENGTH_BYTES = 4;

    /** Seed of a hash, and which of its bits are kept. */
    public record Hash(int seed, int mask) {}

    /** Blocks one behind the other, without lengths and hash, none kept as it is. */
    public static EncodeLayout of(String program, int blockRawBytes, IntUnaryOperator formatBound) {
        return new EncodeLayout(program, blockRawBytes, formatBound, null, 0, null, false, 0);
    }

    /** This layout with its length before each block. */
    public EncodeLayout withLengths(ByteOrder order) {
        return new EncodeLayout(program, blockRawBytes, formatBound, order, storedMark, hash, continued, textLimit);
    }

    /** This layout with blocks that are kept as they are where that is shorter; this mark says so in the length. */
    public EncodeLayout withStored(int mark) {
        return new EncodeLayout(program, blockRawBytes, formatBound, length, mark, hash, continued, textLimit);
    }

    /** This layout with a hash of the raw bytes. */
    public EncodeLayout withHash(int seed, int mask) {
        return new EncodeLayout(
                program, blockRawBytes, formatBound, length, storedMark, new Hash(seed, mask), continued, textLimit);
    }

    /** This layout for chunks that continue each other's DEFLATE stream. */
    public EncodeLayout thatContinues() {
        return new EncodeLayout(program, blockRawBytes, formatBound, length, storedMark, hash, true, textLimit);
    }

    /** This layout for chunks of one block that ends anywhere in a byte, and has at most so many bytes of text. */
    public EncodeLayout withBits(int mostTextBytes) {
        return new EncodeLayout(
                program, blockRawBytes, formatBound, length, storedMark, hash, continued, mostTextBytes);
    }

    /** Whether a chunk is one block that ends anywhere in a byte. */
    public boolean isBits() {
        return textLimit > 0;
    }

    /** Whether a chunk of so many bytes can be laid so. */
    public boolean takes(int bytes) {
        return !isBits() || bytes <= blockRawBytes;
    }

    /** Raw bytes of each block of a chunk that has so many. */
    public int[] blocks(int bytes) {
        int[] blocks = new int[(bytes + blockRawBytes - 1) / blockRawBytes];
        for (int block = 0; block < blocks.length; block++) {
            blocks[block] = Math.min(blockRawBytes, bytes - block * blockRawBytes);
        }
        return blocks;
    }

    /**
     * The most bytes that a block may have: below its raw bytes if it may be kept as it is, else what the format can
     * need.
     */
    public int mostBlockBytes(int rawBytes) {
        return storedMark != 0 ? rawBytes - 1 : formatBound.applyAsInt(rawBytes);
    }

    /** Puts a block's length where there is one. */
    public void putLength(ByteBuffer body, int blockBytes, boolean stored) {
        if (length != null) {
            body.order(length).putInt(stored ? blockBytes | storedMark : blockBytes);
        }
    }
}
