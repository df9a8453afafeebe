package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockDecoding;
import java.util.Map;

/**
 * {@code deflate.cu}: entry names, argument order, and the constants of both sides. The decoders' entries take the arguments that {@link BlockBatch}
 * writes, and behind them room for tokens. Thread-safe.
 */
public final class DeflateKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Raw bytes of the longest body, as of the longest chunk. */
    public static final int MAX_OUTPUT_BYTES = 1 << 20;

    static final int MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + (MAX_OUTPUT_BYTES >> 3) + 1024;
    /** Room for tokens of a warp: 1,024 for each lane. */
    public static final int WARP_TOKEN_BYTES = 32 * 1024 * Integer.BYTES;

    /** Of an input that is searched for blocks; a bit's position is an {@code int}. */
    static final int MAX_FIND_BYTES = (1 << 28) - 16;
    /** How many were found, and how many are listed. */
    static final int FIND_RESULT_BYTES = 8;
    /** Positions that a warp searches for one list, and how many it lists at most. */
    static final int FIND_TILE_BITS = 16 * 32 * 32;

    static final int FIND_TILE_SLOTS = 32;
    private static final int FIND_LIST_TILES = 1024;
    private static final int FIND_CTA_THREADS = 256;
    private static final int FIND_CTA_WARPS = FIND_CTA_THREADS / 32;
    /** Several times what a device has room for; a cta takes one tile after the other. */
    private static final int MAX_FIND_CTAS = 4096;

    private static final int LIST_CTA_THREADS = 32;

    /** A block's codes. */
    static final int SEGMENT_TABLE_BYTES = 2304;
    /** What is known of a part, of which a piece has 32. */
    static final int SEGMENT_PART_BYTES = 16;

    private static final int SEGMENT_TILE_BYTES = 4096;
    private static final int SEGMENT_READ_CTA_THREADS = 128;
    private static final int SEGMENT_WRITE_CTA_THREADS = 64;
    private static final int SEGMENT_PRODUCE_CTA_THREADS = 256;
    private static final int WARP_LANES = 32;
    /** About what a device has room for; a warp takes one run after the other. */
    private static final int MAX_WRITE_CTAS = 4096;

    static final KernelContract CONTRACT = new KernelContract(
            "deflate",
            ABI,
            Map.ofEntries(
                    Map.entry("deflate_max_input_bytes", MAX_INPUT_BYTES),
                    Map.entry("deflate_max_output_bytes", MAX_OUTPUT_BYTES),
                    Map.entry("deflate_body_entry_bytes", BlockBatch.ENTRY_BYTES),
                    Map.entry("deflate_body_result_bytes", BlockBatch.RESULT_BYTES),
                    Map.entry("deflate_cta_threads", BlockDecoding.CTA_THREADS),
                    Map.entry("deflate_warp_token_bytes", WARP_TOKEN_BYTES),
                    Map.entry("deflate_max_find_bytes", MAX_FIND_BYTES),
                    Map.entry("deflate_find_result_bytes", FIND_RESULT_BYTES),
                    Map.entry("deflate_find_tile_bits", FIND_TILE_BITS),
                    Map.entry("deflate_find_tile_slots", FIND_TILE_SLOTS),
                    Map.entry("deflate_find_list_tiles", FIND_LIST_TILES),
                    Map.entry("deflate_find_cta_threads", FIND_CTA_THREADS),
                    Map.entry("deflate_segment_block_bytes", SegmentChain.BLOCK_BYTES),
                    Map.entry("deflate_segment_note_bytes", SegmentChain.NOTE_BYTES),
                    Map.entry("deflate_segment_run_bytes", SegmentChain.RUN_BYTES),
                    Map.entry("deflate_segment_part_bytes", SEGMENT_PART_BYTES),
                    Map.entry("deflate_segment_table_bytes", SEGMENT_TABLE_BYTES),
                    Map.entry("deflate_segment_piece_bits", SegmentChain.PIECE_BITS),
                    Map.entry("deflate_segment_margin_bits", SegmentChain.MARGIN_BITS),
                    Map.entry("deflate_segment_header_bits", SegmentChain.MAX_HEADER_BITS),
                    Map.entry("deflate_segment_history_bytes", SegmentChain.HISTORY_BYTES),
                    Map.entry("deflate_segment_tile_bytes", SEGMENT_TILE_BYTES),
                    Map.entry("deflate_segment_read_cta_threads", SEGMENT_READ_CTA_THREADS),
                    Map.entry("deflate_segment_stitch_cta_threads", WARP_LANES),
                    Map.entry("deflate_segment_write_cta_threads", SEGMENT_WRITE_CTA_THREADS),
                    Map.entry("deflate_segment_produce_cta_threads", SEGMENT_PRODUCE_CTA_THREADS)));

    private final KernelModule module;
    private final KernelFunction decodeBodies;
    private final KernelFunction decodeBodiesPaired;
    private final KernelFunction findBlocks;
    private final KernelFunction listBlocks;
    private final KernelFunction segmentCodes;
    private final KernelFunction segmentSynchronise;
    private final KernelFunction segmentStitch;
    private final KernelFunction segmentSources;
    private final KernelFunction segmentProduce;

    private DeflateKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.decodeBodies = module.function("deflate_decode_bodies");
        this.decodeBodiesPaired = module.function("deflate_decode_bodies_paired");
        this.findBlocks = module.function("deflate_find_blocks");
        this.listBlocks = module.function("deflate_list_blocks");
        this.segmentCodes = module.function("deflate_segment_codes");
        this.segmentSynchronise = module.function("deflate_segment_synchronise");
        this.segmentStitch = module.function("deflate_segment_stitch");
        this.segmentSources = module.function("deflate_segment_sources");
        this.segmentProduce = module.function("deflate_segment_produce");
    }

    static DeflateKernels load(Device device) throws KernelUnavailableException, DeviceException {
        KernelModule module = KernelModule.load(device, CONTRACT);
        try {
            return new DeflateKernels(module);
        } catch (DeviceException | RuntimeException failed) {
            module.close();
            throw failed;
        }
    }

    /** Decodes every raw DEFLATE body of a batch. */
    KernelFunction decodeBodies(DeflateGpuDecoder.Strategy strategy) {
        return strategy == DeflateGpuDecoder.Strategy.WARP ? decodeBodies : decodeBodiesPaired;
    }

    /** Finds dynamic blocks, and lists them. */
    void find(KernelArguments arguments, int tileCount, DeviceStream stream) throws DeviceException {
        int ctaCount = Math.min((tileCount + FIND_CTA_WARPS - 1) / FIND_CTA_WARPS, MAX_FIND_CTAS);
        findBlocks.launch(ctaCount, FIND_CTA_THREADS, arguments, stream);
        listBlocks.launch((tileCount + FIND_LIST_TILES - 1) / FIND_LIST_TILES, LIST_CTA_THREADS, arguments, stream);
    }

    /** Reads blocks of a segment: makes their codes, synchronises their pieces, follows each to its end. */
    void readSegment(KernelArguments arguments, int blockCount, int pieceCount, DeviceStream stream)
            throws DeviceException {
        int warps = SEGMENT_READ_CTA_THREADS / WARP_LANES;
        segmentCodes.launch((blockCount + warps - 1) / warps, SEGMENT_READ_CTA_THREADS, arguments, stream);
        if (pieceCount > 0) {
            segmentSynchronise.launch((pieceCount + warps - 1) / warps, SEGMENT_READ_CTA_THREADS, arguments, stream);
        }
        segmentStitch.launch(blockCount, WARP_LANES, arguments, stream);
    }

    /** Finds the sources of a segment's bytes, by its runs, and produces them: so many. */
    void writeSegment(KernelArguments sources, int runCount, KernelArguments produce, int rawBytes, DeviceStream stream)
            throws DeviceException {
        int warps = SEGMENT_WRITE_CTA_THREADS / WARP_LANES;
        int ctas = Math.min((runCount + warps - 1) / warps, MAX_WRITE_CTAS);
        segmentSources.launch(ctas, SEGMENT_WRITE_CTA_THREADS, sources, stream);
        int tiles = (rawBytes + SEGMENT_TILE_BYTES - 1) / SEGMENT_TILE_BYTES;
        segmentProduce.launch(tiles, SEGMENT_PRODUCE_CTA_THREADS, produce, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
