package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import java.util.Map;

/**
 * Decodes a batch of blocks of one format that lie in device memory, each on its own: no window is carried from one
 * to the next. Allocates nothing: the caller lends a workspace on the device and a staging area of
 * the same size in pinned memory.
 *
 * <p>A block with a defect harms no other. Thread-safe, as long as each call has its own stream, workspace and
 * staging area.
 */
public final class BlockGpuDecoder implements AutoCloseable {
    public static final int CTA_THREADS = 64;
    public static final int TEAM_THREADS = 256;

    /** How a block is decoded; the results are the same. */
    public enum Strategy {
        /** By one warp: for batches that fill a device with a warp for each block. */
        WARP(CTA_THREADS, CTA_THREADS / 32),
        /** By a cta of several: for few blocks that are long. */
        TEAM(TEAM_THREADS, 1);

        /** Teams that an H200 holds. */
        private static final int MOST_TEAMS = 396;
        /** Mean bytes of a slot. A warp is done with less in a millisecond. */
        private static final int LONG_BYTES = 128 << 10;

        private final int ctaThreads;
        private final int ctaBlocks;

        Strategy(int ctaThreads, int ctaBlocks) {
            this.ctaThreads = ctaThreads;
            this.ctaBlocks = ctaBlocks;
        }

        /** The best one for so many blocks at a time, with slots of so many bytes together. */
        public static Strategy of(int blockCount, long slotBytes) {
            boolean areFew = blockCount <= MOST_TEAMS;
            return areFew && slotBytes >= (long) blockCount * LONG_BYTES ? TEAM : WARP;
        }
    }

    private final KernelModule module;
    private final Map<Strategy, KernelFunction> kernels;
    private final int maxInputBytes;
    private final int maxOutputBytes;

    /**
     * @param module unloaded when the decoder is closed
     * @param kernel name of its entry that decodes a batch by warps; that for teams has {@code _team} behind it
     * @param maxInputBytes longest block
     * @param maxOutputBytes longest slot
     * @throws DeviceException if the device fails
     */
    public BlockGpuDecoder(KernelModule module, String kernel, int maxInputBytes, int maxOutputBytes)
            throws DeviceException {
        this.module = module;
        this.kernels = Map.of(Strategy.WARP, module.function(kernel), Strategy.TEAM, module.function(kernel + "_team"));
        this.maxInputBytes = maxInputBytes;
        this.maxOutputBytes = maxOutputBytes;
    }

    /** Bytes of workspace, and of staging area, for a batch of that many blocks: 32 per block. */
    public static long workspaceBytes(int blockCount) {
        return BlockBatch.workspaceBytes(blockCount);
    }

    /** Asks the stream to decode as is best for so many and so long blocks. */
    public void enqueueDecode(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        enqueueDecode(Strategy.of(blocks.count(), blocks.slots().totalBytes()), blocks, memory);
    }

    /**
     * Asks the stream to decode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param strategy how
     * @param blocks none longer than the format needs for 4 MiB, with slots of 4 MiB at most
     * @param memory workspace, aligned to 8 bytes, and staging area of {@link #workspaceBytes} at least
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueDecode(Strategy strategy, DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        BlockBatch.Launch launch = new BlockBatch.Launch(
                kernels.get(strategy),
                BlockBatch.LAYOUT,
                (blocks.count() + strategy.ctaBlocks - 1) / strategy.ctaBlocks,
                strategy.ctaThreads,
                maxInputBytes,
                maxOutputBytes,
                arguments -> arguments);
        BlockBatch.enqueue(launch, blocks, memory);
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
