package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.RUN_BYTES;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The raw bytes that fit in one block. A block's text is its raw bytes after the first run-length coding, which makes
 * five bytes of a run of 4 to 255. So text with many runs of four fills a block before its raw bytes would, and text
 * with long runs after that.
 *
 * <p>Eight bytes at a time: where no run of four begins among them, they are themselves.
 */
public final class Bzip2TextCut {
    /** Longest run; a longer one goes on as another. */
    private static final int MAX_RUN = 255;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;

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
        int limit = from + most;
        int at = from;
        int textBytes = 0;
        // behind the last run of four or more: what follows is another run, also if it has the same byte
        int runLimit = from;
        while (at + Long.BYTES + RUN_BYTES - 1 <= limit && textBytes + Long.BYTES <= textLimit) {
            long fours = foursAt(bytes, at);
            if (fours == 0) {
                at += Long.BYTES;
                textBytes += Long.BYTES;
                continue;
            }
            int literals = EightBytes.firstOf(fours);
            at += literals;
            textBytes += literals + RUN_BYTES + 1;
            if (textBytes > textLimit) {
                return at - from;
            }
            at = runLimit = endOfRun(bytes, at, Math.min(limit, at + MAX_RUN));
        }
        if (at == limit) {
            return most;
        }
        while (at > runLimit && bytes.get(at - 1) == bytes.get(at)) {
            at--;
            textBytes--;
        }
        return at - from + followRuns(bytes, at, limit, textLimit - textBytes);
    }

    private static long foursAt(ByteBuffer bytes, int at) {
        return EightBytes.whereFoursBegin(
                word(bytes, at), word(bytes, at + 1), word(bytes, at + 2), word(bytes, at + 3));
    }

    private static long word(ByteBuffer bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    private static int endOfRun(ByteBuffer bytes, int start, int limit) {
        byte value = bytes.get(start);
        long all = ONES * Byte.toUnsignedLong(value);
        int end = start + 1;
        while (end + Long.BYTES <= limit) {
            long unlike = word(bytes, end) ^ all;
            if (unlike != 0) {
                return end + Long.numberOfTrailingZeros(unlike) / Byte.SIZE;
            }
            end += Long.BYTES;
        }
        while (end < limit && bytes.get(end) == value) {
            end++;
        }
        return end;
    }

    /** How many bytes fit, run by run. */
    private static int followRuns(ByteBuffer bytes, int from, int limit, int textLimit) {
        int textBytes = 0;
        int at = from;
        while (at < limit) {
            int end = endOfRun(bytes, at, Math.min(limit, at + MAX_RUN));
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
