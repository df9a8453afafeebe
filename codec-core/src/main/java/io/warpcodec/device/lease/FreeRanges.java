package io.warpcodec.device.lease;

import java.util.Map;
import java.util.TreeMap;

/** Which parts of one stretch of memory are free: first fit, neighbours joined. Not thread-safe. */
public final class FreeRanges {
    /** Ranges begin at multiples of this, and their lengths are rounded up to it. */
    public static final int GRAIN_BYTES = 256;

    private final TreeMap<Integer, Integer> lengthByOffset = new TreeMap<>();
    /**
     * No range is longer, so that most attempts that fail need no search: where memory is scarce many threads make
     * them.
     */
    private int mostBytes;

    /** @param bytes length of the stretch, all of it free */
    public FreeRanges(int bytes) {
        int whole = bytes - bytes % GRAIN_BYTES;
        if (whole > 0) {
            lengthByOffset.put(0, whole);
            mostBytes = whole;
        }
    }

    /** Length of the range that {@link #take} takes for so many bytes, at most 2^31 - {@link #GRAIN_BYTES}. */
    public static int roundedUp(int bytes) {
        return Math.max(1, (bytes + GRAIN_BYTES - 1) / GRAIN_BYTES) * GRAIN_BYTES;
    }

    /** Takes the first free range that is long enough; its offset, or -1 if there is none. */
    public int take(int bytes) {
        int wanted = roundedUp(bytes);
        if (wanted > mostBytes) {
            return -1;
        }
        int longest = 0;
        for (Map.Entry<Integer, Integer> range : lengthByOffset.entrySet()) {
            int offset = range.getKey();
            int length = range.getValue();
            if (length >= wanted) {
                lengthByOffset.remove(offset);
                if (length > wanted) {
                    lengthByOffset.put(offset + wanted, length - wanted);
                }
                return offset;
            }
            longest = Math.max(longest, length);
        }
        mostBytes = longest;
        return -1;
    }

    /**
     * Gives a range back that {@link #take} took for so many bytes.
     *
     * @throws IllegalStateException if a part of it is free already
     */
    public void give(int offset, int bytes) {
        int length = roundedUp(bytes);
        Map.Entry<Integer, Integer> before = lengthByOffset.floorEntry(offset);
        Map.Entry<Integer, Integer> after = lengthByOffset.ceilingEntry(offset);
        if (before != null && before.getKey() + before.getValue() > offset
                || after != null && offset + length > after.getKey()) {
            throw new IllegalStateException("range at " + offset + ", " + length + " bytes, is given back twice");
        }
        int start = offset;
        if (before != null && before.getKey() + before.getValue() == offset) {
            start = before.getKey();
            length += before.getValue();
        }
        if (after != null && start + length == after.getKey()) {
            length += lengthByOffset.remove(after.getKey());
        }
        lengthByOffset.put(start, length);
        mostBytes = Math.max(mostBytes, length);
    }
}
