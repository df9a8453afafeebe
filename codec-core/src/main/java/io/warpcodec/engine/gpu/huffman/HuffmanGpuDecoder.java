package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BatchTables;
import io.warpcodec.engine.gpu.block.BlockResult;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Decodes a batch of streams that lie in device memory, each of one canonical prefix code of bytes as in DEFLATE, without an index: many warps
 * to a stream. Allocates nothing: the caller lends a workspace on the device, a staging area in pinned memory, and scratch.
 *
 * <p>A stream with a defect harms no other. Thread-safe, as long as each call has its own stream, workspace, staging area and scratch.
 */
public final class HuffmanGpuDecoder implements AutoCloseable {
    private static final int SYMBOLS = 256;
    private static final int ALIGNMENT_BYTES = 16;

    /**
     * One stream of a batch.
     *
     * @param inputAt where its words begin in the input
     * @param inputBytes how long they are; more than 0
     * @param lengthsAt where in the input the lengths of 256 words lie, a byte each, at most 15; 0 for none
     * @param outputAt where its bytes go
     * @param symbolCount how many bytes it decodes to
     */
    public record Source(long inputAt, int inputBytes, long lengthsAt, long outputAt, int symbolCount) {
        private int pieceCount() {
            return Math.toIntExact((8L * inputBytes + HuffmanKernels.PIECE_BITS - 1) / HuffmanKernels.PIECE_BITS);
        }

        private void requireWithin(long availableBytes, long capacityBytes) {
            boolean sound = inputAt >= 0
                    && inputBytes > 0
                    && inputBytes <= HuffmanKernels.MAX_STREAM_BYTES
                    && inputAt <= availableBytes - inputBytes
                    && lengthsAt >= 0
                    && lengthsAt <= availableBytes - SYMBOLS
                    && outputAt >= 0
                    && symbolCount >= 0
                    && outputAt <= capacityBytes - symbolCount;
            if (!sound) {
                throw new IllegalArgumentException(
                        this + " in an input of " + availableBytes + " bytes and an output of " + capacityBytes);
            }
        }
    }

    private final HuffmanKernels kernels;

    private HuffmanGpuDecoder(HuffmanKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static HuffmanGpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new HuffmanGpuDecoder(HuffmanKernels.load(device));
    }

    /** Bytes of workspace, and of staging area, for a batch of that many streams: 48 per stream. */
    public static long workspaceBytes(int streamCount) {
        return BatchTables.bytes(streamCount, HuffmanKernels.STREAM_ENTRY_BYTES);
    }

    /** Bytes of scratch: 1 for 56 of input, and 272 more for each stream. */
    public static long scratchBytes(List<Source> sources) {
        return pieceCount(sources) * (HuffmanKernels.PIECE_NOTE_BYTES + 32L * HuffmanKernels.PART_NOTE_BYTES);
    }

    private static long pieceCount(List<Source> sources) {
        return sources.stream().mapToLong(Source::pieceCount).sum();
    }

    /**
     * Asks the stream to decode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param input device memory that words and lengths lie in; where words end, up to 7 bytes behind may be read
     * @param sources the streams; their output must not overlap
     * @param output device memory to decode to, apart from the input
     * @param workspace at least {@link #workspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #workspaceBytes}
     * @param scratch at least {@link #scratchBytes}, aligned to 16 bytes
     * @param stream where the work queues
     * @throws IllegalArgumentException if a range does not lie in its buffer, or an alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueDecode(
            DeviceBuffer input,
            List<Source> sources,
            DeviceBuffer output,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceBuffer scratch,
            DeviceStream stream)
            throws DeviceException {
        sources.forEach(source -> source.requireWithin(input.bytes(), output.bytes()));
        scratch.requireAligned(ALIGNMENT_BYTES);
        int count = sources.size();
        BatchTables tables = BatchTables.cut(count, HuffmanKernels.STREAM_ENTRY_BYTES, workspace, staging);
        int pieceCount = Math.toIntExact(pieceCount(sources));
        long pieceBytes = (long) pieceCount * HuffmanKernels.PIECE_NOTE_BYTES;
        DeviceBuffer pieces = scratch.slice(0, pieceBytes);
        DeviceBuffer parts = scratch.slice(pieceBytes, 32L * pieceCount * HuffmanKernels.PART_NOTE_BYTES);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        int firstPiece = 0;
        for (Source source : sources) {
            view.putLong(source.inputAt()).putLong(source.outputAt()).putLong(source.lengthsAt());
            view.putInt(source.inputBytes()).putInt(source.symbolCount()).putInt(firstPiece);
            view.putInt(0);
            firstPiece += source.pieceCount();
        }
        tables.upload(stream);
        KernelArguments arguments = new KernelArguments(HuffmanKernels.STREAM_LAYOUT)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("output", output)
                .int64("output_bytes", output.bytes())
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .buffer("parts", parts)
                .buffer("pieces", pieces)
                .int32("stream_count", count)
                .int32("piece_count", pieceCount);
        kernels.decode(arguments, count, pieceCount, stream);
        tables.download(stream);
    }

    /**
     * The results of a batch whose stream has been synchronised: sound, truncated, or a bad header where the lengths are no code or bits no word.
     *
     * @param streamCount number of streams of that batch
     * @param staging the staging area that was lent to it
     */
    public BlockResult[] results(int streamCount, PinnedBuffer staging) {
        return BatchTables.results(streamCount, HuffmanKernels.STREAM_ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
