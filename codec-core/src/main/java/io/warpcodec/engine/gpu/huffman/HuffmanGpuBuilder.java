package io.warpcodec.engine.gpu.huffman;

import static io.warpcodec.engine.gpu.huffman.HuffmanBuildKernels.*;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import java.nio.ByteBuffer;

/**
 * Builds optimal prefix codes of limited length from weights in device memory, and counts bytes to get such weights. Same weights, same codes. Allocates nothing.
 * Thread-safe, as long as each call has its own stream and buffers.
 */
public final class HuffmanGpuBuilder implements AutoCloseable {
    /** Weights of a range: one for each byte that there is. */
    public static final int BYTE_SYMBOLS = 256;

    private final HuffmanBuildKernels kernels;

    private HuffmanGpuBuilder(HuffmanBuildKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static HuffmanGpuBuilder open(Device device) throws KernelUnavailableException, DeviceException {
        return new HuffmanGpuBuilder(HuffmanBuildKernels.load(device));
    }

    /**
     * Asks the stream to build codes. Lengths are complete, with two codes at least; all 0 where the limit does not suffice. Codes are
     * canonical, first bit lowest, with their length from bit 16 on.
     *
     * @param weights a word for each symbol of each code, code by code, whose sum over a code is below 2^27; aligned to 4 bytes
     * @param symbolCount symbols of each code, 2 to 288
     * @param limitBits longest code, 1 to 15 bits
     * @param lengths receives a byte for each weight
     * @param codes receives a word for each weight; aligned to 4 bytes
     * @param codeCount how many codes
     * @param stream where the work queues
     * @throws IllegalArgumentException if a number is out of range, a buffer is too small or an alignment is wrong; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueBuild(
            DeviceBuffer weights,
            int symbolCount,
            int limitBits,
            DeviceBuffer lengths,
            DeviceBuffer codes,
            int codeCount,
            DeviceStream stream)
            throws DeviceException {
        if (symbolCount < 2 || symbolCount > MAX_SYMBOLS || limitBits < 1 || limitBits > MAX_LIMIT || codeCount < 0) {
            throw new IllegalArgumentException(
                    codeCount + " codes of " + symbolCount + " symbols, " + limitBits + " bits");
        }
        long count = (long) symbolCount * codeCount;
        if (weights.bytes() < Integer.BYTES * count
                || codes.bytes() < Integer.BYTES * count
                || lengths.bytes() < count) {
            throw new IllegalArgumentException("a buffer is too small for " + count + " symbols");
        }
        weights.requireAligned(Integer.BYTES);
        codes.requireAligned(Integer.BYTES);
        if (codeCount == 0) {
            return;
        }
        KernelArguments arguments = new KernelArguments(BUILD_LAYOUT)
                .buffer("weights", weights)
                .buffer("lengths", lengths)
                .buffer("codes", codes)
                .int32("symbol_count", symbolCount)
                .int32("limit", limitBits)
                .int32("code_count", codeCount);
        kernels.buildCodes().launch(codeCount, CTA_THREADS, arguments, stream);
    }

    /** Bytes of workspace, and of staging area, to count the bytes of that many ranges: 16 per range. */
    public static long countWorkspaceBytes(int rangeCount) {
        return (long) rangeCount * COUNT_ENTRY_BYTES;
    }

    /**
     * Asks the stream to count how often each byte occurs in each range: {@link #BYTE_SYMBOLS} weights, as {@link #enqueueBuild} takes them.
     *
     * @param input device memory that the ranges lie in
     * @param ranges where they lie; none longer than 2^27 - 1 bytes; they may overlap
     * @param weights receives 1 KiB for each range; aligned to 4 bytes
     * @param workspace at least {@link #countWorkspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #countWorkspaceBytes}; not to be touched until the stream has come that far
     * @param stream where the work queues
     * @throws IllegalArgumentException if a range does not lie in the input or is too long, the weights have no space, or an alignment is wrong;
     *     nothing is launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueCount(
            DeviceBuffer input,
            ChunkRanges ranges,
            DeviceBuffer weights,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        ranges.requireWithin(input.bytes());
        BlockBatch.requireAtMost("range", ranges, MAX_COUNT_BYTES);
        int count = ranges.count();
        long weightBytes = (long) count * BYTE_SYMBOLS * Integer.BYTES;
        if (weights.bytes() < weightBytes) {
            throw new IllegalArgumentException(weights.bytes() + " bytes for the weights of " + count + " ranges");
        }
        weights.requireAligned(Integer.BYTES);
        workspace.requireAligned(Long.BYTES);
        int tableBytes = Math.toIntExact(countWorkspaceBytes(count));
        PinnedBuffer table = staging.slice(0, tableBytes);
        DeviceBuffer entries = workspace.slice(0, tableBytes);
        if (count == 0) {
            return;
        }
        ByteBuffer view = table.view();
        int pieceCount = 0;
        for (int range = 0; range < count; range++) {
            view.putLong(ranges.offsetBytes(range));
            view.putInt((int) ranges.lengthBytes(range)).putInt(pieceCount);
            pieceCount = Math.addExact(pieceCount, countPieces(ranges.lengthBytes(range)));
        }
        stream.upload(table, entries);
        stream.fill(weights.slice(0, weightBytes), (byte) 0);
        KernelArguments arguments = new KernelArguments(COUNT_LAYOUT)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("entries", entries)
                .int32("range_count", count)
                .buffer("weights", weights)
                .int32("piece_count", pieceCount);
        kernels.countSymbols().launch(pieceCount, COUNT_CTA_THREADS, arguments, stream);
    }

    private static int countPieces(long lengthBytes) {
        return (int) Math.max(1, (lengthBytes + COUNT_PIECE_BYTES - 1) / COUNT_PIECE_BYTES);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
