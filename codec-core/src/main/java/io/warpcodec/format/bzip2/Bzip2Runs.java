package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.RUN_BYTES;

import java.util.Arrays;

/**
 * Undoes the first run-length coding of a block, in pieces of any size: after four equal bytes a fifth says how many
 * more of them follow. A text of 900,000 bytes may make 46.6 MB. Not thread-safe.
 */
public final class Bzip2Runs {
    /** Equals no byte. */
    private static final int NO_BYTE = 256;

    private final byte[] text;
    private final int length;
    private int at;
    private int before = NO_BYTE;
    /** How many bytes in a row were equal to {@link #before}. */
    private int run;
    /** Bytes that the last run still has, of the value before its length. */
    private int owed;

    private boolean cutShort;

    /**
     * @param text what the block's symbols came to; must not change
     * @param length how much of it counts
     */
    public Bzip2Runs(byte[] text, int length) {
        this.text = text;
        this.length = length;
    }

    /** Whether all has been read. */
    public boolean ended() {
        return at == length && owed == 0;
    }

    /** Once all has been read: whether the text ends where a run's length should be. */
    public boolean isCutShort() {
        return cutShort;
    }

    /** Bytes that are left if no run expands. */
    public int leastBytesLeft() {
        return length - at + owed;
    }

    /**
     * Fills an array from start to limit, or less of it if the text ends before.
     *
     * @return how many bytes came
     */
    public int read(byte[] target, int start, int limit) {
        byte[] from = text;
        int next = at;
        int last = before;
        int equal = run;
        int out = payOwed(target, start, limit);
        while (out < limit && next < length) {
            byte value = from[next++];
            target[out++] = value;
            if (value != last) {
                last = value;
                equal = 1;
            } else if (++equal == RUN_BYTES) {
                last = NO_BYTE;
                equal = 0;
                if (next == length) {
                    cutShort = true;
                    break;
                }
                owed = from[next++] & 0xff;
                at = next;
                out = payOwed(target, out, limit);
            }
        }
        at = next;
        before = last;
        run = equal;
        return out - start;
    }

    /** Writes what the last run still has, up to the limit; returns where the output goes on. */
    private int payOwed(byte[] target, int start, int limit) {
        int count = Math.min(owed, limit - start);
        if (count > 0) {
            // the run's bytes stand before its length
            Arrays.fill(target, start, start + count, text[at - 2]);
            owed -= count;
        }
        return start + count;
    }
}
