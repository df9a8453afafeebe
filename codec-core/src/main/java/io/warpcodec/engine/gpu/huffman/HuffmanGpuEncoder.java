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
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes a batch of ranges of bytes that lie in device memory, each as one stream of one canonical prefix code as in DEFLATE, which {@link HuffmanGpuDecoder}
 * reads. The lengths of the words are the caller's, {@link HuffmanGpuBuilder}'s for example. Same bytes and lengths, same stream. Allocates nothing: the caller
 * lends a workspace on the device, a staging area in pinned memory, and scratch.
 *
 * <p>A stream that cannot be encoded harms no other. Thread-safe, as long as each call has its own stream, workspace, staging area and scratch.
 */
public final class HuffmanGpuEncoder implements AutoCloseable {
    // Scratch: the words of each stream, and a note for each piece.

    private static final int SYMBOLS = 256;
    private static final int ALIGNMENT_BYTES = 16;

    /**
     * One stream of a batch.
     *
     * @param inputAt where its bytes begin in the input
     * @param inputBytes how many they are, at most 256 MiB
     * @param lengthsAt where the lengths of 256 words lie in the lengths, a byte each, at most 15; 0 for none
     * @param outputAt where its words go
     * @param outputLimitBytes how long they may be, at most 256 MiB: what no decoder takes is not written
     */
    public record Source(long inputAt, int inputBytes, long lengthsAt, long outputAt, int outputLimitBytes) {
        private int pieceCount() {
            long pieces =
                    ((long) inputBytes + HuffmanKernels.ENCODE_PIECE_BYTES - 1) / HuffmanKernels.ENCODE_PIECE_BYTES;
            return (int) Math.max(1, pieces);
        }

        private void requireWithin(long availableBytes, long lengthsBytes, long capacityBytes) {
            boolean sound = inputAt >= 0
                    && inputBytes >= 0
                    && inputBytes <= HuffmanKernels.MAX_RAW_BYTES
                    && inputAt <= availableBytes - inputBytes
                    && lengthsAt >= 0
                    && lengthsAt <= lengthsBytes - SYMBOLS
                    && outputAt >= 0
                    && outputLimitBytes >= 0
                    && outputLimitBytes <= HuffmanKernels.MAX_STREAM_BYTES
                    && outputAt <= capacityBytes - outputLimitBytes;
            if (!sound) {
                throw new IllegalArgumentException(this + " in an input of " + availableBytes + " bytes, lengths of "
                        + lengthsBytes + " and an output of " + capacityBytes);
            }
        }
    }

    /**
     * What became of one stream.
     *
     * @param status sound; a bad header, if the lengths are no code; a bad symbol, if a byte has no word; or the output limit exceeded
     * @param bits of the stream; 0 unless it is sound. Bits behind them, to the end of the last byte, are zeros
     */
    public record Result(Status status, long bits) {
        /** Whether the stream was written; otherwise none of its bytes was. */
        public boolean isSound() {
            return status == Status.SOUND;
        }

        /** Bytes that were written. */
        public int bytes() {
            return Math.toIntExact((bits + Byte.SIZE - 1) / Byte.SIZE);
        }
    }

    private final HuffmanKernels kernels;

    private HuffmanGpuEncoder(HuffmanKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static HuffmanGpuEncoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new HuffmanGpuEncoder(HuffmanKernels.load(device));
    }

    /** Bytes that suffice for a stream of words of up to that many bits. */
    public static long maxEncodedBytes(int rawBytes, int longestBits) {
        return ((long) rawBytes * longestBits + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** Bytes of workspace, and of staging area, for a batch of that many streams: 48 per stream. */
    public static long workspaceBytes(int streamCount) {
        return BatchTables.bytes(streamCount, HuffmanKernels.ENCODE_ENTRY_BYTES);
    }

    /** Bytes of scratch: 1 KiB for each stream, 8 bytes for each 16 KiB of input. */
    public static long scratchBytes(List<Source> sources) {
        return codeBytes(sources.size()) + pieceCount(sources) * HuffmanKernels.ENCODE_NOTE_BYTES;
    }

    private static long codeBytes(int streamCount) {
        return (long) streamCount * SYMBOLS * HuffmanKernels.ENCODE_CODE_BYTES;
    }

    private static long pieceCount(List<Source> sources) {
        return sources.stream().mapToLong(Source::pieceCount).sum();
    }

    /**
     * Asks the stream to encode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param input device memory that the bytes lie in
     * @param sources the streams; their output must not overlap
     * @param lengths device memory that the lengths of the words lie in; streams may share them
     * @param output device memory to encode to, apart from the input and the lengths
     * @param workspace at least {@link #workspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #workspaceBytes}
     * @param scratch at least {@link #scratchBytes}, aligned to 16 bytes
     * @param stream where the work queues
     * @throws IllegalArgumentException if a range does not lie in its buffer, or an alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueEncode(
            DeviceBuffer input,
            List<Source> sources,
            DeviceBuffer lengths,
            DeviceBuffer output,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceBuffer scratch,
            DeviceStream stream)
            throws DeviceException {
        sources.forEach(source -> source.requireWithin(input.bytes(), lengths.bytes(), output.bytes()));
        scratch.requireAligned(ALIGNMENT_BYTES);
        int count = sources.size();
        BatchTables tables = BatchTables.cut(count, HuffmanKernels.ENCODE_ENTRY_BYTES, workspace, staging);
        int pieceCount = Math.toIntExact(pieceCount(sources));
        DeviceBuffer codes = scratch.slice(0, codeBytes(count));
        DeviceBuffer notes = scratch.slice(codeBytes(count), (long) pieceCount * HuffmanKernels.ENCODE_NOTE_BYTES);
        if (count == 0) {
            return;
        }
        ByteBuffer view = tables.table().view();
        int firstPiece = 0;
        for (Source source : sources) {
            view.putLong(source.inputAt()).putLong(source.outputAt()).putLong(source.lengthsAt());
            view.putInt(source.inputBytes()).putInt(source.outputLimitBytes()).putInt(firstPiece);
            view.putInt(0);
            firstPiece += source.pieceCount();
        }
        tables.upload(stream);
        KernelArguments arguments = new KernelArguments(HuffmanKernels.ENCODE_LAYOUT)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("lengths", lengths)
                .int64("lengths_bytes", lengths.bytes())
                .buffer("output", output)
                .int64("output_bytes", output.bytes())
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("stream_count", count)
                .buffer("codes", codes)
                .buffer("notes", notes)
                .int32("piece_count", pieceCount);
        kernels.encode(arguments, count, pieceCount, stream);
        tables.download(stream);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param streamCount number of streams of that batch
     * @param staging the staging area that was lent to it
     */
    public Result[] results(int streamCount, PinnedBuffer staging) {
        BlockResult[] answers = BatchTables.results(streamCount, HuffmanKernels.ENCODE_ENTRY_BYTES, staging);
        Result[] results = new Result[streamCount];
        for (int index = 0; index < streamCount; index++) {
            // The second word of a result counts bits here: 2^31 at most, so it has no sign.
            long bits = Integer.toUnsignedLong(answers[index].outputBytes());
            results[index] = new Result(answers[index].status(), bits);
        }
        return results;
    }

    @Override
    public void close() {
        kernels.close();
    }
}
