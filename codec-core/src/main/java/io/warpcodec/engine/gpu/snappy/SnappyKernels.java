package io.warpcodec.engine.gpu.snappy;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockResult;

/**
 * {@code snappy.cu}: entry names, and the constants of both sides. Thread-safe.
 */
final class SnappyKernels {
    static final int ABI = 4;
    /** Raw bytes of the largest block; the format allows longer ones, which no encoder in use writes. */
    static final int MAX_OUTPUT_BYTES = 4 << 20;
    /** Most bytes that Snappy's encoder needs for so many. */
    static final int MAX_INPUT_BYTES = 32 + MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 6;

    static final KernelContract CONTRACT = KernelContract.named("snappy", ABI)
            .constant("max_input_bytes", MAX_INPUT_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("block_entry_bytes", BlockBatch.ENTRY_BYTES)
            .constant("block_result_bytes", BlockBatch.RESULT_BYTES)
            .constant("cta_threads", BlockGpuDecoder.CTA_THREADS)
            .constant("team_threads", BlockGpuDecoder.TEAM_THREADS)
            .constant("encode_cta_threads", BlockGpuEncoder.CTA_THREADS)
            .constant("encode_entry_bytes", BlockGpuEncoder.ENTRY_BYTES)
            .constant("link_bytes", BlockGpuEncoder.LINK_BYTES)
            .and(BlockResult.statusConstants("snappy"))
            .taking(BlockBatch.LAYOUT, BlockGpuEncoder.LAYOUT, BlockGpuEncoder.LINKED_LAYOUT);

    private final BlockGpuDecoder decoder;
    private final BlockGpuEncoder encoder;

    private SnappyKernels(KernelModule module) throws DeviceException {
        this.decoder = new BlockGpuDecoder(module, "snappy_decode_blocks", MAX_INPUT_BYTES, MAX_OUTPUT_BYTES);
        this.encoder = new BlockGpuEncoder(
                module,
                module.function("snappy_encode_blocks"),
                module.function("snappy_encode_blocks_linked"),
                MAX_OUTPUT_BYTES,
                MAX_INPUT_BYTES);
    }

    static SnappyKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, SnappyKernels::new);
    }

    /** Decodes Snappy blocks. Closing it unloads the module. */
    BlockGpuDecoder decoder() {
        return decoder;
    }

    /** Encodes blocks as Snappy blocks. Closing it unloads the module. */
    BlockGpuEncoder encoder() {
        return encoder;
    }
}
