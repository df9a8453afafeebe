package io.warpcodec.engine.gpu.zstd;

import java.nio.ByteBuffer;

/**
 * The sequences of a block, as their header tells (RFC 8878 §3.1.1.3.2).
 *
 * @param count 0 if there are none
 * @param modes two bits for each table, that of literal lengths highest
 * @param tablesAt descriptions of the tables, from the first byte of the block's content; bits follow
 */
record ZstdSequences(int count, int modes, int tablesAt) {
    static final ZstdSequences NONE = new ZstdSequences(0, 0, 0);

    /** Literal lengths, offsets, match lengths. */
    static final int TABLES = 3;

    private static final int REPEATED = 3;
    private static final int RESERVED_BITS = 3;
    private static final int FIRST_OF_TWO_BYTES = 128;
    private static final int OF_THREE_BYTES = 255;
    private static final int LEAST_OF_THREE_BYTES = 0x7f00;

    /** Whether a table is the last one before. */
    boolean repeats(int table) {
        return (modes >> 2 * (TABLES - table) & 3) == REPEATED;
    }

    /** Those from an index of a compressed block's content to its end; null if they are not what they should be. */
    static ZstdSequences of(ByteBuffer content, int from) {
        int left = content.limit() - from;
        int first = left == 0 ? 0 : content.get(from) & 0xff;
        if (first == 0) {
            return left == 1 ? NONE : null;
        }
        int countBytes = first < FIRST_OF_TWO_BYTES ? 1 : first < OF_THREE_BYTES ? 2 : 3;
        // the modes, and a byte of bits at least
        if (left < countBytes + 2) {
            return null;
        }
        int count = switch (countBytes) {
            case 1 -> first;
            case 2 -> (first - FIRST_OF_TWO_BYTES << Byte.SIZE) + (content.get(from + 1) & 0xff);
            default -> (content.getShort(from + 1) & 0xffff) + LEAST_OF_THREE_BYTES;
        };
        int modes = content.get(from + countBytes) & 0xff;
        return count == 0 || (modes & RESERVED_BITS) != 0
                ? null
                : new ZstdSequences(count, modes, from + countBytes + 1);
    }
}
