package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockDecoding;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;

/**
 * Decodes a batch of LZ4 blocks that lie in device memory, each on its own: no window is carried from one to the next. Allocates nothing:
 * the caller lends a workspace on the device and a staging area of the same size in pinned memory.
 *
 * <p>A block with a defect harms no other. Thread-safe, as long as each call has its own stream, workspace and staging area.
 */
public final class Lz4GpuDecoder implements AutoCloseable {
    private final Lz4Kernels kernels;

    private Lz4GpuDecoder(Lz4Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static Lz4GpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new Lz4GpuDecoder(Lz4Kernels.load(device));
    }

    /** Bytes of workspace, and of staging area, for a batch of that many blocks: 32 per block. */
    public static long workspaceBytes(int blockCount) {
        return BlockBatch.workspaceBytes(blockCount);
    }

    /**
     * Asks the stream to decode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param input device memory that the compressed blocks lie in
     * @param blocks where they lie; none longer than an LZ4 block of 4 MiB can be
     * @param output device memory to decode to, apart from the input
     * @param places where each block's output goes and how long it may be, at most 4 MiB; places must not overlap
     * @param workspace at least {@link #workspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #workspaceBytes}
     * @param stream where the work queues
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an alignment is wrong;
     *     nothing is launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueDecode(
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges places,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        BlockBatch.enqueue(
                BlockDecoding.launch(
                        kernels.decodeBlocks(),
                        blocks.count(),
                        Lz4Kernels.MAX_INPUT_BYTES,
                        Lz4Kernels.MAX_OUTPUT_BYTES),
                input,
                blocks,
                output,
                places,
                workspace,
                staging,
                stream);
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
