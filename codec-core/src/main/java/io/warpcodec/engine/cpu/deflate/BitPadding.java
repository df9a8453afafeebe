package io.warpcodec.engine.cpu.deflate;

import static io.warpcodec.engine.cpu.deflate.DeflateBlockDecoder.*;

/**
 * DEFLATE blocks without content, one behind the other, of a chosen length modulo 8.
 *
 * <p>An empty block of fixed codes has 10 bits, which makes every even number. Odd ones need one block of dynamic
 * codes: with a code of one bit for the literal 255, another for the end, and one distance of one bit, it has 91. A
 * stored block would end at a whole byte.
 *
 * @param bytes the bits, from the lowest of the first byte on; the rest of the last byte is zero
 * @param bitCount how many
 */
record BitPadding(byte[] bytes, int bitCount) {
    private static final int FIXED_BITS = 10;
    private static final int DYNAMIC_BITS = 91;
    private static final BitPadding[] BY_RESIDUE = new BitPadding[8];

    static {
        for (int odd = 0; odd < 2; odd++) {
            for (int fixed = 0; fixed < 4; fixed++) {
                BitPadding blocks = make(odd == 1, fixed);
                BY_RESIDUE[blocks.bitCount & 7] = blocks;
            }
        }
    }

    /** Those that end before this bit of a byte, counted modulo 8. */
    static BitPadding endingAtBit(int bit) {
        return BY_RESIDUE[bit & 7];
    }

    private static BitPadding make(boolean dynamic, int fixedCount) {
        Bits bits = new Bits((dynamic ? DYNAMIC_BITS : 0) + fixedCount * FIXED_BITS);
        for (int i = 0; i < fixedCount; i++) {
            bits.put(0, BFINAL_BITS);
            bits.put(FIXED, BTYPE_BITS);
            bits.put(0, 7); // end of block
        }
        if (dynamic) {
            int codeLengthCodes = 18; // in the order 16 17 18 0 ... 14 1
            bits.put(0, BFINAL_BITS);
            bits.put(DYNAMIC, BTYPE_BITS);
            bits.put(257 - HLIT_BASE, HLIT_BITS);
            bits.put(1 - HDIST_BASE, HDIST_BITS);
            bits.put(codeLengthCodes - HCLEN_BASE, HCLEN_BITS);
            for (int i = 0; i < codeLengthCodes; i++) {
                bits.put(i == 2 || i == 17 ? 1 : 0, CODE_LENGTH_BITS);
            }
            // their code: 0 is a length of 1, 1 is a run of zeros with 7 bits of its length less 11
            bits.put(1, 1);
            bits.put(138 - 11, 7);
            bits.put(1, 1);
            bits.put(255 - 138 - 11, 7);
            bits.put(0, 3); // literal 255, end of block, distance 0
            bits.put(1, 1); // end of block
        }
        return new BitPadding(bits.bytes, bits.count);
    }

    /** A row of bits being written. */
    private static final class Bits {
        final byte[] bytes;
        int count;

        Bits(int bits) {
            bytes = new byte[bits + 7 >>> 3];
        }

        void put(int value, int bits) {
            for (int i = 0; i < bits; i++, count++) {
                bytes[count >>> 3] |= (byte) ((value >> i & 1) << (count & 7));
            }
        }
    }
}
