package io.warpcodec.engine.gpu.bzip2;

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
 * Decodes the bzip2 blocks of a wave, each with its {@link Bzip2Record} in front. A block with a defect harms no
 * other. Thread-safe, as long as each call has a wave of its own.
 */
final class Bzip2GpuDecoder implements BlockLaunch, AutoCloseable {
    /** What jobs from another process may ask for: chunks with their records. */
    static final BlockBounds BOUNDS = BlockBounds.of(
                    Direction.DECODE,
                    Bzip2Plans.MOST_CHUNK_BYTES + Bzip2Record.MOST_BYTES,
                    Bzip2Kernels.MAX_OUTPUT_BYTES)
            .withAlignment(Bzip2Record.ALIGNMENT_BYTES)
            .withAtLeast(Bzip2Record.FIXED_BYTES + 1, Bzip2Plans.slotBytes(1, 0));

    private static final int SCRATCH_ALIGNMENT_BYTES = 256;

    private final Bzip2Kernels kernels;

    private Bzip2GpuDecoder(Bzip2Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static Bzip2GpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new Bzip2GpuDecoder(Bzip2Kernels.load(device));
    }

    private static long scratchOf(long slotBytes) {
        long grains = (slotBytes + Bzip2Kernels.SLOT_GRAIN_BYTES - 1) / Bzip2Kernels.SLOT_GRAIN_BYTES;
        long bytes = Bzip2Kernels.SCRATCH_FIXED_BYTES
                + grains * Bzip2Kernels.SLOT_GRAIN_BYTES / 16 * Bzip2Kernels.SCRATCH_SIXTEENTHS;
        return (bytes + SCRATCH_ALIGNMENT_BYTES - 1) / SCRATCH_ALIGNMENT_BYTES * SCRATCH_ALIGNMENT_BYTES;
    }

    @Override
    public long workspaceBytes(int blockCount) {
        return BatchTables.bytes(blockCount, Bzip2Kernels.ENTRY_BYTES);
    }

    /**
     * No slot is smaller than level 1's, so that a wave of many entries has no more blocks than its output can take.
     */
    @Override
    public long scratchBytes(int waveBytes, int blockCount) {
        long blocks = Math.min(blockCount, waveBytes / Bzip2Plans.slotBytes(1, 0) + 1);
        return (long) waveBytes / 16 * Bzip2Kernels.SCRATCH_SIXTEENTHS + blocks * scratchOf(1);
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    @Override
    public void enqueue(DeviceBlocks chunks, LaunchMemory memory) throws DeviceException {
        ChunkRanges blocks = chunks.blocks();
        ChunkRanges slots = chunks.slots();
        int count = chunks.count();
        BatchTables tables = BatchTables.cut(count, Bzip2Kernels.ENTRY_BYTES, memory);
        ByteBuffer view = tables.table().view();
        long scratchAt = 0;
        long largestSlot = 0;
        for (int block = 0; block < count; block++) {
            view.putLong(blocks.offsetBytes(block))
                    .putLong(slots.offsetBytes(block))
                    .putLong(scratchAt);
            view.putInt((int) blocks.lengthBytes(block)).putInt((int) slots.lengthBytes(block));
            scratchAt += scratchOf(slots.lengthBytes(block));
            largestSlot = Math.max(largestSlot, slots.lengthBytes(block));
        }
        tables.upload(memory.stream());
        KernelArguments arguments = chunks.arguments(Bzip2Kernels.LAYOUT)
                .buffer("scratch", memory.scratch().slice(0, scratchAt))
                .int64("scratch_bytes", scratchAt)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("block_count", count)
                .int32("largest_slot", (int) largestSlot);
        kernels.launch(count, (int) largestSlot, arguments, memory.stream());
        tables.download(memory.stream());
    }

    @Override
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, Bzip2Kernels.ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
