package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;

/**
 * Launches the kernels of one program over all blocks of a wave. Thread-safe, as long as each call has memory and slots
 * of its own.
 */
@FunctionalInterface
public interface BlockLaunch {
    /**
     * Asks the stream to decode or encode blocks.
     *
     * @param memory of at least {@link #workspaceBytes} and {@link #scratchBytes}
     * @throws DeviceException if the device fails
     */
    void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException;

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
    default Next enqueueNext(DeviceBlocks blocks, LaunchMemory memory, int step) throws DeviceException {
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

    /** Whether output may be longer than a wave ({@link io.warpcodec.device.pool.WaveProgram#takesLongLeases}). */
    default boolean takesLongLeases() {
        return false;
    }

    /** What came of the blocks of a wave whose stream has been synchronised. */
    default BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BlockBatch.results(blockCount, staging);
    }
}
