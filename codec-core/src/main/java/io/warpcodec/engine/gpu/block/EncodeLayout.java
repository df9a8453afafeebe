package io.warpcodec.engine.gpu.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

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
 * @param bits of blocks that end anywhere in a byte, and have a checksum each that the program computes; null for
 *     whole bytes
 */
public record EncodeLayout(
        String program,
        int blockRawBytes,
        IntUnaryOperator formatBound,
        ByteOrder length,
        int storedMark,
        Hash hash,
        boolean continued,
        Bits bits) {
    /** Bytes of the length before a block. */
    public static final int LENGTH_BYTES = 4;

    /** Seed of a hash, and which of its bits are kept. */
    public record Hash(int seed, int mask) {}

    /**
     * Blocks that end anywhere in a byte.
     *
     * @param textLimit the most bytes that a block may have when its runs are shortened
     * @param cut says where the blocks of a chunk end
     * @param joining makes what joins the blocks of one chunk
     */
    public record Bits(int textLimit, Cut cut, Supplier<Joiner> joining) {}

    /** Where a block ends whose text must not be longer than the limit. */
    @FunctionalInterface
    public interface Cut {
        /** Bytes of the block that begins there, at least 1, at most {@code most}. */
        int bytes(ByteBuffer raw, int from, int most);
    }

    /** Joins the blocks of one chunk, bit to bit. Not thread-safe. */
    public interface Joiner {
        /** Appends the first bits of a buffer to the body, which has space for them. */
        void append(ByteBuffer block, long bits, ByteBuffer body);

        /** Fills the body's last byte. */
        void pad(ByteBuffer body);

        /** The checksum of several blocks and one more. */
        int combine(int combined, int checksum);
    }

    /** Blocks one behind the other, without lengths and hash, none kept as it is. */
    public static EncodeLayout of(String program, int blockRawBytes, IntUnaryOperator formatBound) {
        return new EncodeLayout(program, blockRawBytes, formatBound, null, 0, null, false, null);
    }

    /** This layout with its length before each block. */
    public EncodeLayout withLengths(ByteOrder order) {
        return new EncodeLayout(program, blockRawBytes, formatBound, order, storedMark, hash, continued, bits);
    }

    /** This layout with blocks that are kept as they are where that is shorter; this mark says so in the length. */
    public EncodeLayout withStored(int mark) {
        return new EncodeLayout(program, blockRawBytes, formatBound, length, mark, hash, continued, bits);
    }

    /** This layout with a hash of the raw bytes. */
    public EncodeLayout withHash(int seed, int mask) {
        return new EncodeLayout(
                program, blockRawBytes, formatBound, length, storedMark, new Hash(seed, mask), continued, bits);
    }

    /** This layout for chunks that continue each other's DEFLATE stream. */
    public EncodeLayout thatContinues() {
        return new EncodeLayout(program, blockRawBytes, formatBound, length, storedMark, hash, true, bits);
    }

    /** This layout with blocks that end anywhere in a byte. */
    public EncodeLayout withBits(int textLimit, Cut cut, Supplier<Joiner> joining) {
        return new EncodeLayout(
                program,
                blockRawBytes,
                formatBound,
                length,
                storedMark,
                hash,
                continued,
                new Bits(textLimit, cut, joining));
    }

    /**
     * Raw bytes of each block of a chunk.
     *
     * @param raw memory that the chunk lies in, indexed from 0
     * @param from the chunk's first byte
     * @param bytes of the chunk
     */
    public int[] blocks(ByteBuffer raw, int from, int bytes) {
        int[] blocks = new int[(bytes + blockRawBytes - 1) / blockRawBytes];
        int count = 0;
        for (int at = 0; at < bytes; count++) {
            int most = Math.min(blockRawBytes, bytes - at);
            if (count == blocks.length) {
                blocks = Arrays.copyOf(blocks, count + 1 + count / 4);
            }
            blocks[count] = bits == null ? most : bits.cut.bytes(raw, from + at, most);
            at += blocks[count];
        }
        return Arrays.copyOf(blocks, count);
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
