package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;

/**
 * Hashes ranges of raw bytes that lie on a device, with the one hash that a format keeps. Thread-safe, as long as
 * each call has its own memory.
 */
public interface RawHashing extends AutoCloseable {
    /** Loads the kernels of a hash. */
    @FunctionalInterface
    interface Loading {
        /**
         * Loads them.
         *
         * @throws KernelUnavailableException if there are none for this device
         * @throws DeviceException if the device fails
         */
        RawHashing load(Device device) throws KernelUnavailableException, DeviceException;
    }

    /** Bytes of workspace, and of staging area, for so many ranges. */
    long workspaceBytes(int count);

    /**
     * Asks the stream for the hashes; {@link #values} reads them once the stream has come that far.
     *
     * @param seeds one for each range; 0 where the hash has none
     * @throws DeviceException if the device fails
     */
    void enqueue(
            DeviceBuffer raw,
            ChunkRanges ranges,
            int[] seeds,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException;

    /** The hashes of ranges whose stream has been synchronised. */
    int[] values(int count, PinnedBuffer staging);

    /** Unloads the kernels. */
    @Override
    void close();
}
