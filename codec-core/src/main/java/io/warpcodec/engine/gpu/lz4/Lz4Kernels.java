package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.LongBlockBatch;

/**
 * {@code lz4.cu}: entry names, and the constants of both sides. Thread-safe.
 */
final class Lz4Kernels implements AutoCloseable {
    static final int ABI = 5;
    static final int MIN_MATCH = 4;
    /** Raw bytes of the largest LZ4 block that a frame allows. */
    static final int MAX_OUTPUT_BYTES = 4 << 20;
    /** Most bytes that the format needs for so many. */
    static final int MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 255 + 16;
    /** Raw bytes of the largest block that many warps decode: a legacy frame's. */
    static final int MAX_LONG_OUTPUT_BYTES = 8 << 20;

    static final int MAX_LONG_INPUT_BYTES = MAX_LONG_OUTPUT_BYTES + MAX_LONG_OUTPUT_BYTES / 255 + 16;

    static final KernelContract CONTRACT = KernelContract.named("lz4", ABI)
            .constant("min_match", MIN_MATCH)
            .constant("max_input_bytes", MAX_INPUT_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("block_entry_bytes", BlockBatch.ENTRY_BYTES)
            .constant("block_result_bytes", BlockBatch.RESULT_BYTES)
            .constant("cta_threads", BlockGpuDecoder.CTA_THREADS)
            .constant("team_threads", BlockGpuDecoder.TEAM_THREADS)
            .constant("encode_cta_threads", BlockGpuEncoder.CTA_THREADS)
            .constant("encode_entry_bytes", BlockGpuEncoder.ENTRY_BYTES)
            .constant("link_bytes", BlockGpuEncoder.LINK_BYTES)
            .constant("long_max_output_bytes", MAX_LONG_OUTPUT_BYTES)
            .constant("long_max_input_bytes", MAX_LONG_INPUT_BYTES)
            .constant("long_piece_bytes", LongBlockBatch.PIECE_BYTES)
            .constant("long_tile_bytes", LongBlockBatch.TILE_BYTES)
            .constant("long_entry_bytes", LongBlockBatch.ENTRY_BYTES)
            .constant("long_guess_bytes", LongBlockBatch.GUESS_BYTES)
            .constant("long_start_bytes", LongBlockBatch.START_BYTES)
            .constant("long_parse_cta_threads", LongBlockBatch.PARSE_CTA_THREADS)
            .constant("long_stitch_cta_threads", LongBlockBatch.STITCH_CTA_THREADS)
            .constant("long_produce_cta_threads", LongBlockBatch.PRODUCE_CTA_THREADS)
            .and(BlockResult.statusConstants("lz4"))
            .taking(BlockBatch.LAYOUT, BlockGpuEncoder.LAYOUT, BlockGpuEncoder.LINKED_LAYOUT, LongBlockBatch.LAYOUT);

    private final KernelModule module;
    private final BlockGpuDecoder decoder;
    private final BlockGpuEncoder encoder;
    private final LongBlockBatch.Kernels longBlocks;

    private Lz4Kernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.decoder = new BlockGpuDecoder(module, "lz4_decode_blocks", MAX_INPUT_BYTES, MAX_OUTPUT_BYTES);
        this.encoder = new BlockGpuEncoder(
                module,
                module.function("lz4_encode_blocks"),
                module.function("lz4_encode_blocks_linked"),
                MAX_OUTPUT_BYTES,
                MAX_INPUT_BYTES);
        this.longBlocks = new LongBlockBatch.Kernels(
                module.function("lz4_long_guess_pieces"),
                module.function("lz4_long_stitch_blocks"),
                module.function("lz4_long_find_sources"),
                module.function("lz4_long_produce"),
                MAX_LONG_INPUT_BYTES,
                MAX_LONG_OUTPUT_BYTES);
    }

    static Lz4Kernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, Lz4Kernels::new);
    }

    /** Decodes LZ4 blocks. Closing it unloads the module. */
    BlockGpuDecoder decoder() {
        return decoder;
    }

    /** Encodes blocks as LZ4 blocks. Closing it unloads the module. */
    BlockGpuEncoder encoder() {
        return encoder;
    }

    /** Decode long blocks and chains of blocks. */
    LongBlockBatch.Kernels longBlocks() {
        return longBlocks;
    }

    @Override
    public void close() {
        module.close();
    }
}
