package io.warpcodec.engine.gpu.bzip2;

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

/** {@code bwt_encode.cu}: entry names, and the constants of both sides. Thread-safe. */
final class BwtEncodeKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Bits of a position, which are the lowest of a key, and those above them. */
    static final int POSITION_BITS = 20;

    static final int KEY_BITS = Long.SIZE - POSITION_BITS;
    static final int MAX_BLOCK_BYTES = 900_000;
    /** Rounds behind the first sort, as many as any block takes. */
    static final int MAX_ROUNDS = 19;

    static final int TILE_ROTATIONS = SortKernels.TILE_KEYS;
    /** Places of which one cta sorts the groups that begin there. */
    static final int WINDOW = 1024;

    static final int WINDOWS_PER_TILE = TILE_ROTATIONS / WINDOW;
    /** Of a window and of what its last group may have behind it. */
    static final int WINDOW_PLACES = 2048;

    static final int CODES_PER_BLOCK = 257 * 256;
    static final int HISTOGRAM_WORDS_PER_TILE = 640;
    static final int SEGMENTS_PER_TILE = 4;
    static final int ENTRY_BYTES = 16;
    static final int RESULT_BYTES = 8;
    /** Of what a round leaves to the next: segments, their tiles, rotations that are tied, windows. */
    static final int COUNTS_BYTES = 16;

    static final int TIED_AT = 8;
    static final int WINDOWS_AT = 12;

    /** {@code BwtBatch} of {@code bwt_encode_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("text")
            .pointer("column")
            .int64("text_bytes")
            .pointer("entries")
            .pointer("results")
            .pointer("keys_a")
            .pointer("keys_b")
            .pointer("ranks")
            .pointer("shared_a")
            .pointer("shared_b")
            .pointer("heads")
            .pointer("added_heads")
            .pointer("window_ranges")
            .pointer("window_marks")
            .pointer("windows_a")
            .pointer("windows_b")
            .pointer("codes")
            .pointer("histograms")
            .pointer("tile_blocks")
            .pointer("segments_a")
            .pointer("segments_b")
            .pointer("tile_segments_a")
            .pointer("tile_segments_b")
            .pointer("rounds")
            .int32("block_count")
            .int32("tile_count")
            .int32("segment_capacity")
            .int32("tile_capacity")
            .int32("round");

    /** The kernels; {@code bwt_encode.cu} says what each does. */
    enum Stage {
        BEGIN(256, 0),
        CODES(1024, 165_920),
        KEYS(256, 0),
        SPLIT_BLOCKS(256, 0),
        REFINE_WINDOWS(256, 33_936),
        GATHER_SEGMENTS(256, 0),
        RANK_WINDOWS(128, 0),
        SPLIT_SEGMENTS(256, 0),
        WRITE_COLUMNS(256, 0);

        private final int ctaThreads;
        private final int sharedBytes;

        /** @param sharedBytes of dynamic shared memory */
        Stage(int ctaThreads, int sharedBytes) {
            this.ctaThreads = ctaThreads;
            this.sharedBytes = sharedBytes;
        }

        private String entry() {
            return "bwt_encode_" + name().toLowerCase(Locale.ROOT);
        }
    }

    static final KernelContract CONTRACT = KernelContract.named("bwt_encode", ABI)
            .constant("max_block_bytes", MAX_BLOCK_BYTES)
            .constant("max_rounds", MAX_ROUNDS)
            .constant("tile_rotations", TILE_ROTATIONS)
            .constant("window", WINDOW)
            .constant("window_places", WINDOW_PLACES)
            .constant("codes_per_block", CODES_PER_BLOCK)
            .constant("histogram_words_per_tile", HISTOGRAM_WORDS_PER_TILE)
            .constant("segments_per_tile", SEGMENTS_PER_TILE)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", RESULT_BYTES)
            .constant("counts_bytes", COUNTS_BYTES)
            .constant("codes_cta_threads", Stage.CODES.ctaThreads)
            .constant("keys_cta_threads", Stage.KEYS.ctaThreads)
            .constant("split_cta_threads", Stage.SPLIT_BLOCKS.ctaThreads)
            .constant("refine_cta_threads", Stage.REFINE_WINDOWS.ctaThreads)
            .constant("rank_cta_threads", Stage.RANK_WINDOWS.ctaThreads)
            .constant("column_cta_threads", Stage.WRITE_COLUMNS.ctaThreads)
            .constant("codes_shared_bytes", Stage.CODES.sharedBytes)
            .constant("refine_shared_bytes", Stage.REFINE_WINDOWS.sharedBytes)
            .and(BlockResult.statusConstants("bwt_encode"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final Map<Stage, KernelFunction> functions = new EnumMap<>(Stage.class);
    /** Ctas that keep a device busy, for work whose size only the device knows. */
    final int residentCtas;

    private BwtEncodeKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
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

    /**
     * Also unavailable on devices whose multiprocessors have less than 162 KiB of shared memory: it takes compute
     * capability 8.0, 9.0 or 10.0.
     */
    static BwtEncodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, BwtEncodeKernels::new);
    }

    void launch(Stage stage, int ctaCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        functions.get(stage).launch(ctaCount, stage.ctaThreads, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
