package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.FreeRanges;

/**
 * What one wave needs on a device: a stream and the arena that its waves use one after the other, taken once. Belongs
 * to the thread of its device.
 */
final class WaveSlot implements AutoCloseable {
    private final DeviceStream stream;
    private final DeviceBuffer arena;
    private final PinnedBuffer staging;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final DeviceBuffer workspace;

    private IssuedWave issued;

    private WaveSlot(DeviceStream stream, DeviceBuffer arena, PinnedBuffer staging, Layout layout) {
        this.stream = stream;
        this.arena = arena;
        this.staging = staging;
        input = arena.slice(0, layout.inputBytes);
        output = arena.slice(layout.inputBytes, layout.outputBytes);
        workspace = arena.slice(layout.inputBytes + layout.outputBytes, layout.workspaceBytes);
    }

    /**
     * How an arena is cut: inputs, outputs, tables.
     *
     * @param workspaceBytes for tables
     */
    record Layout(long inputBytes, long outputBytes, long workspaceBytes) {
        /**
         * For waves of so many output bytes: a quarter more, since what does not compress grows (by a sixth at most
         * with Snappy) and every part is rounded up.
         */
        static Layout of(int waveBytes, long workspaceBytes) {
            long transferBytes = aligned(waveBytes + waveBytes / 4);
            return new Layout(transferBytes, transferBytes, aligned(workspaceBytes));
        }

        /** This layout with space for so much output of one lease. */
        Layout withOutputOf(int leaseBytes) {
            return new Layout(inputBytes, Math.max(outputBytes, aligned(leaseBytes)), workspaceBytes);
        }

        long bytes() {
            return inputBytes + outputBytes + workspaceBytes;
        }
    }

    /** Takes memory and a stream; holds nothing if that fails. */
    static WaveSlot open(Device device, Layout layout) throws DeviceException {
        DeviceBuffer arena = device.allocate(layout.bytes());
        PinnedBuffer staging = null;
        try {
            staging = device.allocatePinned(layout.workspaceBytes);
            return new WaveSlot(device.openStream(), arena, staging, layout);
        } catch (DeviceException failed) {
            if (staging != null) {
                staging.close();
            }
            arena.close();
            throw failed;
        }
    }

    static long aligned(long bytes) {
        return (bytes + FreeRanges.GRAIN_BYTES - 1) / FreeRanges.GRAIN_BYTES * FreeRanges.GRAIN_BYTES;
    }

    /** The wave under way, or null. */
    IssuedWave issued() {
        return issued;
    }

    void begin(IssuedWave wave) {
        issued = wave;
    }

    void end() {
        issued = null;
    }

    DeviceStream stream() {
        return stream;
    }

    DeviceBuffer input() {
        return input;
    }

    DeviceBuffer output() {
        return output;
    }

    DeviceBuffer workspace() {
        return workspace;
    }

    PinnedBuffer staging() {
        return staging;
    }

    @Override
    public void close() {
        stream.close();
        staging.close();
        arena.close();
    }
}
