package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.RUN_BYTES;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Undoes the first run-length coding of a block, in pieces of any size: after four equal bytes a fifth says how many
 * more of them follow. A text of 900,000 bytes may make 46.6 MB. Not thread-safe.
 */
public final class Bzip2Runs {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** Bytes that are looked at to know of eight whether four equal ones begin with them. */
    private static final int LOOK_BYTES = Long.BYTES + RUN_BYTES - 1;
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
        int out = payOwed(target, start, limit);
        out = readWords(target, out, limit);
        return readBytes(target, out, limit) - start;
    }

    /**
     * Goes on while there is text for a look, and room for all bytes that a look may show. A run of which bytes were
     * given before is looked at from its first byte on. Returns where the output goes on.
     */
    private int readWords(byte[] target, int start, int limit) {
        byte[] from = text;
        int next = at;
        int out = start;
        int look = next - run;
        while (owed == 0 && look + LOOK_BYTES <= length && out + LOOK_BYTES <= limit) {
            long first = word(from, look);
            long fours =
                    EightBytes.whereFoursBegin(first, word(from, look + 1), word(from, look + 2), word(from, look + 3));
            if (fours == 0 && look == next) {
                WORD.set(target, out, first);
                out += Long.BYTES;
                next += Long.BYTES;
            } else {
                int behind = look + (fours == 0 ? Long.BYTES : EightBytes.firstOf(fours) + RUN_BYTES);
                System.arraycopy(from, next, target, out, behind - next);
                out += behind - next;
                next = behind;
                if (fours != 0) {
                    if (next == length) {
                        cutShort = true;
                    } else {
                        owed = from[next++] & 0xff;
                    }
                    at = next;
                    out = payOwed(target, out, limit);
                }
            }
            before = NO_BYTE;
            run = 0;
            look = next;
        }
        at = next;
        return out;
    }

    private static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    private int readBytes(byte[] target, int start, int limit) {
        byte[] from = text;
        int next = at;
        int last = before;
        int equal = run;
        int out = start;
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
        return out;
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
