package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
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
    public static void enqueue(
            Launch launch,
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges slots,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        blocks.requireWithin(input.bytes());
        slots.requireWithin(output.bytes());
        int count = blocks.count();
        if (slots.count() != count) {
            throw new IllegalArgumentException(count + " blocks, " + slots.count() + " slots");
        }
        requireAtMost("block", blocks, launch.maxInputBytes());
        requireAtMost("slot", slots, launch.maxOutputBytes());
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, workspace, staging);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        for (int block = 0; block < count; block++) {
            view.putLong(blocks.offsetBytes(block)).putLong(slots.offsetBytes(block));
            view.putInt((int) blocks.lengthBytes(block)).putInt((int) slots.lengthBytes(block));
        }
        tables.upload(stream);
        KernelArguments arguments = new KernelArguments(launch.layout())
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("output", output)
                .int64("output_bytes", output.bytes())
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("block_count", count);
        launch.kernel()
                .launch(launch.ctaCount(), launch.ctaThreads(), launch.rest().apply(arguments), stream);
        tables.download(stream);
    }

    /** The results of a batch whose stream has been synchronised. */
    public static BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ENTRY_BYTES, staging);
    }

    public static void requireAtMost(String what, ChunkRanges ranges, int maxBytes) {
        for (int index = 0; index < ranges.count(); index++) {
            if (ranges.lengthBytes(index) > maxBytes) {
                throw new IllegalArgumentException(
                        what + " " + index + " has " + ranges.lengthBytes(index) + " bytes, more than " + maxBytes);
            }
        }
    }
}
