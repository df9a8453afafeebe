package io.warpcodec;

import java.util.List;

/**
 * The settings of this process's device pool, as opposed to those of one stream ({@link CodecOptions}). The pool reads
 * {@link #current} once, when it opens for the first stream that asks for a device; installing others later has no effect.
 * Without any, the pool sees every device and uses its own limits.
 *
 * @param devices addresses of the devices that this process may use, as the scheduler names them (ordinals or UUIDs); empty
 *     for every visible device
 * @param memoryMaxBytes most device memory of this process, or {@link #UNSET}
 * @param pinnedMaxBytes most pinned host memory of this process, or {@link #UNSET}
 */
public record PoolSettings(List<String> devices, long memoryMaxBytes, long pinnedMaxBytes) {
    /** Marks a limit that the pool decides. */
    public static final long UNSET = -1;

    private static volatile PoolSettings current = new PoolSettings(List.of(), UNSET, UNSET);

    public PoolSettings {
        devices = List.copyOf(devices);
    }

    /** What the pool goes by when it opens. */
    public static PoolSettings current() {
        return current;
    }

    /** Replaces the settings of this process. */
    public static void install(PoolSettings settings) {
        current = settings;
    }
}
