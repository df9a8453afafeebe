package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import java.util.Map;

/** {@code huffman.cu}: entry names, and the constants of both sides. Thread-safe. */
public final class HuffmanKernels implements AutoCloseable {
    static final int ABI = 3;
    /** Longest stream. */
    static final int MAX_STREAM_BYTES = 256 << 20;
    /** Most bytes that are encoded as one stream. */
    static final int MAX_RAW_BYTES = 256 << 20;
    /** What a warp reads of a stream. */
    static final int PIECE_BITS = 32 * 32 * 120;
    /** What a warp encodes. */
    static final int ENCODE_PIECE_BYTES = 16 << 10;
    /** Three offsets of 64 bits, four numbers of 32, little-endian. */
    static final int STREAM_ENTRY_BYTES = 40;
    /** The same. */
    static final int ENCODE_ENTRY_BYTES = 40;

    static final int PART_NOTE_BYTES = 8;
    static final int PIECE_NOTE_BYTES = 16;
    static final int ENCODE_CODE_BYTES = 4;
    static final int ENCODE_NOTE_BYTES = 8;
    private static final int CTA_THREADS = 64;
    private static final int CTA_WARPS = CTA_THREADS / 32;
    private static final int STITCH_CTA_THREADS = 32;
    private static final int ENCODE_CTA_THREADS = 128;
    private static final int ENCODE_CTA_WARPS = ENCODE_CTA_THREADS / 32;
    private static final int ENCODE_PLACE_CTA_THREADS = 32;

    /** {@code StreamBatch} of {@code huffman_decode.cuh}, which the kernels that decode take. */
    static final ArgumentLayout STREAM_LAYOUT = ArgumentLayout.of("stream_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .pointer("parts")
            .pointer("pieces")
            .int32("stream_count")
            .int32("piece_count");

    /** {@code EncodeBatch} of {@code huffman_encode.cuh}, which the kernels that encode take. */
    static final ArgumentLayout ENCODE_LAYOUT = ArgumentLayout.of("encode_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("lengths")
            .int64("lengths_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("stream_count")
            .pointer("codes")
            .pointer("notes")
            .int32("piece_count");

    public static final KernelContract CONTRACT = new KernelContract(
                    "huffman",
                    ABI,
                    Map.ofEntries(
                            Map.entry("huffman_max_stream_bytes", MAX_STREAM_BYTES),
                            Map.entry("huffman_piece_bits", PIECE_BITS),
                            Map.entry("huffman_stream_entry_bytes", STREAM_ENTRY_BYTES),
                            Map.entry("huffman_stream_result_bytes", BlockBatch.RESULT_BYTES),
                            Map.entry("huffman_part_note_bytes", PART_NOTE_BYTES),
                            Map.entry("huffman_piece_note_bytes", PIECE_NOTE_BYTES),
                            Map.entry("huffman_cta_threads", CTA_THREADS),
                            Map.entry("huffman_stitch_cta_threads", STITCH_CTA_THREADS),
                            Map.entry("huffman_max_raw_bytes", MAX_RAW_BYTES),
                            Map.entry("huffman_encode_piece_bytes", ENCODE_PIECE_BYTES),
                            Map.entry("huffman_encode_entry_bytes", ENCODE_ENTRY_BYTES),
                            Map.entry("huffman_encode_result_bytes", BlockBatch.RESULT_BYTES),
                            Map.entry("huffman_encode_code_bytes", ENCODE_CODE_BYTES),
                            Map.entry("huffman_encode_note_bytes", ENCODE_NOTE_BYTES),
                            Map.entry("huffman_encode_cta_threads", ENCODE_CTA_THREADS),
                            Map.entry("huffman_encode_place_cta_threads", ENCODE_PLACE_CTA_THREADS)))
            .and(BlockResult.statusConstants("huffman"))
            .taking(STREAM_LAYOUT, ENCODE_LAYOUT);

    private final KernelModule module;
    private final KernelFunction synchronisePieces;
    private final KernelFunction stitchStreams;
    private final KernelFunction writePieces;
    private final KernelFunction measurePieces;
    private final KernelFunction placeStreams;
    private final KernelFunction encodePieces;

    private HuffmanKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.synchronisePieces = module.function("huffman_synchronise_pieces");
        this.stitchStreams = module.function("huffman_stitch_streams");
        this.writePieces = module.function("huffman_write_pieces");
        this.measurePieces = module.function("huffman_measure_pieces");
        this.placeStreams = module.function("huffman_place_streams");
        this.encodePieces = module.function("huffman_encode_pieces");
    }

    static HuffmanKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, HuffmanKernels::new);
    }

    /** The three that decode, one behind the other. */
    void decode(KernelArguments arguments, int streamCount, int pieceCount, DeviceStream stream)
            throws DeviceException {
        int ctaCount = (pieceCount + CTA_WARPS - 1) / CTA_WARPS;
        synchronisePieces.launch(ctaCount, CTA_THREADS, arguments, stream);
        stitchStreams.launch(streamCount, STITCH_CTA_THREADS, arguments, stream);
        writePieces.launch(ctaCount, CTA_THREADS, arguments, stream);
    }

    /** The three that encode, one behind the other. */
    void encode(KernelArguments arguments, int streamCount, int pieceCount, DeviceStream stream)
            throws DeviceException {
        int ctaCount = (pieceCount + ENCODE_CTA_WARPS - 1) / ENCODE_CTA_WARPS;
        measurePieces.launch(ctaCount, ENCODE_CTA_THREADS, arguments, stream);
        placeStreams.launch(streamCount, ENCODE_PLACE_CTA_THREADS, arguments, stream);
        encodePieces.launch(ctaCount, ENCODE_CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
