package io.warpcodec.engine.gpu;

import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.KernelContract;
import io.warpcodec.device.KernelFunction;
import io.warpcodec.device.KernelModule;
import io.warpcodec.device.KernelUnavailableException;
import java.util.Map;

/**
 * {@code snappy.cu}: entry names, and the constants of both sides. All entries take the arguments that {@link BlockBatch} writes.
 * Thread-safe.
 */
final class SnappyKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Raw bytes of the largest block; the format allows longer ones, which no encoder in use writes. */
    static final int MAX_OUTPUT_BYTES = 4 << 20;
    /** Most bytes that Snappy's encoder needs for so many. */
    static final int MAX_INPUT_BYTES = 32 + MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 6;

    static final KernelContract CONTRACT = new KernelContract(
            "snappy",
            ABI,
            Map.of(
                    "snappy_max_input_bytes", MAX_INPUT_BYTES,
                    "snappy_max_output_bytes", MAX_OUTPUT_BYTES,
                    "snappy_block_entry_bytes", BlockBatch.ENTRY_BYTES,
                    "snappy_block_result_bytes", BlockBatch.RESULT_BYTES,
                    "snappy_cta_threads", BlockBatch.CTA_THREADS));

    private final KernelModule module;
    private final KernelFunction decodeBlocks;

    private SnappyKernels(KernelModule module, KernelFunction decodeBlocks) {
        this.module = module;
        this.decodeBlocks = decodeBlocks;
    }

    static SnappyKernels load(Device device) throws KernelUnavailableException, DeviceException {
        KernelModule module = KernelModule.load(device, CONTRACT);
        try {
            return new SnappyKernels(module, module.function("snappy_decode_blocks"));
        } catch (DeviceException | RuntimeException failed) {
            module.close();
            throw failed;
        }
    }

    /** Decodes every Snappy block of a batch. */
    KernelFunction decodeBlocks() {
        return decodeBlocks;
    }

    @Override
    public void close() {
        module.close();
    }
}
