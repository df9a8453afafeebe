package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;

/**
 * {@code deflate_stream.cu}: entry names, and the constants of both sides: the search for blocks in a DEFLATE stream,
 * and the decoding of its segments. Thread-safe.
 */
final class DeflateStreamKernels implements AutoCloseable {
    static final int ABI = 2;

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
    /** Several times what a device runs at once; a cta takes one tile after the other. */
    private static final int MAX_FIND_CTAS = 4096;

    private static final int LIST_CTA_THREADS = 32;

    /** A block's codes. */
    static final int TABLE_BYTES = 2304;
    /** What is known of a part, of which a piece has 32. */
    static final int PART_BYTES = 16;

    private static final int SEGMENT_READ_CTA_THREADS = 128;
    private static final int SEGMENT_WRITE_CTA_THREADS = 64;
    private static final int SEGMENT_PRODUCE_CTA_THREADS = 256;
    /** A thread produces eight bytes. */
    private static final int SEGMENT_TILE_BYTES = 8 * SEGMENT_PRODUCE_CTA_THREADS;

    private static final int WARP_LANES = 32;
    /** About what a device runs at once; a warp takes one run after the other. */
    private static final int MAX_WRITE_CTAS = 4096;

    /** {@code Search} of {@code deflate_stream_find.cuh}, which the kernels that find blocks take. */
    static final ArgumentLayout SEARCH_LAYOUT = ArgumentLayout.of("search")
            .pointer("input")
            .int32("input_bytes")
            .int32("begin")
            .int32("limit")
            .int32("list_limit")
            .pointer("list")
            .pointer("result")
            .pointer("tile_counts")
            .pointer("tile_slots")
            .int32("tile_count");

    /** {@code Segment} of {@code deflate_stream_segment.cuh}, with which the next two begin. */
    private static final ArgumentLayout SEGMENT_LAYOUT = ArgumentLayout.of("segment")
            .pointer("input")
            .int32("input_bytes")
            .int32("block_count")
            .int32("piece_count")
            .pointer("blocks")
            .pointer("tables")
            .pointer("block_notes")
            .pointer("piece_notes")
            .pointer("parts");

    /** {@code SegmentReading} of the same file, which the kernels that read blocks take. */
    static final ArgumentLayout READING_LAYOUT =
            SEGMENT_LAYOUT.named("reading").int32("first_block").int32("first_piece");

    /** {@code SegmentWriting} of {@code deflate_stream_write.cuh}, which the kernels that write bytes take. */
    static final ArgumentLayout WRITING_LAYOUT = SEGMENT_LAYOUT
            .named("writing")
            .pointer("runs")
            .pointer("sources")
            .int32("place_count")
            .int32("first_place")
            .pointer("defect")
            .pointer("bytes")
            .int32("run_count");

    static final KernelContract CONTRACT = KernelContract.named("deflate_stream", ABI)
            .constant("max_find_bytes", MAX_FIND_BYTES)
            .constant("find_result_bytes", FIND_RESULT_BYTES)
            .constant("find_tile_bits", FIND_TILE_BITS)
            .constant("find_tile_slots", FIND_TILE_SLOTS)
            .constant("find_list_tiles", FIND_LIST_TILES)
            .constant("find_cta_threads", FIND_CTA_THREADS)
            .constant("block_bytes", SegmentChain.BLOCK_BYTES)
            .constant("note_bytes", SegmentChain.NOTE_BYTES)
            .constant("run_bytes", SegmentChain.RUN_BYTES)
            .constant("part_bytes", PART_BYTES)
            .constant("table_bytes", TABLE_BYTES)
            .constant("ending_ended", SegmentChain.ENDING_ENDED)
            .constant("ending_bad", SegmentChain.ENDING_BAD)
            .constant("stored_run", SegmentChain.STORED_RUN)
            .constant("piece_bits", SegmentChain.PIECE_BITS)
            .constant("margin_bits", SegmentChain.MARGIN_BITS)
            .constant("header_bits", SegmentChain.MAX_HEADER_BITS)
            .constant("history_bytes", SegmentChain.HISTORY_BYTES)
            .constant("tile_bytes", SEGMENT_TILE_BYTES)
            .constant("read_cta_threads", SEGMENT_READ_CTA_THREADS)
            .constant("stitch_cta_threads", WARP_LANES)
            .constant("write_cta_threads", SEGMENT_WRITE_CTA_THREADS)
            .constant("produce_cta_threads", SEGMENT_PRODUCE_CTA_THREADS)
            .taking(SEARCH_LAYOUT, READING_LAYOUT, WRITING_LAYOUT);

    private final KernelModule module;
    private final KernelFunction findBlocks;
    private final KernelFunction listBlocks;
    private final KernelFunction makeCodes;
    private final KernelFunction synchronisePieces;
    private final KernelFunction stitchBlocks;
    private final KernelFunction findSources;
    private final KernelFunction produce;

    private DeflateStreamKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.findBlocks = module.function("deflate_stream_find_blocks");
        this.listBlocks = module.function("deflate_stream_list_blocks");
        this.makeCodes = module.function("deflate_stream_make_codes");
        this.synchronisePieces = module.function("deflate_stream_synchronise_pieces");
        this.stitchBlocks = module.function("deflate_stream_stitch_blocks");
        this.findSources = module.function("deflate_stream_find_sources");
        this.produce = module.function("deflate_stream_produce");
    }

    static DeflateStreamKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, DeflateStreamKernels::new);
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
        makeCodes.launch((blockCount + warps - 1) / warps, SEGMENT_READ_CTA_THREADS, arguments, stream);
        if (pieceCount > 0) {
            synchronisePieces.launch((pieceCount + warps - 1) / warps, SEGMENT_READ_CTA_THREADS, arguments, stream);
        }
        stitchBlocks.launch(blockCount, WARP_LANES, arguments, stream);
    }

    /** Finds the sources of a segment's bytes, by its runs, and produces them: so many. */
    void writeSegment(KernelArguments arguments, int runCount, int rawBytes, DeviceStream stream)
            throws DeviceException {
        int warps = SEGMENT_WRITE_CTA_THREADS / WARP_LANES;
        int ctas = Math.min((runCount + warps - 1) / warps, MAX_WRITE_CTAS);
        findSources.launch(ctas, SEGMENT_WRITE_CTA_THREADS, arguments, stream);
        int tiles = (rawBytes + SEGMENT_TILE_BYTES - 1) / SEGMENT_TILE_BYTES;
        produce.launch(tiles, SEGMENT_PRODUCE_CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
