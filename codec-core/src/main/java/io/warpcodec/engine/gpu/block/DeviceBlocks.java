package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.KernelArguments;

/**
 * Blocks in device memory, and the slot that each is decoded or encoded to. Immutable as long as its limits are
 * not changed.
 *
 * @param input device memory that the blocks lie in, less than 2 GiB
 * @param blocks where they lie
 * @param output device memory, less than 2 GiB, apart from the input
 * @param slots where the output of each block goes, and how long it may be; slots must not overlap
 * @param limits of each block, as {@link BlockJob} names them; empty if no block has one
 */
public record DeviceBlocks(
        DeviceBuffer input, ChunkRanges blocks, DeviceBuffer output, ChunkRanges slots, int[] limits) {
    /** Blocks without limits. */
    public DeviceBlocks(DeviceBuffer input, ChunkRanges blocks, DeviceBuffer output, ChunkRanges slots) {
        this(input, blocks, output, slots, new int[0]);
    }

    /** What kernels take of the memory: {@code input}, {@code output}, and the bytes of both. */
    public KernelArguments arguments(ArgumentLayout layout) {
        return new KernelArguments(layout)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("output", output)
                .int64("output_bytes", output.bytes());
    }

    /** How many. */
    public int count() {
        return blocks.count();
    }

    /**
     * Checks that all blocks and slots lie in their memory and are no longer than this, and that there is a slot for
     * each block.
     *
     * @param maxBlockBytes longest block, in bytes
     * @param maxSlotBytes longest slot
     * @throws IllegalArgumentException if not
     */
    public void require(int maxBlockBytes, int maxSlotBytes) {
        blocks.requireWithin(input.bytes());
        slots.requireWithin(output.bytes());
        if (slots.count() != count()) {
            throw new IllegalArgumentException(count() + " blocks, " + slots.count() + " slots");
        }
        requireAtMost("block", blocks, maxBlockBytes);
        requireAtMost("slot", slots, maxSlotBytes);
    }

    private static void requireAtMost(String what, ChunkRanges ranges, int maxBytes) {
        for (int index = 0; index < ranges.count(); index++) {
            if (ranges.lengthBytes(index) > maxBytes) {
                throw new IllegalArgumentException(
                        what + " " + index + " has " + ranges.lengthBytes(index) + " bytes, more than " + maxBytes);
            }
        }
    }

    /**
     * Checks that each block's limit is a window within what lies before it.
     *
     * @param before ranges that windows end at: the slots of decoders, the blocks of encoders
     * @param maxWindowBytes longest window
     * @throws IllegalArgumentException if not
     */
    public void requireWindows(ChunkRanges before, int maxWindowBytes) {
        if (limits.length != count()) {
            throw new IllegalArgumentException(count() + " blocks, " + limits.length + " windows");
        }
        for (int block = 0; block < limits.length; block++) {
            if (limits[block] < 0 || limits[block] > Math.min(before.offsetBytes(block), maxWindowBytes)) {
                throw new IllegalArgumentException("block " + block + " at " + before.offsetBytes(block)
                        + " has a window of " + limits[block] + " bytes");
            }
        }
    }
}
