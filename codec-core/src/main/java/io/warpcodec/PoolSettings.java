package io.warpcodec;

import java.util.List;
import java.util.Objects;

/**
 * The settings of this process's device pool, as opposed to those of one stream ({@link CodecOptions}). The pool
 * reads {@link #current} once, when the GPU engine opens for the first stream that may use a device; installing
 * others later has no effect. Without any, the pool sees every device and uses its own limits. {@link Settings#pool}
 * reads them as people write them.
 *
 * @param devices addresses of the devices that this process may use, as the scheduler names them (ordinals, UUIDs or
 *     PCI addresses); empty for every visible device
 * @param memoryMaxBytes most memory taken on each device, or {@link #UNSET}
 * @param pinnedMaxBytes most pinned host memory, or {@link #UNSET}
 * @param waveBytes most decoded bytes that the pool sends through a device at once ({@code batch.size}), or
 *     {@link #UNSET}
 * @param lingerNanos how long a small wave waits for company while the device is busy ({@code batch.linger}), or
 *     {@link #UNSET}
 * @param node whether the node's service is used instead of devices of this process
 */
public record PoolSettings(
        List<String> devices,
        long memoryMaxBytes,
        long pinnedMaxBytes,
        long waveBytes,
        long lingerNanos,
        NodeSettings node) {
    /** Marks a limit that the pool decides. */
    public static final long UNSET = -1;

    /** The smallest {@code batch.size}, in bytes. */
    public static final long LEAST_WAVE_BYTES = 1 << 20;

    /** The largest {@code batch.size}, in bytes. */
    public static final long MOST_WAVE_BYTES = 1 << 29;

    /** Nothing set. */
    public static final PoolSettings DEFAULTS =
            new PoolSettings(List.of(), UNSET, UNSET, UNSET, UNSET, NodeSettings.DEFAULTS);

    private static volatile PoolSettings current;

    /** @throws IllegalArgumentException if {@code waveBytes} is out of its range */
    public PoolSettings {
        devices = List.copyOf(devices);
        Objects.requireNonNull(node, "node");
        if (waveBytes != UNSET && (waveBytes < LEAST_WAVE_BYTES || waveBytes > MOST_WAVE_BYTES)) {
            throw new IllegalArgumentException(
                    "batch.size " + waveBytes + " is not in " + LEAST_WAVE_BYTES + ".." + MOST_WAVE_BYTES);
        }
    }

    /** These settings for the named devices only. This process has the devices to itself: it uses no service. */
    public PoolSettings withDevices(List<String> addresses) {
        return new PoolSettings(addresses, memoryMaxBytes, pinnedMaxBytes, waveBytes, lingerNanos, NodeSettings.NONE);
    }

    /** These settings with another service of the node. */
    public PoolSettings withNode(NodeSettings other) {
        return new PoolSettings(devices, memoryMaxBytes, pinnedMaxBytes, waveBytes, lingerNanos, other);
    }

    /** What the pool goes by when it opens. */
    public static PoolSettings current() {
        PoolSettings known = current;
        return known == null ? DEFAULTS : known;
    }

    /** Whether settings have been installed. */
    public static boolean areInstalled() {
        return current != null;
    }

    /** Replaces the settings of this process; null for none. */
    public static void install(PoolSettings settings) {
        current = settings;
    }
}
