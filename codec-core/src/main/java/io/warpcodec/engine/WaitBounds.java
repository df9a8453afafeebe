package io.warpcodec.engine;

/**
 * How long work in mode {@code auto} waits for devices, in times of what the CPU takes for it. A stream is to take at
 * most four times what the CPU takes, and 20 ms, whatever devices do.
 */
public final class WaitBounds {
    /** One wait: the CPU's own work is one time of the four, half a time is for copying and a CPU that was slower. */
    public static final double TIMES = 2.5;

    /** Two waits for the same work, the first for a start, by the least that the CPU takes: nothing is kept back. */
    public static final double ALL_TIMES = 3;

    private WaitBounds() {}
}
