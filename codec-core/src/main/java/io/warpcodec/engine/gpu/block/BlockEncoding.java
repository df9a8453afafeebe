package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;

/**
 * One format's pair of encoding kernels, and how a batch is dealt out to them: one warp a cta. Thread-safe.
 *
 * <p>The plain kernel gets a cta for each block. The linked one keeps links for each cta in the workspace, behind the tables, so it gets no
 * more ctas than the device runs at once, and each takes one block after the other.
 */
public final class BlockEncoding {
    public static final int CTA_THREADS = 32;
    /** A link of 16 bits for each place of a window of 64 KiB. */
    public static final int LINK_BYTES = 2 << 16;

    /** {@code LinkedBatch} of {@code lz77_encode.cuh}, which the linked kernel takes. */
    public static final ArgumentLayout LINKED_LAYOUT =
            BlockBatch.LAYOUT.named("linked_batch").pointer("links").int32("depth");

    private final KernelFunction plain;
    private final KernelFunction linked;
    private final int linkedCtaCount;
    private final int maxRawBytes;
    private final int maxEncodedBytes;

    public BlockEncoding(KernelFunction plain, KernelFunction linked, int maxRawBytes, int maxEncodedBytes)
            throws DeviceException {
        this.plain = plain;
        this.linked = linked;
        this.linkedCtaCount = linked.residentCtaCount(CTA_THREADS);
        this.maxRawBytes = maxRawBytes;
        this.maxEncodedBytes = maxEncodedBytes;
    }

    /** Bytes of workspace for a batch. */
    public long workspaceBytes(EncodeLevel level, int blockCount) {
        return BlockBatch.workspaceBytes(blockCount)
                + (level.isLinked() ? (long) linkedCtas(blockCount) * LINK_BYTES : 0);
    }

    public void enqueue(
            EncodeLevel level,
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges places,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        int count = blocks.count();
        BlockBatch.Launch launch;
        if (level.isLinked()) {
            long tableBytes = BlockBatch.workspaceBytes(count);
            DeviceBuffer links = workspace.slice(tableBytes, workspaceBytes(level, count) - tableBytes);
            launch = new BlockBatch.Launch(
                    linked,
                    LINKED_LAYOUT,
                    linkedCtas(count),
                    CTA_THREADS,
                    maxRawBytes,
                    maxEncodedBytes,
                    arguments -> arguments.buffer("links", links).int32("depth", level.depth()));
        } else {
            launch = plainLaunch(plain, count, maxRawBytes, maxEncodedBytes);
        }
        BlockBatch.enqueue(launch, input, blocks, output, places, workspace, staging, stream);
    }

    /** A cta for each block. */
    private static BlockBatch.Launch plainLaunch(
            KernelFunction kernel, int blockCount, int maxRawBytes, int maxEncodedBytes) {
        return new BlockBatch.Launch(
                kernel,
                BlockBatch.LAYOUT,
                blockCount,
                CTA_THREADS,
                maxRawBytes,
                maxEncodedBytes,
                arguments -> arguments);
    }

    private int linkedCtas(int blockCount) {
        return Math.min(blockCount, linkedCtaCount);
    }
}
