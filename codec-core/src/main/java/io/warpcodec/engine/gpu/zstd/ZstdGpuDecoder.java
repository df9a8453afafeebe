package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BatchTables;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.nio.ByteBuffer;

/**
 * Decodes the zstd frames of a wave, each with its {@link ZstdRecord} in front. A frame with a defect harms no
 * other. Thread-safe, as long as each call has a wave of its own.
 */
final class ZstdGpuDecoder implements BlockLaunch, AutoCloseable {
    private static final int LEAST_MATCH_BYTES = 3;
    private static final int SCRATCH_ALIGNMENT_BYTES = 256;
    private static final int PART_ALIGNMENT_BYTES = 16;
    /** What a stretch has beside a sequence for each three bytes of output. */
    private static final int SPARE_SEQUENCES = 4;

    private static final int MOST_BLOCKS = ZstdBlocks.mostBlocks(ZstdPlans.MOST_FRAME_BYTES);
    private static final int MOST_INPUT_BYTES = ZstdRecord.FIXED_BYTES
            + MOST_BLOCKS * ZstdRecord.BLOCK_BYTES
            + ZstdPlans.MOST_FRAME_BYTES
            + MOST_BLOCKS * 4
            + 32;

    /** What jobs from another process may ask for: frames with their records. */
    static final BlockBounds BOUNDS = BlockBounds.of(Direction.DECODE, MOST_INPUT_BYTES, ZstdPlans.MOST_FRAME_BYTES)
            .withAtLeast(ZstdRecord.FIXED_BYTES + 1, 1)
            .withHashes();

    private final ZstdKernels kernels;

    private ZstdGpuDecoder(ZstdKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static ZstdGpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new ZstdGpuDecoder(ZstdKernels.load(device));
    }

    private static long rounded(long bytes, int multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }

    private static long stateBytes(int outputBytes) {
        return (long) ZstdBlocks.mostBlocks(outputBytes) * ZstdKernels.BLOCK_STATE_BYTES;
    }

    private static long tokenBytes(int outputBytes) {
        return (long) ZstdKernels.SEQUENCE_BYTES * (outputBytes / LEAST_MATCH_BYTES + SPARE_SEQUENCES);
    }

    private static long sourceBytes(int outputBytes, boolean hasSources) {
        return hasSources ? (long) Integer.BYTES * outputBytes : 0;
    }

    /** Bytes of a frame's stretch: {@code frame_scratch_bytes} of {@code zstd_scratch.cuh}. */
    static long frameScratchBytes(int outputBytes, boolean hasSources) {
        return rounded(
                stateBytes(outputBytes)
                        + rounded(tokenBytes(outputBytes), PART_ALIGNMENT_BYTES)
                        + rounded(sourceBytes(outputBytes, hasSources), PART_ALIGNMENT_BYTES),
                SCRATCH_ALIGNMENT_BYTES);
    }

    /** Bytes in front of the stretches. */
    static long batchScratchBytes(int frameCount) {
        return rounded((frameCount + 1L) * Integer.BYTES, SCRATCH_ALIGNMENT_BYTES);
    }

    @Override
    public long workspaceBytes(int blockCount) {
        return BatchTables.bytes(blockCount, ZstdKernels.ENTRY_BYTES);
    }

    /** Enough for any frames that decode to so much: each stretch is rounded in three places. */
    @Override
    public long scratchBytes(int waveBytes, int blockCount) {
        boolean hasSources = ZstdKernels.takesSources(blockCount);
        long mostRounding = SCRATCH_ALIGNMENT_BYTES + 2L * PART_ALIGNMENT_BYTES;
        return batchScratchBytes(blockCount)
                + stateBytes(waveBytes)
                + tokenBytes(waveBytes)
                + sourceBytes(waveBytes, hasSources)
                + blockCount * (stateBytes(0) + tokenBytes(0) + mostRounding);
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    @Override
    public void enqueue(DeviceBlocks frames, LaunchMemory memory) throws DeviceException {
        ChunkRanges inputs = frames.blocks();
        ChunkRanges slots = frames.slots();
        int count = frames.count();
        BatchTables tables = BatchTables.cut(count, ZstdKernels.ENTRY_BYTES, memory);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        long scratchAt = batchScratchBytes(count);
        boolean hasSources = ZstdKernels.takesSources(count);
        int tiles = 0;
        for (int frame = 0; frame < count; frame++) {
            int slotBytes = (int) slots.lengthBytes(frame);
            view.putLong(inputs.offsetBytes(frame))
                    .putLong(slots.offsetBytes(frame))
                    .putLong(scratchAt);
            view.putInt((int) inputs.lengthBytes(frame)).putInt(slotBytes);
            view.putInt(tiles).putInt(0);
            scratchAt += frameScratchBytes(slotBytes, hasSources);
            tiles += (slotBytes + ZstdKernels.TILE_BYTES - 1) / ZstdKernels.TILE_BYTES;
        }
        tables.upload(memory.stream());
        KernelArguments arguments = frames.arguments(ZstdKernels.LAYOUT)
                .buffer("scratch", memory.scratch().slice(0, scratchAt))
                .int64("scratch_bytes", scratchAt)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("frame_count", count)
                .int32("tile_count", tiles);
        kernels.launch(count, tiles, arguments, memory.stream());
        tables.download(memory.stream());
    }

    @Override
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ZstdKernels.ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
