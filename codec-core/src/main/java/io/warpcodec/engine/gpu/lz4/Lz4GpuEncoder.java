package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.EncodeLevel;

/**
 * Encodes a batch of blocks as LZ4 blocks, each on its own, from and to device memory. Same input and options, same bytes, whatever
 * the device and the batch. Allocates nothing: the caller lends a workspace on the device and a staging area in pinned memory.
 *
 * <p>A block that does not fit its place harms no other. Thread-safe, as long as each call has its own stream, workspace and staging area.
 */
public final class Lz4GpuEncoder implements AutoCloseable {
    private final Lz4Kernels kernels;

    private Lz4GpuEncoder(Lz4Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static Lz4GpuEncoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new Lz4GpuEncoder(Lz4Kernels.load(device));
    }

    /**
     * Bytes of workspace for a batch of that many blocks: 32 per block and, unless the level is FAST, 128 KiB for each block that the
     * device works on at once (2,244 on 132 multiprocessors).
     */
    public long workspaceBytes(EncodeLevel level, int blockCount) {
        return kernels.encoding().workspaceBytes(level, blockCount);
    }

    /** Bytes of staging area for a batch of that many blocks: 32 per block. */
    public static long stagingBytes(int blockCount) {
        return BlockBatch.workspaceBytes(blockCount);
    }

    /**
     * Asks the stream to encode; {@link #results} reads what came of it once the stream has come that far. A block is
     * {@link BlockResult.Status#SOUND} if it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does not fit its place:
     * then it is better stored as it is. No byte outside the places is written.
     *
     * @param level how hard to look for matches
     * @param input device memory that the raw blocks lie in
     * @param blocks where they lie; none longer than 4 MiB
     * @param output device memory to encode to, apart from the input
     * @param places where each block's output goes and how long it may be; places must not overlap
     * @param workspace at least {@link #workspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #stagingBytes}
     * @param stream where the work queues
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an alignment is wrong;
     *     nothing is launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueEncode(
            EncodeLevel level,
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges places,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        kernels.encoding().enqueue(level, input, blocks, output, places, workspace, staging, stream);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param blockCount number of blocks of that batch
     * @param staging the staging area that was lent to it
     */
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BlockBatch.results(blockCount, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
