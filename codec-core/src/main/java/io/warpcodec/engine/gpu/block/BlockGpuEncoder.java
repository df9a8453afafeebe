package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;

/**
 * Encodes a batch of blocks of one format, each on its own, from and to device memory, a warp each. Same input and level, same bytes, whatever
 * the device and the batch. Allocates nothing: the caller lends a workspace on the device and a staging area in pinned memory.
 *
 * <p>A block that does not fit its slot harms no other. Thread-safe, as long as each call has its own stream, workspace and staging area.
 */
public final class BlockGpuEncoder implements AutoCloseable {
    // The plain kernel gets a cta for each block. The linked one keeps links for each cta in the workspace, behind the
    // tables, so it gets no more ctas than the device runs at once, and each takes one block after the other.

    public static final int CTA_THREADS = 32;
    /** A link of 16 bits for each position of a window of 64 KiB. */
    public static final int LINK_BYTES = 2 << 16;

    /** {@code LinkedBatch} of {@code lz77_encode.cuh}, which the linked kernel takes. */
    public static final ArgumentLayout LINKED_LAYOUT =
            BlockBatch.LAYOUT.named("linked_batch").pointer("links").int32("depth");

    private final KernelModule module;
    private final KernelFunction plain;
    private final KernelFunction linked;
    private final int linkedCtaCount;
    private final int maxRawBytes;
    private final int maxEncodedBytes;

    /**
     * @param module unloaded when the encoder is closed
     * @param plain an entry of it that encodes a batch
     * @param linked one that encodes a batch with links
     * @param maxRawBytes longest block
     * @param maxEncodedBytes longest slot
     * @throws DeviceException if the device fails
     */
    public BlockGpuEncoder(
            KernelModule module, KernelFunction plain, KernelFunction linked, int maxRawBytes, int maxEncodedBytes)
            throws DeviceException {
        this.module = module;
        this.plain = plain;
        this.linked = linked;
        this.linkedCtaCount = linked.residentCtaCount(CTA_THREADS);
        this.maxRawBytes = maxRawBytes;
        this.maxEncodedBytes = maxEncodedBytes;
    }

    /**
     * Bytes of workspace for a batch of that many blocks: 32 per block and, unless the level is FAST, 128 KiB for each block that the
     * device works on at once (2,244 on 132 multiprocessors).
     */
    public long workspaceBytes(EncodeLevel level, int blockCount) {
        return BlockBatch.workspaceBytes(blockCount)
                + (level.isLinked() ? (long) linkedCtas(blockCount) * LINK_BYTES : 0);
    }

    /** Bytes of staging area for a batch of that many blocks: 32 per block. */
    public static long stagingBytes(int blockCount) {
        return BlockBatch.workspaceBytes(blockCount);
    }

    /**
     * Asks the stream to encode; {@link #results} reads what came of it once the stream has come that far. A block is
     * {@link BlockResult.Status#SOUND} if it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does not fit its slot:
     * then it is better stored as it is. No byte outside the slots is written.
     *
     * @param level how hard to look for matches
     * @param input device memory that the raw blocks lie in
     * @param blocks where they lie; none longer than 4 MiB
     * @param output device memory to encode to, apart from the input
     * @param slots where each block's output goes and how long it may be; slots must not overlap
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
            ChunkRanges slots,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        BlockBatch.Launch launch = level.isLinked()
                ? linkedLaunch(level, blocks.count(), workspace)
                : new BlockBatch.Launch(
                        plain,
                        BlockBatch.LAYOUT,
                        blocks.count(),
                        CTA_THREADS,
                        maxRawBytes,
                        maxEncodedBytes,
                        arguments -> arguments);
        BlockBatch.enqueue(launch, input, blocks, output, slots, workspace, staging, stream);
    }

    private BlockBatch.Launch linkedLaunch(EncodeLevel level, int blockCount, DeviceBuffer workspace) {
        long tableBytes = BlockBatch.workspaceBytes(blockCount);
        DeviceBuffer links = workspace.slice(tableBytes, workspaceBytes(level, blockCount) - tableBytes);
        return new BlockBatch.Launch(
                linked,
                LINKED_LAYOUT,
                linkedCtas(blockCount),
                CTA_THREADS,
                maxRawBytes,
                maxEncodedBytes,
                arguments -> arguments.buffer("links", links).int32("depth", level.depth()));
    }

    private int linkedCtas(int blockCount) {
        return Math.min(blockCount, linkedCtaCount);
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
        module.close();
    }
}
