package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Looks for the two 48-bit magics at any bit of a buffer. Stateless. */
public final class Bzip2Magic {
    // Any 48 bits hold a whole 16-bit sample that starts at a multiple of 32 bits. Its distance from their own start
    // is 0 to 31 bits. So it is enough to look at two bytes in four, and at the 64 values that they can have inside a
    // magic. A bitmap of 8 KiB tells for one sample in a thousand that the 48 bits must be looked at.

    private static final int SAMPLE_STEP_BYTES = 4;
    private static final int SAMPLE_BITS = 16;
    private static final int MAX_DISTANCE_BITS = 8 * SAMPLE_STEP_BYTES - 1;
    private static final long[] SAMPLES_INSIDE = samplesInside();
    private static final VarHandle BIG_ENDIAN_LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Bzip2Magic() {}

    private static long[] samplesInside() {
        long[] bitmap = new long[(1 << SAMPLE_BITS) / Long.SIZE];
        for (long magic : new long[] {BLOCK_MAGIC, END_MAGIC}) {
            for (int distance = 0; distance <= MAX_DISTANCE_BITS; distance++) {
                int sample = (int) (magic >>> MAGIC_BITS - SAMPLE_BITS - distance) & 0xffff;
                bitmap[sample >>> 6] |= 1L << sample;
            }
        }
        return bitmap;
    }

    /**
     * Finds the first magic, of a block or of the end of a stream.
     *
     * @param bytes big-endian; the whole buffer counts, position and limit do not
     * @param fromBit first bit at which a magic may start
     * @return its first bit, or -1 if no whole magic is there
     */
    static int find(ByteBuffer bytes, int fromBit) {
        int at = fromBit / 32 * SAMPLE_STEP_BYTES;
        while (at + 2 <= bytes.capacity()) {
            at = bytes.hasArray() ? nextSuspect(bytes.array(), bytes.arrayOffset(), at, bytes.capacity()) : at;
            if (at + 2 > bytes.capacity()) {
                return -1;
            }
            if (mayBeInside(bytes.getShort(at) & 0xffff)) {
                int last = Math.min(8 * at, 8 * bytes.capacity() - MAGIC_BITS);
                for (int bit = Math.max(fromBit, 8 * at - MAX_DISTANCE_BITS); bit <= last; bit++) {
                    if (isMagic(peek(bytes, bit, MAGIC_BITS))) {
                        return bit;
                    }
                }
            }
            at += SAMPLE_STEP_BYTES;
        }
        return -1;
    }

    private static boolean mayBeInside(int sample) {
        return (SAMPLES_INSIDE[sample >>> 6] >>> sample & 1) != 0;
    }

    /**
     * Passes over samples that are in no magic, two from one word: this is most of what a scanner does.
     *
     * @param start where index 0 lies in the array
     * @return index of a sample that may be in one, or of the first that was not looked at
     */
    private static int nextSuspect(byte[] array, int start, int from, int limitBytes) {
        int at = from;
        for (; at + Long.BYTES <= limitBytes; at += Long.BYTES) {
            long word = (long) BIG_ENDIAN_LONGS.get(array, start + at);
            int first = (int) (word >>> 48);
            int second = (int) (word >>> 16) & 0xffff;
            if (((SAMPLES_INSIDE[first >>> 6] >>> first | SAMPLES_INSIDE[second >>> 6] >>> second) & 1) != 0) {
                return mayBeInside(first) ? at : at + SAMPLE_STEP_BYTES;
            }
        }
        return at;
    }

    /** Up to 48 bits from any bit on; bits behind the end of the buffer are 0. */
    public static long peek(ByteBuffer bytes, int bit, int count) {
        int at = bit >>> 3;
        long word = 0;
        if (at + Long.BYTES <= bytes.capacity()) {
            word = bytes.getLong(at);
        } else {
            for (int i = 0; i < Long.BYTES; i++) {
                word = word << 8 | (at + i < bytes.capacity() ? bytes.get(at + i) & 0xff : 0);
            }
        }
        return word << (bit & 7) >>> Long.SIZE - count;
    }
}
