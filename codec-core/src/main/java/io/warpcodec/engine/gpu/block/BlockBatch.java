package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/**
 * The tables of a batch of blocks, each decoded or encoded by one warp, which LZ4 and Snappy share:
 * {@code common/batch.cuh}. Results come back behind the table in the staging area.
 */
public final class BlockBatch {
    /** Input offset and output offset of 64 bits, input length and output limit of 32, little-endian. */
    public static final int ENTRY_BYTES = 24;
    /** Status and output length, 32 bits each, little-endian. */
    public static final int RESULT_BYTES = 8;

    /** {@code Batch} of {@code common/batch.cuh}, which kernels take or which begins what they take. */
    public static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("block_count");

    /**
     * A kernel that takes a batch, and what it takes.
     *
     * @param layout of the struct that it takes, which begins as {@link #LAYOUT} does
     * @param ctaCount grid, if there is at least one block
     * @param maxInputBytes longest block
     * @param maxOutputBytes longest slot
     * @param rest sets the fields behind the batch's
     */
    public record Launch(
            KernelFunction kernel,
            ArgumentLayout layout,
            int ctaCount,
            int ctaThreads,
            int maxInputBytes,
            int maxOutputBytes,
            UnaryOperator<KernelArguments> rest) {}

    private BlockBatch() {}

    /** Bytes of the table and the results of that many blocks. */
    public static long workspaceBytes(int blockCount) {
        return BatchTables.bytes(blockCount, ENTRY_BYTES);
    }

    /** Checks everything, then asks the stream to upload the table, run the kernel and bring back the results. */
    public static void enqueue(Launch launch, DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        blocks.require(launch.maxInputBytes(), launch.maxOutputBytes());
        int count = blocks.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        if (count == 0) {
            return;
        }
        ChunkRanges ranges = blocks.blocks();
        ChunkRanges slots = blocks.slots();
        ByteBuffer view = tables.table().view();
        for (int block = 0; block < count; block++) {
            view.putLong(ranges.offsetBytes(block)).putLong(slots.offsetBytes(block));
            view.putInt((int) ranges.lengthBytes(block)).putInt((int) slots.lengthBytes(block));
        }
        tables.upload(memory.stream());
        KernelArguments arguments = blocks.arguments(launch.layout())
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("block_count", count);
        launch.kernel()
                .launch(launch.ctaCount(), launch.ctaThreads(), launch.rest().apply(arguments), memory.stream());
        tables.download(memory.stream());
    }

    /** The results of a batch whose stream has been synchronised. */
    public static BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ENTRY_BYTES, staging);
    }
}
