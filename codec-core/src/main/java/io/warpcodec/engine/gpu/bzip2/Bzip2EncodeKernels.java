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
import io.warpcodec.format.bzip2.Bzip2Format;

/** {@code bzip2_encode.cu}: entry names, and the constants of both sides. Thread-safe. */
final class Bzip2EncodeKernels implements AutoCloseable {
    static final int ABI = 3;
    /** Of a block, whose text has {@link BwtEncodeKernels#MAX_BLOCK_BYTES} at most. */
    static final int MAX_RAW_BYTES = Bzip2Format.MAX_CHUNK_BYTES;

    static final int MAX_OUTPUT_BYTES = 2 << 20;
    static final int TILE_BYTES = BwtEncodeKernels.TILE_ROTATIONS;
    /** Groups of 50 symbols. */
    static final int MAX_GROUPS = 18_001;

    static final int WORDS_PER_CHUNK = 6 * 258;
    /**
     * Offsets of raw bytes and slot of 64 bits; of 32 bits length and slot's length, the text's first tile and most
     * bytes, the raw bytes' first tile, and nothing for three more.
     */
    static final int ENTRY_BYTES = 48;
    /** Where in an entry the text's first tile stands, and that of the raw bytes. */
    static final int FIRST_TILE_AT = 24;

    static final int FIRST_RAW_TILE_AT = 32;
    /** Status, bits, CRC, bytes of text. */
    static final int RESULT_BYTES = 16;

    static final int RAW_TILE_BYTES = 12;
    private static final int PACKS_PER_CHUNK = 141;
    private static final int RUNS_CTA_THREADS = 256;
    private static final int CHOOSE_CTA_THREADS = 768;
    private static final int PACK_CTA_THREADS = 128;
    private static final int CHOOSE_SHARED_BYTES = 91_288;

    /** {@code EncodeBatch} of {@code bzip2_encode_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("entries")
            .pointer("results")
            .pointer("raw_tiles")
            .pointer("raw_tile_chunks")
            .pointer("text")
            .pointer("text_entries")
            .pointer("bwt_results")
            .pointer("mtf_results")
            .pointer("symbols")
            .pointer("selectors")
            .pointer("group_bits")
            .pointer("words")
            .int32("chunk_count")
            .int32("tile_count")
            .int32("raw_tile_count")
            .int32("reserved");

    static final KernelContract CONTRACT = KernelContract.named("bzip2_encode", ABI)
            .constant("max_raw_bytes", MAX_RAW_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("max_groups", MAX_GROUPS)
            .constant("words_per_chunk", WORDS_PER_CHUNK)
            .constant("tile_bytes", TILE_BYTES)
            .constant("packs_per_chunk", PACKS_PER_CHUNK)
            .constant("runs_cta_threads", RUNS_CTA_THREADS)
            .constant("choose_cta_threads", CHOOSE_CTA_THREADS)
            .constant("pack_cta_threads", PACK_CTA_THREADS)
            .constant("choose_shared_bytes", CHOOSE_SHARED_BYTES)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", RESULT_BYTES)
            .constant("raw_tile_bytes", RAW_TILE_BYTES)
            .and(BlockResult.statusConstants("bzip2_encode"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final KernelFunction begin;
    private final KernelFunction countRuns;
    private final KernelFunction scanRuns;
    private final KernelFunction writeRuns;
    private final KernelFunction choose;
    private final KernelFunction pack;

    private Bzip2EncodeKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
        this.module = module;
        this.begin = module.function("bzip2_encode_begin");
        this.countRuns = module.function("bzip2_encode_count_runs");
        this.scanRuns = module.function("bzip2_encode_scan_runs");
        this.writeRuns = module.function("bzip2_encode_write_runs");
        this.choose = module.function("bzip2_encode_choose", CHOOSE_SHARED_BYTES);
        this.pack = module.function("bzip2_encode_pack");
    }

    static Bzip2EncodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, Bzip2EncodeKernels::new);
    }

    /** Texts and CRCs, before the transform. */
    void shorten(int chunkCount, int rawTileCount, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        begin.launch(rawTileCount, RUNS_CTA_THREADS, arguments, stream);
        countRuns.launch(rawTileCount, RUNS_CTA_THREADS, arguments, stream);
        scanRuns.launch(chunkCount, RUNS_CTA_THREADS, arguments, stream);
        writeRuns.launch(rawTileCount, RUNS_CTA_THREADS, arguments, stream);
    }

    /** Codes and bits, behind the symbols. */
    void code(int chunkCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        choose.launch(chunkCount, CHOOSE_CTA_THREADS, arguments, stream);
        pack.launch(chunkCount * PACKS_PER_CHUNK, PACK_CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
