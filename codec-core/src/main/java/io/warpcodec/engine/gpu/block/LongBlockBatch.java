package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;
import java.nio.ByteBuffer;

/**
 * The tables of a batch of blocks that many warps decode each, and the four kernels over them: {@code lz77_long.cuh}.
 * Results come back behind the table in the staging area.
 */
public final class LongBlockBatch {
    // Workspace and staging begin alike: the table of blocks, then one result per block. Scratch: a word for each
    // output byte, what is known of each piece of input twice, a word for each block; each part aligned.

    /**
     * Offsets of input and output of 64 bits; input length, output limit, window, first piece, first tile and 0 of
     * 32; little-endian.
     */
    public static final int ENTRY_BYTES = 40;

    /** {@code LongBatch} of {@code lz77_long.cuh}, which the kernels take. */
    public static final ArgumentLayout LAYOUT = ArgumentLayout.of("long_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .pointer("sources")
            .pointer("guesses")
            .pointer("starts")
            .pointer("defects")
            .int32("block_count")
            .int32("piece_count")
            .int32("tile_count");

    public static final int PIECE_BYTES = 1024;
    public static final int TILE_BYTES = 2048;
    public static final int GUESS_BYTES = 12;
    public static final int START_BYTES = 8;
    public static final int PARSE_CTA_THREADS = 64;
    public static final int STITCH_CTA_THREADS = 32;
    public static final int PRODUCE_CTA_THREADS = 512;

    private static final int WARP_LANES = 32;
    private static final int ALIGNMENT_BYTES = 16;
    /** Most bytes that matches reach back. */
    public static final int MOST_WINDOW_BYTES = 1 << 16;

    /**
     * The kernels of a format, in their order.
     *
     * @param maxInputBytes longest block
     * @param maxOutputBytes longest slot
     */
    public record Kernels(
            KernelFunction guessPieces,
            KernelFunction stitchBlocks,
            KernelFunction findSources,
            KernelFunction produce,
            int maxInputBytes,
            int maxOutputBytes) {}

    /** Device memory of undefined contents, cut into its parts. */
    private record Scratch(DeviceBuffer sources, DeviceBuffer guesses, DeviceBuffer starts, DeviceBuffer defects) {
        static Scratch cut(DeviceBuffer memory, long outputBytes, int pieceCount, int blockCount) {
            long guessesAt = aligned(Integer.BYTES * outputBytes);
            long startsAt = guessesAt + aligned((long) GUESS_BYTES * pieceCount);
            long defectsAt = startsAt + aligned((long) START_BYTES * pieceCount);
            return new Scratch(
                    memory.slice(0, guessesAt),
                    memory.slice(guessesAt, startsAt - guessesAt),
                    memory.slice(startsAt, defectsAt - startsAt),
                    memory.slice(defectsAt, (long) Integer.BYTES * blockCount));
        }
    }

    private LongBlockBatch() {}

    /** Bytes of the table and the results of that many blocks. */
    public static long workspaceBytes(int blockCount) {
        return BatchTables.bytes(blockCount, ENTRY_BYTES);
    }

    /**
     * Scratch for a batch, in bytes.
     *
     * @param inputBytes of all blocks together
     * @param outputBytes up to the end of the last slot
     */
    public static long scratchBytes(long inputBytes, long outputBytes, int blockCount) {
        long pieceCount = inputBytes / PIECE_BYTES + blockCount;
        return aligned(Integer.BYTES * outputBytes)
                + aligned(GUESS_BYTES * pieceCount)
                + aligned(START_BYTES * pieceCount)
                + (long) Integer.BYTES * blockCount;
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Checks everything, then asks the stream to upload the table, run the kernels and bring back the results. */
    public static void enqueue(Kernels kernels, DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        ChunkRanges ranges = blocks.blocks();
        ChunkRanges slots = blocks.slots();
        int[] windowBytes = blocks.limits();
        blocks.require(kernels.maxInputBytes(), kernels.maxOutputBytes());
        blocks.requireWindows(slots, MOST_WINDOW_BYTES);
        int count = blocks.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        blocks.output().requireAligned(ALIGNMENT_BYTES);
        memory.scratch().requireAligned(ALIGNMENT_BYTES);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        int pieceCount = 0;
        int tileCount = 0;
        long outputBytes = 0;
        for (int block = 0; block < count; block++) {
            long slotAt = slots.offsetBytes(block);
            long slotLimit = slotAt + slots.lengthBytes(block);
            view.putLong(ranges.offsetBytes(block)).putLong(slotAt);
            view.putInt((int) ranges.lengthBytes(block)).putInt((int) slots.lengthBytes(block));
            view.putInt(windowBytes[block]).putInt(pieceCount).putInt(tileCount).putInt(0);
            pieceCount += Math.max(1, parts(ranges.lengthBytes(block), PIECE_BYTES));
            tileCount += Math.max(1, parts(slotAt % TILE_BYTES + slots.lengthBytes(block), TILE_BYTES));
            outputBytes = Math.max(outputBytes, slotLimit);
        }
        Scratch parts = Scratch.cut(memory.scratch(), outputBytes, pieceCount, count);
        DeviceStream stream = memory.stream();
        tables.upload(stream);
        KernelArguments arguments = new KernelArguments(LAYOUT)
                .buffer("input", blocks.input())
                .int64("input_bytes", blocks.input().bytes())
                .buffer("output", blocks.output())
                .int64("output_bytes", outputBytes)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .buffer("sources", parts.sources())
                .buffer("guesses", parts.guesses())
                .buffer("starts", parts.starts())
                .buffer("defects", parts.defects())
                .int32("block_count", count)
                .int32("piece_count", pieceCount)
                .int32("tile_count", tileCount);
        int parseWarps = PARSE_CTA_THREADS / WARP_LANES;
        kernels.guessPieces().launch(parts(pieceCount, parseWarps), PARSE_CTA_THREADS, arguments, stream);
        kernels.stitchBlocks().launch(count, STITCH_CTA_THREADS, arguments, stream);
        kernels.findSources().launch(parts(tileCount, parseWarps), PARSE_CTA_THREADS, arguments, stream);
        kernels.produce().launch(tileCount, PRODUCE_CTA_THREADS, arguments, stream);
        tables.download(stream);
    }

    /** How many parts of a size cover so much. */
    private static int parts(long whole, int part) {
        return Math.toIntExact((whole + part - 1) / part);
    }

    /** The results of a batch whose stream has been synchronised. */
    public static BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ENTRY_BYTES, staging);
    }
}
