package io.warpcodec.engine.gpu.zstd;

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
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.format.zstd.ZstdFormat;

/** {@code zstd_encode.cu} for one level: entry names, and the constants of both sides. Thread-safe. */
final class ZstdEncodeKernels implements AutoCloseable {
    static final int ABI = 2;
    /** Longest raw range. */
    static final int MAX_INPUT_BYTES = 8 << 20;
    /** Raw bytes of a block; the last one of a frame may have fewer. */
    static final int BLOCK_BYTES = 1 << 16;
    /** Magic, descriptor, and a content size of 1, 2 or 4 bytes. */
    static final int MAX_HEADER_BYTES = 9;

    static final int MAX_OUTPUT_BYTES =
            MAX_INPUT_BYTES + MAX_INPUT_BYTES / BLOCK_BYTES * ZstdFormat.BLOCK_HEADER_BYTES + MAX_HEADER_BYTES;

    /**
     * Input offset and output offset of 64 bits, input length and output limit of 32, scratch offset of 64, first unit
     * and 0 of 32, little-endian.
     */
    static final int ENTRY_BYTES = 40;

    /** What is known of a block between kernels, in bytes. */
    static final int RECORD_BYTES = 16;

    static final int SCRATCH_ALIGNMENT_BYTES = 16;
    /** Bytes of scratch for a byte of a block. */
    static final int SCRATCH_FOLD = 6;
    /** Bytes of scratch that a block of any length has besides. */
    static final int SCRATCH_SLACK_BYTES = 32;

    private static final int FAR_CTA_THREADS = 1024;
    private static final int FAST_CTA_THREADS = 512;
    private static final int DEFAULT_CTA_THREADS = 512;
    private static final int CODES_CTA_THREADS = 128;
    private static final int JOIN_CTA_THREADS = 256;

    private static final int FAR_SHARED_BYTES = 131_072;
    private static final int FAST_SHARED_BYTES = 102_864;
    private static final int DEFAULT_SHARED_BYTES = 111_040;
    private static final int CODES_SHARED_BYTES = 17_388;

    /** {@code EncodeBatch} of {@code zstd_encode_format.cuh}, which all kernels take. */
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
            .pointer("scratch")
            .int64("scratch_bytes");

    static final KernelContract CONTRACT = KernelContract.named("zstd_encode", ABI)
            .constant("max_input_bytes", MAX_INPUT_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("block_bytes", BLOCK_BYTES)
            .constant("max_header_bytes", MAX_HEADER_BYTES)
            .constant("block_header_bytes", ZstdFormat.BLOCK_HEADER_BYTES)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", BlockBatch.RESULT_BYTES)
            .constant("record_bytes", RECORD_BYTES)
            .constant("scratch_alignment", SCRATCH_ALIGNMENT_BYTES)
            .constant("scratch_fold", SCRATCH_FOLD)
            .constant("scratch_slack_bytes", SCRATCH_SLACK_BYTES)
            .constant("far_cta_threads", FAR_CTA_THREADS)
            .constant("fast_cta_threads", FAST_CTA_THREADS)
            .constant("default_cta_threads", DEFAULT_CTA_THREADS)
            .constant("codes_cta_threads", CODES_CTA_THREADS)
            .constant("join_cta_threads", JOIN_CTA_THREADS)
            .constant("far_shared_bytes", FAR_SHARED_BYTES)
            .constant("fast_shared_bytes", FAST_SHARED_BYTES)
            .constant("default_shared_bytes", DEFAULT_SHARED_BYTES)
            .constant("codes_shared_bytes", CODES_SHARED_BYTES)
            .and(BlockResult.statusConstants("zstd_encode"))
            .taking(LAYOUT);

    /**
     * A kernel whose ctas take units until none is left.
     *
     * @param residentCtaCount most ctas of it that the device runs at once
     */
    private record Sharing(KernelFunction kernel, int ctaThreads, int residentCtaCount) {
        static Sharing of(KernelFunction kernel, int ctaThreads) throws DeviceException {
            return new Sharing(kernel, ctaThreads, Math.max(1, kernel.residentCtaCount(ctaThreads)));
        }

        void launch(int unitCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
            kernel.launch(Math.min(unitCount, residentCtaCount), ctaThreads, arguments, stream);
        }
    }

    private final KernelModule module;
    /** Null, as is the next, at a level whose matches are found by kernels of another module. */
    private final KernelFunction far;

    private final Sharing find;
    private final Sharing codes;
    private final KernelFunction join;

    private ZstdEncodeKernels(KernelModule module, EncodeLevel level)
            throws KernelUnavailableException, DeviceException {
        this.module = module;
        this.far = level == EncodeLevel.HIGH ? null : module.function("zstd_encode_far", FAR_SHARED_BYTES);
        this.find = switch (level) {
            case FAST -> Sharing.of(module.function("zstd_encode_blocks_fast", FAST_SHARED_BYTES), FAST_CTA_THREADS);
            case DEFAULT ->
                Sharing.of(module.function("zstd_encode_blocks_default", DEFAULT_SHARED_BYTES), DEFAULT_CTA_THREADS);
            case HIGH -> null;
            case BEST -> throw new IllegalArgumentException("level " + level);
        };
        String codesEntry = level == EncodeLevel.HIGH ? "zstd_encode_codes_parts" : "zstd_encode_codes";
        this.codes = Sharing.of(module.function(codesEntry, CODES_SHARED_BYTES), CODES_CTA_THREADS);
        this.join = module.function("zstd_encode_join");
    }

    /** Also unavailable on devices whose multiprocessors have less shared memory than the longest table takes. */
    static ZstdEncodeKernels load(Device device, EncodeLevel level) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, module -> new ZstdEncodeKernels(module, level));
    }

    /**
     * Asks the stream to find the matches of the ranges that the arguments tell of.
     *
     * @param unitCount blocks of all ranges, where a range of no bytes counts as one
     */
    void launchFinder(int rangeCount, int unitCount, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        far.launch(rangeCount, FAR_CTA_THREADS, arguments, stream);
        find.launch(unitCount, arguments, stream);
    }

    /** Asks the stream to make frames of them. */
    void launchCodes(int unitCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        codes.launch(unitCount, arguments, stream);
        join.launch(unitCount, JOIN_CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
