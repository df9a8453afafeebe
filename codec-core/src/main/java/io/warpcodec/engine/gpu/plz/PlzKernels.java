package io.warpcodec.engine.gpu.plz;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockResult;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** {@code plz.cu}: entry names, and the constants of both sides. Thread-safe. */
final class PlzKernels implements AutoCloseable {
    static final int ABI = 4;
    /** Bytes of a unit: a frame begins with one, and blocks of zstd have one each. */
    static final int UNIT_BYTES = 1 << 16;

    static final int MAX_RANGE_BYTES = 8 << 20;
    /** Bytes of text that may be read behind the last. */
    static final int TEXT_SLACK_BYTES = 16;

    static final int FRAME_BYTES = 8;
    static final int ORDER_ENTRY_BYTES = 16;
    static final int UNIT_MINIMA_WORDS = 9384;
    /** Candidates of a place by the length of what is the same; its matches take their place. */
    static final int NEAREST_KINDS = 5;

    static final int WINDOW_RANKS = 8192;
    static final int WINDOW_BYTES = 8;
    static final int TILE_PLACES = 16_384;
    /** Places whose matches are read at once. */
    static final int BROUGHT_PLACES = 4;

    /** Of long frames. */
    static final int CHUNK_BYTES = 4096;
    /** How often chunks are halved at most, in the shortest frames. */
    static final int MOST_HALVINGS = 2;
    /** Frames of so many bytes have chunks of half the length. */
    static final int MOST_HALVED_BYTES = 1 << 20;
    /** Frames of so many bytes have chunks of a quarter of the length. */
    static final int MOST_QUARTERED_BYTES = 128 << 10;

    static final int CTA_CHUNKS = 32;
    /** Chunks of a cta that parses few. */
    static final int WIDE_CTA_CHUNKS = 8;

    static final int SAMPLE_STRIDE_BYTES = 32 << 10;
    static final int SAMPLE_ROUNDS = 2;
    /** How often samples are parsed side by side, each time with other candidates. */
    static final int SAMPLE_TURNS = 2;

    static final int FAR_WAYS = 512;
    static final int WAY_BYTES = 16;
    static final int PATH_BYTES = 8;
    static final int PRICES_BYTES = 1764;
    /** Ranks of which a cta looks for smaller values. */
    static final int RANK_TILE = 4096;
    /** Ranks of which a cta marks heads. */
    static final int MARK_RANKS = 2048;
    /** Digits of a bucket's number that a cta adds up. */
    static final int CTA_DIGITS = 32;

    private static final int WARP_LANES = 32;
    private static final int CTA_THREADS = 256;
    private static final int MEASURE_CTA_THREADS = 128;

    /** {@code PlzBatch} of {@code plz_format.cuh}, which all kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("records")
            .pointer("encode_scratch")
            .int64("encode_scratch_bytes")
            .int32("range_count")
            .int32("unit_count")
            .int32("most_units")
            .int32("reserved")
            .pointer("text")
            .pointer("frames")
            .pointer("unit_frames")
            .pointer("order_entries")
            .pointer("order")
            .pointer("smaller")
            .pointer("minima")
            .pointer("rows")
            .pointer("ranks")
            .pointer("heads")
            .pointer("windows")
            .pointer("counts")
            .pointer("members")
            .pointer("ways")
            .pointer("steps")
            .pointer("arrivals")
            .pointer("paths")
            .pointer("frame_prices")
            .pointer("unit_prices");

    /** The kernels; {@code plz.cu} says what each does. */
    enum Stage {
        GATHER(CTA_THREADS, 0),
        MARK_HEADS(CTA_THREADS, 0),
        FIND_WINDOWS(1024, 0),
        COUNT_BUCKETS(1024, 0),
        PLACE_BUCKETS(1024, 0),
        DEAL_PLACES(1024, 184_464),
        LINK_3(160, 95_744),
        LINK_4(128, 76_800),
        LINK_6(96, 57_856),
        LINK_8(64, 38_912),
        LINK_12(32, 19_968),
        TILE_MINIMA(512, 51_488),
        UPPER_MINIMA(512, 0),
        SMALLER_VALUES(512, 51_488),
        MEASURE(MEASURE_CTA_THREADS, 0),
        PRICE_BYTES(128, 0),
        PARSE_SAMPLES(128, 0),
        PARSE_SAMPLES_WIDE(128, 0),
        TRACE_SAMPLES(32, 0),
        PRICE_SAMPLES(128, 0),
        PARSE_DRAFTS(128, 0),
        PARSE_DRAFTS_WIDE(128, 0),
        TRACE_DRAFTS(32, 0),
        PRICE_UNITS(64, 0),
        PARSE_UNITS(128, 0),
        PARSE_UNITS_WIDE(128, 0),
        TRACE(32, 0),
        SEAMS(64, 0),
        EMIT(512, 0),
        BORDERS(512, 0);

        private final int ctaThreads;
        private final int sharedBytes;

        /** @param sharedBytes of dynamic shared memory */
        Stage(int ctaThreads, int sharedBytes) {
            this.ctaThreads = ctaThreads;
            this.sharedBytes = sharedBytes;
        }

        int ctaThreads() {
            return ctaThreads;
        }

        int ctaWarps() {
            return ctaThreads / WARP_LANES;
        }

        private String entry() {
            return "plz_" + name().toLowerCase(Locale.ROOT);
        }
    }

    static final KernelContract CONTRACT = KernelContract.named("plz", ABI)
            .constant("unit_bytes", UNIT_BYTES)
            .constant("max_range_bytes", MAX_RANGE_BYTES)
            .constant("text_slack_bytes", TEXT_SLACK_BYTES)
            .constant("frame_bytes", FRAME_BYTES)
            .constant("order_entry_bytes", ORDER_ENTRY_BYTES)
            .constant("unit_minima_words", UNIT_MINIMA_WORDS)
            .constant("nearest_kinds", NEAREST_KINDS)
            .constant("window_ranks", WINDOW_RANKS)
            .constant("window_bytes", WINDOW_BYTES)
            .constant("tile_places", TILE_PLACES)
            .constant("brought_places", BROUGHT_PLACES)
            .constant("chunk_bytes", CHUNK_BYTES)
            .constant("most_halvings", MOST_HALVINGS)
            .constant("most_halved_bytes", MOST_HALVED_BYTES)
            .constant("most_quartered_bytes", MOST_QUARTERED_BYTES)
            .constant("cta_chunks", CTA_CHUNKS)
            .constant("wide_cta_chunks", WIDE_CTA_CHUNKS)
            .constant("sample_stride_bytes", SAMPLE_STRIDE_BYTES)
            .constant("sample_rounds", SAMPLE_ROUNDS)
            .constant("sample_turns", SAMPLE_TURNS)
            .constant("far_ways", FAR_WAYS)
            .constant("way_bytes", WAY_BYTES)
            .constant("path_bytes", PATH_BYTES)
            .constant("prices_bytes", PRICES_BYTES)
            .constant("rank_tile", RANK_TILE)
            .constant("mark_ranks", MARK_RANKS)
            .constant("gather_cta_threads", Stage.GATHER.ctaThreads)
            .constant("ansv_cta_threads", Stage.SMALLER_VALUES.ctaThreads)
            .constant("upper_cta_threads", Stage.UPPER_MINIMA.ctaThreads)
            .constant("cta_threads", CTA_THREADS)
            .constant("window_cta_threads", Stage.FIND_WINDOWS.ctaThreads)
            .constant("deal_cta_threads", Stage.DEAL_PLACES.ctaThreads)
            .constant("place_cta_threads", Stage.PLACE_BUCKETS.ctaThreads)
            .constant("measure_cta_threads", MEASURE_CTA_THREADS)
            .constant("price_cta_threads", Stage.PRICE_BYTES.ctaThreads)
            .constant("unit_price_cta_threads", Stage.PRICE_UNITS.ctaThreads)
            .constant("parse_cta_threads", Stage.PARSE_UNITS.ctaThreads)
            .constant("seam_cta_threads", Stage.SEAMS.ctaThreads)
            .constant("emit_cta_threads", Stage.EMIT.ctaThreads)
            .constant("borders_cta_threads", Stage.BORDERS.ctaThreads)
            .constant("ansv_shared_bytes", Stage.SMALLER_VALUES.sharedBytes)
            .constant("deal_shared_bytes", Stage.DEAL_PLACES.sharedBytes)
            .constant("link_3_shared_bytes", Stage.LINK_3.sharedBytes)
            .constant("link_4_shared_bytes", Stage.LINK_4.sharedBytes)
            .constant("link_6_shared_bytes", Stage.LINK_6.sharedBytes)
            .constant("link_8_shared_bytes", Stage.LINK_8.sharedBytes)
            .constant("link_12_shared_bytes", Stage.LINK_12.sharedBytes)
            .and(BlockResult.statusConstants("plz"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final Map<Stage, KernelFunction> functions = new EnumMap<>(Stage.class);

    private PlzKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
        this.module = module;
        for (Stage stage : Stage.values()) {
            functions.put(
                    stage,
                    stage.sharedBytes == 0
                            ? module.function(stage.entry())
                            : module.function(stage.entry(), stage.sharedBytes));
        }
    }

    /** Also unavailable on devices whose multiprocessors have less shared memory than the largest kernel takes. */
    static PlzKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, PlzKernels::new);
    }

    void launch(Stage stage, int ctaCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        functions.get(stage).launch(ctaCount, stage.ctaThreads, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
