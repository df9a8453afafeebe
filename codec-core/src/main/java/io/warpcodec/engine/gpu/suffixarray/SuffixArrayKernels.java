package io.warpcodec.engine.gpu.suffixarray;

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

/** {@code suffixarray.cu}: entry names, and the constants of both sides. Thread-safe. */
final class SuffixArrayKernels implements AutoCloseable {
    static final int ABI = 1;
    static final int MAX_FRAME_BYTES = 8 << 20;
    /** Bytes by which rotations are told apart at least. */
    static final int CUT_BYTES = 192;
    /** Rounds behind the first sort, as many as any frame takes. */
    static final int MAX_ROUNDS = 6;

    /** Bits of a place, which are the lowest of a key. */
    static final int POSITION_BITS = 24;

    static final int DIGIT_BITS = 8;
    /** Passes of the first sort, and of a round's. */
    static final int FIRST_PASSES = 5;

    static final int ROUND_PASSES = 3;
    static final int TILE_ROTATIONS = 4096;
    /** Places of which one cta sorts the groups that begin there. */
    static final int WINDOW = 512;

    /** Of a window and of what its last group may have behind it. */
    static final int WINDOW_PLACES = 1024;

    static final int CODES_PER_BLOCK = 257 * 256;
    static final int HISTOGRAM_WORDS_PER_TILE = 2304;
    static final int SEGMENTS_PER_TILE = 8;
    static final int ENTRY_BYTES = 16;
    static final int RESULT_BYTES = 8;
    /** Of what a round leaves to the next. */
    static final int COUNTS_BYTES = 16;

    static final int SEGMENT_BYTES = 16;

    /** {@code OrderBatch} of {@code suffixarray_format.cuh}, which all kernels but those of the sort take. */
    static final ArgumentLayout LAYOUT = layout();

    /** {@code SortBatch} of {@code sort_format.cuh}. */
    static final ArgumentLayout SORT_LAYOUT = ArgumentLayout.of("sort_batch")
            .pointer("keys")
            .pointer("sorted_keys")
            .pointer("segments")
            .pointer("tile_segments")
            .pointer("counts")
            .pointer("histograms")
            .int32("key_count")
            .int32("segment_capacity")
            .int32("tile_capacity")
            .int32("shift");

    /** The kernels; {@code suffixarray.cu} says what each does. */
    enum Stage {
        BEGIN(256, 0),
        FIND_SYMBOLS(256, 0),
        CODES(1024, 165_920),
        KEYS(256, 0),
        SPLIT_BLOCKS(256, 0),
        REFINE_WINDOWS(128, 16_976),
        GATHER_SEGMENTS(256, 0),
        RANK_WINDOWS(128, 0),
        SPLIT_SEGMENTS(256, 0),
        WRITE_ORDER(256, 0),
        COUNT(256, 0),
        SCAN(512, 0),
        SCAN_LONG(1024, 0),
        SCATTER(256, 0);

        private final int ctaThreads;
        private final int sharedBytes;

        /** @param sharedBytes of dynamic shared memory */
        Stage(int ctaThreads, int sharedBytes) {
            this.ctaThreads = ctaThreads;
            this.sharedBytes = sharedBytes;
        }

        private String entry() {
            return "suffixarray_" + name().toLowerCase(Locale.ROOT);
        }
    }

    static final KernelContract CONTRACT = KernelContract.named("suffixarray", ABI)
            .constant("max_frame_bytes", MAX_FRAME_BYTES)
            .constant("cut_bytes", CUT_BYTES)
            .constant("max_rounds", MAX_ROUNDS)
            .constant("position_bits", POSITION_BITS)
            .constant("digit_bits", DIGIT_BITS)
            .constant("first_passes", FIRST_PASSES)
            .constant("round_passes", ROUND_PASSES)
            .constant("tile_rotations", TILE_ROTATIONS)
            .constant("window", WINDOW)
            .constant("window_places", WINDOW_PLACES)
            .constant("codes_per_block", CODES_PER_BLOCK)
            .constant("histogram_words_per_tile", HISTOGRAM_WORDS_PER_TILE)
            .constant("segments_per_tile", SEGMENTS_PER_TILE)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", RESULT_BYTES)
            .constant("counts_bytes", COUNTS_BYTES)
            .constant("segment_bytes", SEGMENT_BYTES)
            .constant("symbols_cta_threads", Stage.FIND_SYMBOLS.ctaThreads)
            .constant("codes_cta_threads", Stage.CODES.ctaThreads)
            .constant("keys_cta_threads", Stage.KEYS.ctaThreads)
            .constant("split_cta_threads", Stage.SPLIT_BLOCKS.ctaThreads)
            .constant("refine_cta_threads", Stage.REFINE_WINDOWS.ctaThreads)
            .constant("rank_cta_threads", Stage.RANK_WINDOWS.ctaThreads)
            .constant("order_cta_threads", Stage.WRITE_ORDER.ctaThreads)
            .constant("sort_cta_threads", Stage.COUNT.ctaThreads)
            .constant("scan_cta_threads", Stage.SCAN.ctaThreads)
            .constant("scan_long_cta_threads", Stage.SCAN_LONG.ctaThreads)
            .constant("codes_shared_bytes", Stage.CODES.sharedBytes)
            .constant("refine_shared_bytes", Stage.REFINE_WINDOWS.sharedBytes)
            .and(BlockResult.statusConstants("suffixarray"))
            .taking(LAYOUT, SORT_LAYOUT);

    private final KernelModule module;
    private final Map<Stage, KernelFunction> functions = new EnumMap<>(Stage.class);
    /** Ctas that keep a device busy, for work whose size only the device knows. */
    final int residentCtas;

    private SuffixArrayKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
        this.module = module;
        for (Stage stage : Stage.values()) {
            functions.put(
                    stage,
                    stage.sharedBytes == 0
                            ? module.function(stage.entry())
                            : module.function(stage.entry(), stage.sharedBytes));
        }
        residentCtas = functions.get(Stage.REFINE_WINDOWS).residentCtaCount(Stage.REFINE_WINDOWS.ctaThreads);
    }

    private static ArgumentLayout layout() {
        ArgumentLayout layout = ArgumentLayout.of("batch")
                .pointer("text")
                .pointer("column")
                .int64("text_bytes")
                .pointer("entries");
        for (OrderArea area : OrderArea.values()) {
            layout = layout.pointer(area.field());
        }
        return layout.int32("block_count")
                .int32("tile_count")
                .int32("segment_capacity")
                .int32("tile_capacity")
                .int32("round")
                .pointer("order");
    }

    /**
     * Also unavailable on devices whose multiprocessors have less than 162 KiB of shared memory: it takes compute
     * capability 8.0, 9.0 or 10.0.
     */
    static SuffixArrayKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, SuffixArrayKernels::new);
    }

    void launch(Stage stage, int ctaCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        functions.get(stage).launch(ctaCount, stage.ctaThreads, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
