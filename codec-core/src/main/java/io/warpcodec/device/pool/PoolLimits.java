package io.warpcodec.device.pool;

/**
 * How much a {@link OwnPool} may take and how it works. Sizes in bytes.
 *
 * @param memoryMaxBytes most memory taken on each device
 * @param pinnedMaxBytes most page-locked host memory, of all devices together
 * @param waveBytes most output bytes of one wave; what fits into the other limits
 * @param lingerNanos how long a small wave waits for company while the device is busy
 * @param watchdogNanos after this long a wave counts as hung
 */
public record PoolLimits(
        long memoryMaxBytes, long pinnedMaxBytes, int waveBytes, long lingerNanos, long watchdogNanos) {
    /** The smallest wave that a device is still used for. */
    static final int LEAST_WAVE_BYTES = 1 << 20;

    /** @throws IllegalArgumentException if a number is negative, or no wave fits */
    public PoolLimits {
        if (memoryMaxBytes < 0 || pinnedMaxBytes < 0 || lingerNanos < 0 || watchdogNanos <= 0) {
            throw new IllegalArgumentException("a negative limit");
        }
        if (waveBytes < LEAST_WAVE_BYTES) {
            throw new IllegalArgumentException("waves of " + waveBytes + " bytes, less than " + LEAST_WAVE_BYTES);
        }
    }

    /** The watchdog's time for messages: {@code 10.0 s}. */
    String watchdogText() {
        long millis = watchdogNanos / 1_000_000;
        return millis / 1e3 + " s";
    }
}
