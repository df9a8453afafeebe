package io.warpcodec.engine.gpu.request;

import java.util.Arrays;

/**
 * Lengths of the last chunks, of all streams, that only decoding told. The next ones' slots are made from them. A slot
 * that is too short leaves a step of decoding to the host; a slot that is too long takes room from others. Thread-safe.
 */
public final class RecentLengths {
    static final int COUNT = 16;
    /** Place, in ascending order, of the length that three of four chunks do not exceed. */
    private static final int THREE_OF_FOUR = COUNT * 3 / 4 - 1;

    private final int[] lengths = new int[COUNT];
    private int next;
    /** Length that three of four of the last chunks did not exceed, in bytes; 0 before there are enough. */
    private volatile int usual;

    /** Takes the length of a decoded chunk, in bytes, in place of the oldest. */
    public synchronized void add(int bytes) {
        lengths[next] = bytes;
        next = (next + 1) % COUNT;
        int[] sorted = lengths.clone();
        Arrays.sort(sorted);
        usual = sorted[THREE_OF_FOUR];
    }

    /**
     * The length that three of four of the last chunks did not exceed, in bytes.
     *
     * @param mostBytes no guess is longer
     * @return 0 if there is no guess: few chunks have come, or those were longer
     */
    public int likely(int mostBytes) {
        int bytes = usual;
        return bytes <= mostBytes ? bytes : 0;
    }
}
