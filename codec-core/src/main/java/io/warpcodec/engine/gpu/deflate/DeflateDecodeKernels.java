package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockResult;

/**
 * {@code deflate_decode.cu}: entry names, and the constants of both sides. Thread-safe.
 */
public final class DeflateDecodeKernels implements AutoCloseable {
    static final int ABI = 2;
    /** Raw bytes of the longest body, as of the longest chunk. */
    public static final int MAX_OUTPUT_BYTES = 1 << 20;

    static final int MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + (MAX_OUTPUT_BYTES >> 3) + 1024;
    /** Space for tokens of a warp: 1,024 for each lane. */
    public static final int WARP_TOKEN_BYTES = 32 * 1024 * Integer.BYTES;

    static final int TEAM_THREADS = 256;
    /** Space for tokens of a team, and of a cta of any other kernel: as of two warps. */
    static final int TEAM_TOKEN_BYTES = 2 * WARP_TOKEN_BYTES;

    /** {@code BodyBatch} of {@code deflate_decode_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = BlockBatch.LAYOUT.named("body_batch").pointer("tokens");

    static final KernelContract CONTRACT = KernelContract.named("deflate_decode", ABI)
            .constant("max_input_bytes", MAX_INPUT_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("body_entry_bytes", BlockBatch.ENTRY_BYTES)
            .constant("body_result_bytes", BlockBatch.RESULT_BYTES)
            .constant("cta_threads", BlockGpuDecoder.CTA_THREADS)
            .constant("warp_token_bytes", WARP_TOKEN_BYTES)
            .constant("team_threads", TEAM_THREADS)
            .constant("team_token_bytes", TEAM_TOKEN_BYTES)
            .and(BlockResult.statusConstants("deflate_decode"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final KernelFunction decodeBodies;
    private final KernelFunction decodeBodiesPaired;
    private final KernelFunction decodeBodiesTeam;

    private DeflateDecodeKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.decodeBodies = module.function("deflate_decode_bodies");
        this.decodeBodiesPaired = module.function("deflate_decode_bodies_paired");
        this.decodeBodiesTeam = module.function("deflate_decode_bodies_team");
    }

    static DeflateDecodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, DeflateDecodeKernels::new);
    }

    /** Decodes every raw DEFLATE body of a batch. */
    KernelFunction decodeBodies(DeflateGpuDecoder.Strategy strategy) {
        return switch (strategy) {
            case WARP -> decodeBodies;
            case PAIR -> decodeBodiesPaired;
            case TEAM -> decodeBodiesTeam;
        };
    }

    @Override
    public void close() {
        module.close();
    }
}
