package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.EncodeLevel;

/** {@code deflate_encode.cu}: entry names, and the constants of both sides. Thread-safe. */
public final class DeflateEncodeKernels implements AutoCloseable {
    static final int ABI = 4;
    /** Longest raw range. */
    static final int MAX_INPUT_BYTES = 4 << 20;
    /** Raw bytes of a DEFLATE block. */
    public static final int BLOCK_BYTES = 1 << 16;
    /** What a block may grow by. */
    static final int BLOCK_OVERHEAD_BYTES = 11;

    /** What a flush takes at most. */
    static final int FLUSH_BYTES = 5;

    static final int MAX_OUTPUT_BYTES =
            MAX_INPUT_BYTES + MAX_INPUT_BYTES / BLOCK_BYTES * BLOCK_OVERHEAD_BYTES + 2 + FLUSH_BYTES;

    /** How far matches reach before a range at most. */
    static final int WINDOW_BYTES = 32 << 10;

    /**
     * Input offset and output offset of 64 bits, input length and output limit of 32, slot of 64, first unit of 32,
     * bytes of the window and 1 for a flush of 16, little-endian.
     */
    public static final int ENTRY_BYTES = 40;

    public static final int RECORD_BYTES = 8;
    public static final int SLOT_SLACK_BYTES = 16;
    static final int FAST_CTA_THREADS = 512;
    static final int DEEP_CTA_THREADS = 1024;
    static final int JOIN_CTA_THREADS = 256;
    static final int BEST_CTA_THREADS = 1024;
    static final int PARSE_CTA_THREADS = 128;
    static final int STEP_CTA_THREADS = 512;
    private static final int FAST_SHARED_BYTES = 112_704;
    private static final int DEEP_SHARED_BYTES = 227_520;
    private static final int BEST_SHARED_BYTES = 227_520;
    private static final int STEP_SHARED_BYTES = 87_200;
    /** Parses by price of a block. */
    static final int BEST_PASSES = 3;
    /** Matches of a place. */
    public static final int PLACE_MATCHES_BYTES = 16;
    /** Prices of a block, for each of its tiles. */
    public static final int PRICES_BYTES = 8704;

    /** {@code EncodeBatch} of {@code deflate_encode_format.cuh}, which all kernels take but those by price. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("range_count")
            .int32("unit_count")
            .pointer("records")
            .pointer("slots")
            .int64("slots_bytes")
            .pointer("tokens")
            .int32("depth");

    /** {@code BestBatch} of {@code deflate_encode_best_format.cuh}. */
    static final ArgumentLayout BEST_LAYOUT =
            LAYOUT.named("best_batch").pointer("matches").pointer("steps").pointer("prices");

    static final KernelContract CONTRACT = KernelContract.named("deflate_encode", ABI)
            .constant("max_input_bytes", MAX_INPUT_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("block_bytes", BLOCK_BYTES)
            .constant("block_overhead_bytes", BLOCK_OVERHEAD_BYTES)
            .constant("flush_bytes", FLUSH_BYTES)
            .constant("window_bytes", WINDOW_BYTES)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", BlockBatch.RESULT_BYTES)
            .constant("record_bytes", RECORD_BYTES)
            .constant("slot_slack_bytes", SLOT_SLACK_BYTES)
            .constant("fast_cta_threads", FAST_CTA_THREADS)
            .constant("deep_cta_threads", DEEP_CTA_THREADS)
            .constant("join_cta_threads", JOIN_CTA_THREADS)
            .constant("best_cta_threads", BEST_CTA_THREADS)
            .constant("parse_cta_threads", PARSE_CTA_THREADS)
            .constant("step_cta_threads", STEP_CTA_THREADS)
            .constant("best_shared_bytes", BEST_SHARED_BYTES)
            .constant("step_shared_bytes", STEP_SHARED_BYTES)
            .constant("best_passes", BEST_PASSES)
            .constant("place_matches_bytes", PLACE_MATCHES_BYTES)
            .constant("prices_bytes", PRICES_BYTES)
            .constant("fast_shared_bytes", FAST_SHARED_BYTES)
            .constant("deep_shared_bytes", DEEP_SHARED_BYTES)
            .and(BlockResult.statusConstants("deflate_encode"))
            .taking(LAYOUT, BEST_LAYOUT);

    /**
     * A kernel that encodes blocks, and the most ctas of it that the device runs at once.
     *
     * @param ctaThreads threads of one cta
     */
    record Encoding(KernelFunction kernel, int ctaThreads, int residentCtaCount) {
        static Encoding of(KernelFunction kernel, int ctaThreads) throws DeviceException {
            return new Encoding(kernel, ctaThreads, Math.max(1, kernel.residentCtaCount(ctaThreads)));
        }
    }

    /**
     * The kernels of the level by price.
     *
     * @param parse takes a cta a block, as those that follow
     */
    record Best(Encoding find, KernelFunction parse, KernelFunction price, KernelFunction write) {
        static Best of(KernelModule module) throws KernelUnavailableException, DeviceException {
            return new Best(
                    Encoding.of(module.function("deflate_encode_best_find", BEST_SHARED_BYTES), BEST_CTA_THREADS),
                    module.function("deflate_encode_best_parse"),
                    module.function("deflate_encode_best_price", STEP_SHARED_BYTES),
                    module.function("deflate_encode_best_write", STEP_SHARED_BYTES));
        }
    }

    private final KernelModule module;
    private final Encoding fast;
    private final Encoding deep;
    private final Best best;
    private final KernelFunction join;

    private DeflateEncodeKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
        this.module = module;
        this.fast = Encoding.of(module.function("deflate_encode_blocks_fast", FAST_SHARED_BYTES), FAST_CTA_THREADS);
        this.deep = Encoding.of(module.function("deflate_encode_blocks_deep", DEEP_SHARED_BYTES), DEEP_CTA_THREADS);
        this.best = Best.of(module);
        this.join = module.function("deflate_encode_join");
    }

    /**
     * Also unavailable on devices whose multiprocessors have too little shared memory: it takes what compute
     * capability 9.0 has.
     */
    static DeflateEncodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, DeflateEncodeKernels::new);
    }

    /** Encodes the blocks of a batch, at all levels but that by price. */
    Encoding encoding(EncodeLevel level) {
        return level.isLinked() ? deep : fast;
    }

    /** Those that encode the blocks of a batch by price. */
    Best best() {
        return best;
    }

    /** Lays them behind each other. */
    KernelFunction join() {
        return join;
    }

    @Override
    public void close() {
        module.close();
    }
}
