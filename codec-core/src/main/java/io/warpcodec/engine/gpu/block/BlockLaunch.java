package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.pool.Wave;

/**
 * Launches the kernels of one program over all blocks of a wave. Thread-safe, as long as each call has a wave of its
 * own.
 */
public interface BlockLaunch {
    /**
     * Asks the wave's stream to decode or encode blocks.
     *
     * @param blocks where they lie in the wave's input
     * @param slots where the output of each goes in the wave's output, and how long it may be
     * @param limits of each block: how far before its slot, or before its raw bytes where it is encoded, its matches
     *     may reach; to encode bzip2 how many bytes of text it may have
     * @throws DeviceException if the device fails
     */
    void enqueue(Wave wave, ChunkRanges blocks, ChunkRanges slots, int[] limits) throws DeviceException;

    /** Whether {@link #enqueue} asks for everything, so that {@link #enqueueNext} is not called. */
    default boolean isWhole() {
        return true;
    }

    /** What {@link #enqueueNext} has done. */
    enum Next {
        /** It has asked for work, and there is more behind it. */
        MORE,
        /** It has asked for the last work. */
        LAST,
        /** Nothing: the stream has done all. */
        DONE
    }

    /**
     * Asks for what comes next, when the stream has done everything.
     *
     * @param step 1, 2, ... after {@link #enqueue}
     * @throws DeviceException if the device fails
     */
    default Next enqueueNext(Wave wave, int step) throws DeviceException {
        return Next.DONE;
    }

    /** Bytes of workspace, and of staging area, for so many blocks. */
    default long workspaceBytes(int blockCount) {
        return BlockBatch.workspaceBytes(blockCount);
    }

    /** Bytes of scratch for so many blocks, whose input and output together have {@code waveBytes} at most. */
    default long scratchBytes(int waveBytes, int blockCount) {
        return 0;
    }

    /** Whether its waves may wait for scratch ({@link io.warpcodec.device.pool.WaveProgram#mayWaitForScratch}). */
    default boolean mayWaitForScratch() {
        return false;
    }

    /** What came of the blocks of a wave whose stream has been synchronised. */
    default BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BlockBatch.results(blockCount, staging);
    }

    /** A launch of blocks that no other block's bytes are needed for. */
    @FunctionalInterface
    interface Alone {
        /**
         * Asks a stream to decode or encode blocks.
         *
         * @throws DeviceException if the device fails
         */
        void enqueue(
                DeviceBuffer input,
                ChunkRanges blocks,
                DeviceBuffer output,
                ChunkRanges slots,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException;
    }

    /** The launch of blocks that stand alone. */
    static BlockLaunch alone(Alone launch) {
        return (wave, blocks, slots, windowBytes) -> launch.enqueue(
                wave.input(), blocks, wave.output(), slots, wave.workspace(), wave.staging(), wave.stream());
    }
}
