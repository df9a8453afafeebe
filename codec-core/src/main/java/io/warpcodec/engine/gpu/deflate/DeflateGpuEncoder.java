package io.warpcodec.engine.gpu.deflate;

import static io.warpcodec.engine.gpu.deflate.DeflateEncodeKernels.*;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BatchTables;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.nio.ByteBuffer;

/**
 * Encodes a batch of raw ranges, each as one DEFLATE stream (RFC 1951) of blocks of 64 KiB or as a piece of one, from
 * and to device memory. Same input and level, same bytes, whatever the device and the batch. Allocates nothing: the
 * caller lends a workspace and scratch on the device and a staging area in pinned memory.
 *
 * <p>A stream that does not fit its slot harms no other. Thread-safe, as long as each call has its own stream,
 * workspace, staging area and scratch.
 */
public final class DeflateGpuEncoder implements AutoCloseable {
    // Scratch: a record for each block, a slot for the bits of each block, and 16 bits of tokens for each byte of the
    // slots. Behind them, by price: the matches of each byte of the slots, the prices of each block, and a step of 32
    // bits for each byte.

    /** How what a range becomes ends. */
    public enum Ending {
        /** With a final block: it is a stream by itself. */
        STREAM,
        /** With an empty stored block, at a byte boundary, as a sync flush does: more blocks may follow. */
        FLUSH
    }

    /** What jobs from another process may ask for; slots of more bytes than a range needs are not filled. */
    static final BlockBounds BOUNDS = BlockBounds.of(Direction.ENCODE, MAX_INPUT_BYTES, Integer.MAX_VALUE)
            .with((inputAt, slotAt, windowBytes) -> windowBytes >= 0 && windowBytes <= Math.min(WINDOW_BYTES, inputAt));

    private static final int ALIGNMENT_BYTES = 16;

    private final DeflateEncodeKernels kernels;

    private DeflateGpuEncoder(DeflateEncodeKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static DeflateGpuEncoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new DeflateGpuEncoder(DeflateEncodeKernels.load(device));
    }

    /** Earlier positions that are tried for each position, at most. */
    private static int depth(EncodeLevel level) {
        return switch (level) {
            case FAST -> 1;
            case DEFAULT -> 12;
            case HIGH, BEST -> 64;
        };
    }

    /** The most bytes that a range of so many may become. */
    public static int maxEncodedBytes(int rawBytes) {
        return Math.toIntExact(rawBytes + (long) BLOCK_OVERHEAD_BYTES * blockCount(rawBytes) + 2 + FLUSH_BYTES);
    }

    /** Bytes of workspace, and of staging area, for a batch of that many ranges. */
    public static long workspaceBytes(int rangeCount) {
        return BatchTables.bytes(rangeCount, ENTRY_BYTES);
    }

    /**
     * Bytes of scratch for a batch: a little more than three for each raw byte, by price 23.
     *
     * @param rawBytes of all ranges together
     */
    public static long scratchBytes(EncodeLevel level, long rawBytes, int rangeCount) {
        long unitCount = rawBytes / BLOCK_BYTES + rangeCount;
        return new Parts(unitCount, rawBytes + rangeCount * 4L + unitCount * SLOT_SLACK_BYTES).bytes(level);
    }

    /** Where the arrays of a batch begin in its scratch. */
    private record Parts(long unitCount, long placesBytes) {
        long slotsAt() {
            return aligned(unitCount * RECORD_BYTES);
        }

        long tokensAt() {
            return slotsAt() + aligned(placesBytes);
        }

        long matchesAt() {
            return aligned(tokensAt() + Short.BYTES * placesBytes);
        }

        long pricesAt() {
            return matchesAt() + PLACE_MATCHES_BYTES * placesBytes;
        }

        long stepsAt() {
            return pricesAt() + PRICES_BYTES * unitCount;
        }

        long bytes(EncodeLevel level) {
            return level == EncodeLevel.BEST
                    ? stepsAt() + Integer.BYTES * placesBytes
                    : tokensAt() + Short.BYTES * placesBytes;
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    private static long blockCount(long rawBytes) {
        return (rawBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /**
     * Asks the stream to encode; {@link #results} reads what came of it once the stream has come that far. A range is
     * {@link BlockResult.Status#SOUND} if it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does
     * not fit its slot. No byte outside the slots is written.
     *
     * @param level how hard to look for matches
     * @param ending of every range
     * @param blocks the raw ranges, none longer than 4 MiB; slots of {@link #maxEncodedBytes} always suffice. Limits:
     *     how many bytes of the input right before each range its matches may reach, at most 32 KiB
     * @param memory workspace, aligned to 8 bytes, and staging area of {@link #workspaceBytes} at least, scratch of
     *     {@link #scratchBytes}, aligned to 16 bytes
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueEncode(EncodeLevel level, Ending ending, DeviceBlocks blocks, LaunchMemory memory)
            throws DeviceException {
        ChunkRanges ranges = blocks.blocks();
        ChunkRanges slots = blocks.slots();
        int[] windowBytes = blocks.limits();
        blocks.require(MAX_INPUT_BYTES, Integer.MAX_VALUE);
        blocks.requireWindows(ranges, WINDOW_BYTES);
        int count = blocks.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        DeviceBuffer scratch = memory.scratch();
        scratch.requireAligned(ALIGNMENT_BYTES);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        int unitCount = 0;
        long placesBytes = 0;
        long allRawBytes = 0;
        for (int range = 0; range < count; range++) {
            long rawBytes = ranges.lengthBytes(range);
            view.putLong(ranges.offsetBytes(range)).putLong(slots.offsetBytes(range));
            view.putInt((int) rawBytes).putInt((int) Math.min(slots.lengthBytes(range), MAX_OUTPUT_BYTES));
            view.putLong(placesBytes).putInt(unitCount);
            view.putShort((short) windowBytes[range]).putShort((short) ending.ordinal());
            allRawBytes += rawBytes;
            unitCount += Math.max(1, (int) blockCount(rawBytes));
            placesBytes += (rawBytes + 3) / 4 * 4 + blockCount(rawBytes) * SLOT_SLACK_BYTES;
        }
        scratch.slice(0, scratchBytes(level, allRawBytes, count));
        Parts parts = new Parts(unitCount, placesBytes);
        DeviceStream stream = memory.stream();
        tables.upload(stream);
        KernelArguments arguments = arguments(LAYOUT, level, blocks, tables, parts, scratch);
        if (level == EncodeLevel.BEST) {
            launchBest(arguments(BEST_LAYOUT, level, blocks, tables, parts, scratch), parts, memory);
        } else {
            DeflateEncodeKernels.Encoding encoding = kernels.encoding(level);
            int ctaCount = Math.min(unitCount, encoding.residentCtaCount());
            encoding.kernel().launch(ctaCount, encoding.ctaThreads(), arguments, stream);
        }
        kernels.join().launch(unitCount, JOIN_CTA_THREADS, arguments, stream);
        tables.download(stream);
    }

    private static KernelArguments arguments(
            ArgumentLayout layout,
            EncodeLevel level,
            DeviceBlocks blocks,
            BatchTables tables,
            Parts parts,
            DeviceBuffer scratch) {
        return blocks.arguments(layout)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("range_count", blocks.count())
                .int32("unit_count", (int) parts.unitCount())
                .buffer("records", scratch)
                .buffer("slots", scratch.slice(parts.slotsAt(), parts.placesBytes()))
                .int64("slots_bytes", parts.placesBytes())
                .buffer("tokens", scratch.slice(parts.tokensAt(), Short.BYTES * parts.placesBytes()))
                .int32("depth", depth(level));
    }

    /** @param arguments of the kernels by price, but for the arrays that only these have */
    private void launchBest(KernelArguments arguments, Parts parts, LaunchMemory memory) throws DeviceException {
        DeviceBuffer scratch = memory.scratch();
        DeviceStream stream = memory.stream();
        int unitCount = (int) parts.unitCount();
        arguments
                .buffer("matches", scratch.slice(parts.matchesAt(), PLACE_MATCHES_BYTES * parts.placesBytes()))
                .buffer("steps", scratch.slice(parts.stepsAt(), Integer.BYTES * parts.placesBytes()))
                .buffer("prices", scratch.slice(parts.pricesAt(), PRICES_BYTES * parts.unitCount()));
        DeflateEncodeKernels.Best best = kernels.best();
        int ctaCount = Math.min(unitCount, best.find().residentCtaCount());
        best.find().kernel().launch(ctaCount, BEST_CTA_THREADS, arguments, stream);
        best.parse().launch(unitCount, PARSE_CTA_THREADS, arguments, stream);
        for (int pass = 1; pass < BEST_PASSES; pass++) {
            best.price().launch(unitCount, STEP_CTA_THREADS, arguments, stream);
            best.parse().launch(unitCount, PARSE_CTA_THREADS, arguments, stream);
        }
        best.write().launch(unitCount, STEP_CTA_THREADS, arguments, stream);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param rangeCount number of ranges of that batch
     * @param staging the staging area that was lent to it
     */
    public BlockResult[] results(int rangeCount, PinnedBuffer staging) {
        return BatchTables.results(rangeCount, ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
