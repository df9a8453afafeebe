package io.warpcodec.format.bzip2;

import io.warpcodec.format.Window;

/**
 * Constants and layout of bzip2 as bzip2 1.0.8 reads it. All fields are big-endian and follow each other bit by bit;
 * only a stream starts and ends at a byte boundary.
 *
 * <pre>
 * stream          'B' 'Z' 'h' LEVEL     LEVEL is '1' to '9'
 *                 blocks                 none or more
 *                 END_MAGIC              48 bits
 *                 COMBINED_CRC           32 bits, of all block CRCs, see {@link #combine}
 *                 padding                to the next byte, any bits
 *
 * block           BLOCK_MAGIC            48 bits
 *                 BLOCK_CRC              32 bits, of the raw bytes
 *                 RANDOMISED             1 bit, 1 only in files of bzip2 before 0.9.5
 *                 ORIG_PTR               24 bits
 *                 symbol map             16 bits, and 16 more for each that is 1
 *                 GROUPS                 3 bits, 2 to 6: number of prefix codes
 *                 SELECTORS              15 bits, 1 or more
 *                 selectors              unary, move-to-front
 *                 code lengths           5 bits and steps, for each code
 *                 symbols                until the end-of-block symbol
 * </pre>
 */
public final class Bzip2Format {
    /** {@code 'B' 'Z' 'h'}: the start of every stream. */
    public static final int SIGNATURE = 'B' << 16 | 'Z' << 8 | 'h';

    /** Signature and level. */
    public static final int HEADER_BYTES = 4;

    public static final int HEADER_BITS = 8 * HEADER_BYTES;

    public static final int MIN_LEVEL = 1;
    public static final int MAX_LEVEL = 9;

    public static final long BLOCK_MAGIC = 0x3141_5926_5359L;
    public static final long END_MAGIC = 0x1772_4538_5090L;
    public static final int MAGIC_BITS = 48;
    public static final int CRC_BITS = 32;

    /** Length of END_MAGIC and COMBINED_CRC. */
    public static final int TRAILER_BITS = MAGIC_BITS + CRC_BITS;

    public static final int MIN_GROUPS = 2;
    public static final int MAX_GROUPS = 6;
    /** Symbols between two changes of the code. */
    public static final int GROUP_SYMBOLS = 50;
    /** Selectors that a block of level 9 can need; a block may declare more, the rest is read and ignored. */
    public static final int MAX_SELECTORS = 2 + MAX_LEVEL * 100_000 / GROUP_SYMBOLS;

    public static final int MAX_CODE_BITS = 20;
    /** RUNA, RUNB, 255 positions of the move-to-front list, end of block. */
    public static final int MAX_ALPHABET = 258;

    public static final int RUN_A = 0;
    public static final int RUN_B = 1;
    /** bzip2 refuses a run whose digits go on to this weight. */
    public static final int MAX_RUN_WEIGHT = 2 << 20;

    /** Equal bytes after which a count byte follows in a block. */
    public static final int RUN_BYTES = 4;

    /**
     * Most raw bytes of a chunk that is a full block: runs may make it longer than its text. bzip2 itself has no limit
     * but 255 / 5 times the text.
     */
    public static final int MAX_CHUNK_BYTES = 8 << 20;

    /**
     * Longest compressed block that is read. A block of level 9 has at most 900,000 symbols and an end, each of at
     * most 20 bits (2,250,003 bytes). It has at most 32,767 selectors of at most 6 bits (24,576 bytes). It has 6 x
     * 258 code lengths of 20 levels that a sane encoder reaches in at most 19 steps (7,551 bytes). Steps that go to
     * and fro could make it longer without end; the rest of these 4 MiB is for them.
     */
    public static final int MAX_BLOCK_BYTES = 4 << 20;

    private Bzip2Format() {}

    /** Whether a stream's header may have this byte at an index. */
    static boolean isHeaderByte(int index, int value) {
        return index < HEADER_BYTES - 1
                ? value == (SIGNATURE >>> Byte.SIZE * (HEADER_BYTES - 2 - index) & 0xff)
                : value >= '0' + MIN_LEVEL && value <= '0' + MAX_LEVEL;
    }

    /** Whether a stream's header is at the front of the window, which shows it whole. */
    static boolean isHeader(Window window) {
        int index = 0;
        while (index < HEADER_BYTES && isHeaderByte(index, window.u8(index))) {
            index++;
        }
        return index == HEADER_BYTES;
    }

    /** Whether these 48 bits begin a block, or the end of a stream. */
    static boolean isMagic(long bits) {
        return bits == BLOCK_MAGIC || bits == END_MAGIC;
    }

    /** Most bytes of a block after its first run-length coding, in the decoder. */
    public static int maxBlockBytes(int level) {
        return level * 100_000;
    }

    /** Most bytes of a block after its first run-length coding that an encoder makes: some decoders want a margin. */
    public static int maxEncodedBlockBytes(int level) {
        return maxBlockBytes(level) - 20;
    }

    /** COMBINED_CRC after one more block. */
    public static int combine(int combinedCrc, int blockCrc) {
        return Integer.rotateLeft(combinedCrc, 1) ^ blockCrc;
    }
}
