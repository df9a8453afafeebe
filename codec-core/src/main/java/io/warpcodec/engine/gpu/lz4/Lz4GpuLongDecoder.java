package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.LongBlockBatch;

/**
 * Decodes LZ4 blocks that lie in device memory, each by many warps: blocks of up to 8 MiB, for which one warp takes
 * tens of milliseconds, and chains of blocks that refer to the output of the ones before. Allocates nothing: the
 * caller lends a workspace, a staging area of the same size in pinned memory, and scratch.
 *
 * <p>A block with a defect harms no other, but the bytes of a block that may refer to its output are undefined even
 * where its result is sound. Thread-safe, as long as each call has its own stream, workspace, staging area and
 * scratch.
 */
public final class Lz4GpuLongDecoder implements AutoCloseable {
    /** What jobs from another process may ask for. */
    static final BlockBounds BOUNDS = BlockBounds.of(
                    Direction.DECODE, Lz4Kernels.MAX_LONG_INPUT_BYTES, Lz4Kernels.MAX_LONG_OUTPUT_BYTES)
            .with((inputAt, slotAt, windowBytes) ->
                    windowBytes >= 0 && windowBytes <= Math.min(slotAt, LongBlockBatch.MOST_WINDOW_BYTES));

    private final Lz4Kernels kernels;

    private Lz4GpuLongDecoder(Lz4Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static Lz4GpuLongDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new Lz4GpuLongDecoder(Lz4Kernels.load(device));
    }

    /** Bytes of workspace, and of staging area, for a batch of that many blocks: 48 per block. */
    public static long workspaceBytes(int blockCount) {
        return LongBlockBatch.workspaceBytes(blockCount);
    }

    /**
     * Bytes of scratch: 4 for each output byte, and about 1 for 50 of input.
     *
     * @param inputBytes of all blocks together
     * @param outputBytes up to the end of the last slot
     */
    public static long scratchBytes(long inputBytes, long outputBytes, int blockCount) {
        return LongBlockBatch.scratchBytes(inputBytes, outputBytes, blockCount);
    }

    /**
     * Asks the stream to decode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param blocks none longer than an LZ4 block of 8 MiB can be, with slots of 8 MiB at most and an output that is
     *     aligned to 16 bytes. Limits: how far before its slot each block's matches may reach, at most 64 KiB, into
     *     slots of blocks of this batch
     * @param memory workspace, aligned to 8 bytes, and staging area of {@link #workspaceBytes} at least, scratch of
     *     {@link #scratchBytes}, aligned to 16 bytes
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, a
     *     window reaches before the output, or an alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueDecode(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        LongBlockBatch.enqueue(kernels.longBlocks(), blocks, memory);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param blockCount number of blocks of that batch
     * @param staging the staging area that was lent to it
     */
    public static BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return LongBlockBatch.results(blockCount, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
