package io.warpcodec.engine.gpu;

import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.KernelArguments;
import io.warpcodec.device.KernelContract;
import io.warpcodec.device.KernelFunction;
import io.warpcodec.device.KernelModule;
import io.warpcodec.device.KernelUnavailableException;
import java.util.Map;

/** {@code huffman.cu}: entry names, argument order, and the constants of both sides. Thread-safe. */
final class HuffmanKernels implements AutoCloseable {
    static final int ABI = 1;
    static final int MAX_INPUT_BYTES = 256 << 20;
    /** What a warp reads. */
    static final int PIECE_BITS = 32 * 32 * 120;
    /** Three offsets of 64 bits, four numbers of 32, little-endian. */
    static final int STREAM_ENTRY_BYTES = 40;

    static final int PART_NOTE_BYTES = 8;
    static final int PIECE_NOTE_BYTES = 16;
    private static final int CTA_THREADS = 64;
    private static final int CTA_WARPS = CTA_THREADS / 32;
    private static final int STITCH_CTA_THREADS = 32;

    static final KernelContract CONTRACT = new KernelContract(
            "huffman",
            ABI,
            Map.of(
                    "huffman_max_input_bytes", MAX_INPUT_BYTES,
                    "huffman_piece_bits", PIECE_BITS,
                    "huffman_stream_entry_bytes", STREAM_ENTRY_BYTES,
                    "huffman_stream_result_bytes", BlockBatch.RESULT_BYTES,
                    "huffman_part_note_bytes", PART_NOTE_BYTES,
                    "huffman_piece_note_bytes", PIECE_NOTE_BYTES,
                    "huffman_cta_threads", CTA_THREADS,
                    "huffman_stitch_cta_threads", STITCH_CTA_THREADS));

    private final KernelModule module;
    private final KernelFunction synchronisePieces;
    private final KernelFunction stitchStreams;
    private final KernelFunction writePieces;

    private HuffmanKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.synchronisePieces = module.function("huffman_synchronise_pieces");
        this.stitchStreams = module.function("huffman_stitch_streams");
        this.writePieces = module.function("huffman_write_pieces");
    }

    static HuffmanKernels load(Device device) throws KernelUnavailableException, DeviceException {
        KernelModule module = KernelModule.load(device, CONTRACT);
        try {
            return new HuffmanKernels(module);
        } catch (DeviceException | RuntimeException failed) {
            module.close();
            throw failed;
        }
    }

    /** All three, one behind the other. */
    void decode(KernelArguments arguments, int streamCount, int pieceCount, DeviceStream stream)
            throws DeviceException {
        int ctaCount = (pieceCount + CTA_WARPS - 1) / CTA_WARPS;
        synchronisePieces.launch(ctaCount, CTA_THREADS, arguments, stream);
        stitchStreams.launch(streamCount, STITCH_CTA_THREADS, arguments, stream);
        writePieces.launch(ctaCount, CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
