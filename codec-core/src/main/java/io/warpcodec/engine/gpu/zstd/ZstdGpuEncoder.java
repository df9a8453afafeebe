package io.warpcodec.engine.gpu.zstd;

import static io.warpcodec.engine.gpu.zstd.ZstdEncodeKernels.*;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
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
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.plz.PlzFinder;
import io.warpcodec.format.zstd.ZstdFormat;
import java.nio.ByteBuffer;

/**
 * Encodes the raw ranges of a batch, each as a zstd frame of blocks of 64 KiB at most that lacks its checksum, at one
 * level. At the high one matches are those of {@link PlzFinder}.
 * Same input, same bytes, whatever the device and the batch. A frame that does not fit its slot harms no other.
 * Thread-safe, as long as each call has a wave of its own.
 */
final class ZstdGpuEncoder implements BlockLaunch, AutoCloseable {
    // Scratch: a record for each block, then a stretch for each range; at a strong level this lies in the finder's.

    /** What jobs from another process may ask for; slots of more bytes than a range needs are not filled. */
    static final BlockBounds BOUNDS =
            BlockBounds.of(Direction.ENCODE, MAX_INPUT_BYTES, Integer.MAX_VALUE).withHashes();

    private final ZstdEncodeKernels kernels;
    /** Finds the matches of the strong level; null at others, whose kernels find them. */
    private final PlzFinder finder;

    private ZstdGpuEncoder(ZstdEncodeKernels kernels, PlzFinder finder) {
        this.kernels = kernels;
        this.finder = finder;
    }

    /**
     * Loads the kernels.
     *
     * @param level how hard to look for matches
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static ZstdGpuEncoder open(Device device, EncodeLevel level) throws KernelUnavailableException, DeviceException {
        ZstdEncodeKernels kernels = ZstdEncodeKernels.load(device, level);
        try {
            return new ZstdGpuEncoder(kernels, level == EncodeLevel.HIGH ? PlzFinder.open(device) : null);
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            kernels.close();
            throw failed;
        }
    }

    /** The most bytes that a range of so many may become, without the checksum. */
    static int maxEncodedBytes(int rawBytes) {
        return Math.toIntExact(
                rawBytes + (long) ZstdFormat.BLOCK_HEADER_BYTES * unitCount(rawBytes) + MAX_HEADER_BYTES);
    }

    /** Blocks of a range, one at least. */
    private static int unitCount(long rawBytes) {
        return (int) Math.max(1, (rawBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
    }

    private static long blockScratchBytes(long rawBytes) {
        long rounded = (rawBytes + SCRATCH_ALIGNMENT_BYTES - 1) / SCRATCH_ALIGNMENT_BYTES * SCRATCH_ALIGNMENT_BYTES;
        return SCRATCH_FOLD * rounded + SCRATCH_SLACK_BYTES;
    }

    /** Bytes of a range's stretch: {@code range_scratch_bytes} of {@code zstd_encode_format.cuh}. */
    static long rangeScratchBytes(long rawBytes) {
        long rest = rawBytes % BLOCK_BYTES;
        return rawBytes / BLOCK_BYTES * blockScratchBytes(BLOCK_BYTES) + (rest == 0 ? 0 : blockScratchBytes(rest));
    }

    /**
     * Bytes of scratch that are enough for any ranges of so many bytes in all: each range has one block at most that
     * is rounded.
     */
    static long scratchBytes(long rawBytes, int rangeCount) {
        long mostUnits = rawBytes / BLOCK_BYTES + rangeCount;
        long mostRounding = (long) SCRATCH_FOLD * (SCRATCH_ALIGNMENT_BYTES - 1);
        return mostUnits * (RECORD_BYTES + SCRATCH_SLACK_BYTES) + SCRATCH_FOLD * rawBytes + rangeCount * mostRounding;
    }

    /** Likewise at the strong level: a range of few bytes takes as much as a block. */
    static long strongScratchBytes(long rawBytes, int rangeCount) {
        int mostUnits = Math.toIntExact(rawBytes / BLOCK_BYTES + rangeCount);
        int mostOfOne = (int) Math.min(MAX_INPUT_BYTES / BLOCK_BYTES, rawBytes / BLOCK_BYTES + 1);
        return recordsBytes(mostUnits)
                + PlzFinder.scratchBytes(mostUnits, rangeCount, mostOfOne, scratchBytes(rawBytes, rangeCount));
    }

    /** Of so many blocks; what lies behind them is aligned as the finder's scratch. */
    private static long recordsBytes(long unitCount) {
        long grain = PlzFinder.SCRATCH_ALIGNMENT_BYTES;
        return (RECORD_BYTES * unitCount + grain - 1) / grain * grain;
    }

    @Override
    public long workspaceBytes(int rangeCount) {
        return BatchTables.bytes(rangeCount, ENTRY_BYTES);
    }

    @Override
    public long scratchBytes(int waveBytes, int rangeCount) {
        return finder == null ? scratchBytes((long) waveBytes, rangeCount) : strongScratchBytes(waveBytes, rangeCount);
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    /** At the strong level: a frame as long as a wave is a few bytes longer where nothing in it repeats. */
    @Override
    public boolean takesLongLeases() {
        return finder != null;
    }

    /**
     * Asks the stream to encode; {@link #results} tells what came of it. A range is {@link BlockResult.Status#SOUND}
     * if it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does not fit its slot. No byte outside
     * the slots is written.
     *
     * @param ranges the raw ranges, none longer than 8 MiB; slots of {@link #maxEncodedBytes} always suffice
     * @param memory scratch of {@link #scratchBytes} of all raw bytes at least, aligned to 16 bytes, at the strong
     *     level to 256
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     */
    @Override
    public void enqueue(DeviceBlocks ranges, LaunchMemory memory) throws DeviceException {
        ChunkRanges inputs = ranges.blocks();
        ChunkRanges slots = ranges.slots();
        ranges.require(MAX_INPUT_BYTES, Integer.MAX_VALUE);
        int count = ranges.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        DeviceBuffer scratch = memory.scratch();
        scratch.requireAligned(finder == null ? SCRATCH_ALIGNMENT_BYTES : PlzFinder.SCRATCH_ALIGNMENT_BYTES);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        int unitCount = 0;
        int mostUnits = 0;
        long stretchesBytes = 0;
        long allRawBytes = 0;
        for (int range = 0; range < count; range++) {
            long rawBytes = inputs.lengthBytes(range);
            view.putLong(inputs.offsetBytes(range)).putLong(slots.offsetBytes(range));
            view.putInt((int) rawBytes).putInt((int) Math.min(slots.lengthBytes(range), MAX_OUTPUT_BYTES));
            view.putLong(stretchesBytes).putInt(unitCount).putInt(0);
            unitCount += unitCount(rawBytes);
            mostUnits = Math.max(mostUnits, unitCount(rawBytes));
            stretchesBytes += rangeScratchBytes(rawBytes);
            allRawBytes += rawBytes;
        }
        scratch.slice(0, finder == null ? scratchBytes(allRawBytes, count) : strongScratchBytes(allRawBytes, count));
        DeviceBuffer records = scratch.slice(0, (long) RECORD_BYTES * unitCount);
        PlzFinder.Plan plan = null;
        DeviceBuffer stretches;
        if (finder == null) {
            stretches = scratch.slice(records.bytes(), stretchesBytes);
        } else {
            PlzFinder.Frames frames =
                    new PlzFinder.Frames(ranges, tables.entries(), records, count, unitCount, mostUnits);
            long at = recordsBytes(unitCount);
            plan = new PlzFinder.Plan(frames, stretchesBytes, scratch.slice(at, scratch.bytes() - at));
            stretches = plan.later();
        }
        KernelArguments arguments = ranges.arguments(LAYOUT)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("range_count", count)
                .int32("unit_count", unitCount)
                .buffer("records", records)
                .buffer("scratch", stretches)
                .int64("scratch_bytes", stretchesBytes);
        tables.upload(memory.stream());
        if (plan == null) {
            kernels.launchFinder(count, unitCount, arguments, memory.stream());
        } else {
            finder.enqueue(plan, memory.stream());
        }
        kernels.launchCodes(unitCount, arguments, memory.stream());
        tables.download(memory.stream());
    }

    @Override
    public BlockResult[] results(int rangeCount, PinnedBuffer staging) {
        return BatchTables.results(rangeCount, ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        if (finder != null) {
            finder.close();
        }
        kernels.close();
    }
}
