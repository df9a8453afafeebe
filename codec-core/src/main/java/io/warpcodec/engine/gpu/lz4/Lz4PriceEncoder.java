package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.engine.gpu.lz4.Lz4PriceKernels.ENTRY_BYTES;
import static io.warpcodec.engine.gpu.lz4.Lz4PriceKernels.UNIT_BYTES;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BatchTables;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.lz4.Lz4PriceKernels.Stage;
import io.warpcodec.engine.gpu.lz4.Lz4PriceMemory.Area;
import io.warpcodec.engine.gpu.suffixarray.FrameOrder;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes a batch of LZ4 blocks, each on its own, about as small as any encoder can: by the longest match of each place
 * and a parse by exact cost. Same input, same bytes, whatever the device and the batch. A block that does not fit its
 * slot harms no other. Thread-safe, as long as each call has a wave of its own.
 */
final class Lz4PriceEncoder implements BlockLaunch, AutoCloseable {
    private final Lz4PriceKernels kernels;
    private final FrameOrder order;

    private Lz4PriceEncoder(Lz4PriceKernels kernels, FrameOrder order) {
        this.kernels = kernels;
        this.order = order;
    }

    /** What the kernels are checked against, those of the order behind the others. */
    static List<KernelContract> contracts() {
        return List.of(Lz4PriceKernels.CONTRACT, FrameOrder.contract());
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static Lz4PriceEncoder open(Device device) throws KernelUnavailableException, DeviceException {
        Lz4PriceKernels kernels = Lz4PriceKernels.load(device);
        try {
            return new Lz4PriceEncoder(kernels, FrameOrder.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            kernels.close();
            throw failed;
        }
    }

    /** Units of a block, one at least. */
    private static int unitCount(long rawBytes) {
        return (int) Math.max(1, (rawBytes + UNIT_BYTES - 1) / UNIT_BYTES);
    }

    /** Bytes of scratch that are enough for any blocks of so many bytes in all: each but one may have few. */
    static long scratchBytes(long rawBytes, int blockCount) {
        return Lz4PriceMemory.bytes(unitCount(rawBytes) + Math.max(0, blockCount - 1), blockCount);
    }

    @Override
    public long workspaceBytes(int blockCount) {
        return BatchTables.bytes(blockCount, ENTRY_BYTES);
    }

    @Override
    public long scratchBytes(int waveBytes, int blockCount) {
        return scratchBytes((long) waveBytes, blockCount);
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    /**
     * Asks the stream to encode; {@link #results} tells what came of it. A block is {@link BlockResult.Status#SOUND} if
     * it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does not fit its slot. No byte outside the
     * slots is written.
     *
     * @param blocks none longer than 4 MiB
     * @param memory scratch of {@link #scratchBytes} of all raw bytes at least, aligned to 256 bytes
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     */
    @Override
    public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        blocks.require(Lz4Kernels.MAX_OUTPUT_BYTES, Lz4Kernels.MAX_INPUT_BYTES);
        int count = blocks.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        DeviceBuffer scratch = memory.scratch();
        scratch.requireAligned(Lz4PriceMemory.ALIGNMENT_BYTES);
        if (count == 0) {
            return;
        }
        ChunkRanges inputs = blocks.blocks();
        ChunkRanges slots = blocks.slots();
        ByteBuffer view = tables.table().view();
        int units = 0;
        long rawBytes = 0;
        for (int block = 0; block < count; block++) {
            long bytes = inputs.lengthBytes(block);
            view.putLong(inputs.offsetBytes(block)).putLong(slots.offsetBytes(block));
            view.putInt((int) bytes).putInt((int) slots.lengthBytes(block));
            view.putInt(units).putInt(0);
            units += unitCount(bytes);
            rawBytes += bytes;
        }
        scratch.slice(0, scratchBytes(rawBytes, count));
        Lz4PriceMemory areas = Lz4PriceMemory.cut(scratch, units, count);
        KernelArguments arguments = areas.addTo(blocks.arguments(Lz4PriceKernels.LAYOUT)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("block_count", count)
                .int32("unit_count", units));
        DeviceStream stream = memory.stream();
        tables.upload(stream);
        kernels.launch(Stage.GATHER, units, arguments, stream);
        order.enqueue(
                areas.of(Area.TEXT),
                areas.of(Area.ORDER_ENTRIES),
                areas.of(Area.ORDER),
                count,
                units,
                areas.of(Area.ORDER_SCRATCH),
                stream);
        kernels.launch(Stage.NEAR, units, arguments, stream);
        kernels.launch(Stage.MEASURE, units * (UNIT_BYTES / Stage.MEASURE.ctaThreads()), arguments, stream);
        kernels.launch(Stage.PARSE, units * (UNIT_BYTES / Lz4PriceKernels.CTA_PLACES), arguments, stream);
        kernels.launch(Stage.WRITE, count, arguments, stream);
        tables.download(stream);
    }

    @Override
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        order.close();
        kernels.close();
    }
}
