package io.warpcodec.engine.gpu;

import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.KernelContract;
import io.warpcodec.device.KernelFunction;
import io.warpcodec.device.KernelModule;
import io.warpcodec.device.KernelUnavailableException;
import java.util.Map;

/**
 * {@code lz4.cu}: entry names, and the constants of both sides. All entries take the arguments that {@link BlockBatch} writes.
 * Thread-safe.
 */
final class Lz4Kernels implements AutoCloseable {
    static final int ABI = 1;
    static final int MIN_MATCH = 4;
    /** Raw bytes of the largest LZ4 block that a frame allows. */
    static final int MAX_OUTPUT_BYTES = 4 << 20;
    /** Most bytes that the format needs for so many. */
    static final int MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 255 + 16;

    static final KernelContract CONTRACT = new KernelContract(
            "lz4",
            ABI,
            Map.of(
                    "lz4_min_match",
                    MIN_MATCH,
                    "lz4_max_input_bytes",
                    MAX_INPUT_BYTES,
                    "lz4_max_output_bytes",
                    MAX_OUTPUT_BYTES,
                    "lz4_block_entry_bytes",
                    BlockBatch.ENTRY_BYTES,
                    "lz4_block_result_bytes",
                    BlockBatch.RESULT_BYTES,
                    "lz4_cta_threads",
                    BlockBatch.CTA_THREADS));

    private final KernelModule module;
    private final KernelFunction decodeBlocks;
    private final KernelFunction decodeBlocksInRounds;

    private Lz4Kernels(KernelModule module, KernelFunction decodeBlocks, KernelFunction decodeBlocksInRounds) {
        this.module = module;
        this.decodeBlocks = decodeBlocks;
        this.decodeBlocksInRounds = decodeBlocksInRounds;
    }

    static Lz4Kernels load(Device device) throws KernelUnavailableException, DeviceException {
        KernelModule module = KernelModule.load(device, CONTRACT);
        try {
            return new Lz4Kernels(
                    module, module.function("lz4_decode_blocks"), module.function("lz4_decode_blocks_in_rounds"));
        } catch (DeviceException | RuntimeException failed) {
            module.close();
            throw failed;
        }
    }

    /** Decodes every LZ4 block of a batch. */
    KernelFunction decodeBlocks(Lz4GpuDecoder.Strategy strategy) {
        return strategy == Lz4GpuDecoder.Strategy.GATHER ? decodeBlocks : decodeBlocksInRounds;
    }

    @Override
    public void close() {
        module.close();
    }
}
