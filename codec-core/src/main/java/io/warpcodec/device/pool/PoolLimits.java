package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceInfo;

/**
 * How much a {@link OwnPool} may take and how it works. Sizes in bytes.
 *
 * @param memoryMaxBytes most memory taken on each device
 * @param memoryDivisor what is taken on a device is also at most its memory divided by this
 * @param pinnedMaxBytes most page-locked host memory, of all devices together
 * @param waveBytes most output bytes of one wave; what fits into the other limits
 * @param lingerNanos how long a small wave waits for company while the device is busy
 * @param watchdogNanos after this long a wave counts as hung
 */
public record PoolLimits(
        long memoryMaxBytes,
        int memoryDivisor,
        long pinnedMaxBytes,
        int waveBytes,
        long lingerNanos,
        long watchdogNanos) {
    /** The smallest wave that a device is still used for. */
    static final int LEAST_WAVE_BYTES = 1 << 20;

    /** @throws IllegalArgumentException if a number is negative, or no wave fits */
    public PoolLimits {
        if (memoryMaxBytes < 0 || memoryDivisor < 1 || pinnedMaxBytes < 0 || lingerNanos < 0 || watchdogNanos <= 0) {
            throw new IllegalArgumentException("a negative limit");
        }
        if (waveBytes < LEAST_WAVE_BYTES) {
            throw new IllegalArgumentException("waves of " + waveBytes + " bytes, less than " + LEAST_WAVE_BYTES);
        }
    }

    /**
     * Limits that are the same on every device, whatever its memory.
     *
     * @throws IllegalArgumentException as above
     */
    public PoolLimits(long memoryMaxBytes, long pinnedMaxBytes, int waveBytes, long lingerNanos, long watchdogNanos) {
        this(memoryMaxBytes, 1, pinnedMaxBytes, waveBytes, lingerNanos, watchdogNanos);
    }

    /** These limits with so much page-locked memory. */
    public PoolLimits withPinnedMaxBytes(long bytes) {
        return new PoolLimits(memoryMaxBytes, memoryDivisor, bytes, waveBytes, lingerNanos, watchdogNanos);
    }

    /** Most memory taken on this device. */
    long memoryMaxBytes(DeviceInfo device) {
        return Math.min(memoryMaxBytes, device.memoryBytes() / memoryDivisor);
    }

    /** The watchdog's time for messages: {@code 10.0 s}. */
    String watchdogText() {
        long millis = watchdogNanos / 1_000_000;
        return millis / 1e3 + " s";
    }
}
