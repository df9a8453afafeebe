package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.kernel.KernelFunction;

/** How a batch is dealt out to the warps of a decoding kernel: two warps a cta, one block a warp. */
public final class BlockDecoding {
    public static final int CTA_THREADS = 64;
    private static final int CTA_WARPS = CTA_THREADS / 32;

    private BlockDecoding() {}

    public static BlockBatch.Launch launch(
            KernelFunction kernel, int blockCount, int maxInputBytes, int maxOutputBytes) {
        return new BlockBatch.Launch(
                kernel,
                BlockBatch.LAYOUT,
                (blockCount + CTA_WARPS - 1) / CTA_WARPS,
                CTA_THREADS,
                maxInputBytes,
                maxOutputBytes,
                arguments -> arguments);
    }
}
