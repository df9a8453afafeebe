package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.RUN_BYTES;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The raw bytes that fit in one block. A block's text is its raw bytes after the first run-length coding, which makes
 * five bytes of a run of four. So text with many short runs fills a block before its raw bytes would.
 *
 * <p>Only a run of exactly four bytes becomes longer, by one. So a count of the runs that have four bytes or more
 * bounds the text: 0.4 ns a byte on a server's core. Where that bound is above the limit, runs are followed one by one:
 * 2 ns.
 */
public final class Bzip2TextCut {
    /** Longest run; a longer one goes on as another. */
    private static final int MAX_RUN = 255;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x7f7f_7f7f_7f7f_7f7fL;

    private Bzip2TextCut() {}

    /**
     * Bytes of a block.
     *
     * @param bytes indexed from 0
     * @param from the block's first byte
     * @param most how many bytes there are
     * @param textLimit most bytes of the text, at least {@link Bzip2Format#RUN_BYTES} and one
     * @return as many bytes as fit, whole runs of up to 255; {@code most} if all do
     */
    public static int fitting(ByteBuffer bytes, int from, int most, int textLimit) {
        boolean allFit = most <= textLimit && runs(bytes, from, most) <= textLimit - most;
        return allFit ? most : followRuns(bytes, from, most, textLimit);
    }

    /** How many runs of four equal bytes and more begin in a range. */
    private static int runs(ByteBuffer bytes, int from, int count) {
        int limit = from + count;
        int at = from;
        int runs = 0;
        // the highest bit of a byte is set where four equal bytes begin
        long before = 0;
        for (; at + Long.BYTES + RUN_BYTES - 1 <= limit; at += Long.BYTES) {
            long first = word(bytes, at);
            long unlike = first ^ word(bytes, at + 1);
            unlike |= first ^ word(bytes, at + 2);
            unlike |= first ^ word(bytes, at + 3);
            long equal = ~((unlike & LOW_BITS) + LOW_BITS | unlike | LOW_BITS);
            runs += Long.bitCount(equal & ~(equal << Byte.SIZE | before >>> Long.SIZE - Byte.SIZE));
            before = equal;
        }
        // of the last few bytes each may begin one
        return runs + limit - at;
    }

    private static long word(ByteBuffer bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    private static int followRuns(ByteBuffer bytes, int from, int most, int textLimit) {
        int limit = from + most;
        int textBytes = 0;
        int at = from;
        while (at < limit) {
            byte value = bytes.get(at);
            int runLimit = Math.min(limit, at + MAX_RUN);
            int end = at + 1;
            while (end < runLimit && bytes.get(end) == value) {
                end++;
            }
            int run = end - at;
            textBytes += run < RUN_BYTES ? run : RUN_BYTES + 1;
            if (textBytes > textLimit) {
                break;
            }
            at = end;
        }
        return at - from;
    }
}
