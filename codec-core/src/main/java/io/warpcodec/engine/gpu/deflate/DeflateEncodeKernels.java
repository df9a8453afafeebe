package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelStatus;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.EncodeLevel;

/** {@code deflate_encode.cu}: entry names, and the constants of both sides. Thread-safe. */
public final class DeflateEncodeKernels implements AutoCloseable {
    static final int ABI = 3;
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
    private static final int FAST_SHARED_BYTES = 112_704;
    private static final int DEEP_SHARED_BYTES = 227_520;

    /** {@code EncodeBatch} of {@code deflate_encode_format.cuh}, which all kernels take. */
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
            .constant("fast_shared_bytes", FAST_SHARED_BYTES)
            .constant("deep_shared_bytes", DEEP_SHARED_BYTES)
            .and(BlockResult.statusConstants("deflate_encode"))
            .taking(LAYOUT);

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

    private final KernelModule module;
    private final Encoding fast;
    private final Encoding deep;
    private final KernelFunction join;

    private DeflateEncodeKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.fast = Encoding.of(module.function("deflate_encode_blocks_fast", FAST_SHARED_BYTES), FAST_CTA_THREADS);
        this.deep = Encoding.of(module.function("deflate_encode_blocks_deep", DEEP_SHARED_BYTES), DEEP_CTA_THREADS);
        this.join = module.function("deflate_encode_join");
    }

    /**
     * Also unavailable on devices whose multiprocessors have too little shared memory: it takes what compute
     * capability 9.0 has.
     */
    static DeflateEncodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, module -> {
            try {
                return new DeflateEncodeKernels(module);
            } catch (DeviceException failed) {
                if (failed.failure() == DeviceException.Failure.OTHER) {
                    String reason = DEEP_SHARED_BYTES + " bytes of shared memory: " + failed.getMessage();
                    throw new KernelUnavailableException(new KernelStatus(
                            CONTRACT.word(), device.info().ordinal(), KernelStatus.State.FAILED, reason));
                }
                throw failed;
            }
        });
    }

    /** Encodes the blocks of a batch. */
    Encoding encoding(EncodeLevel level) {
        return level.isLinked() ? deep : fast;
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
