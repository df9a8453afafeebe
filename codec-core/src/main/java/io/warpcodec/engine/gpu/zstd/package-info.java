/**
 * Zstandard frames on devices: {@link io.warpcodec.engine.gpu.zstd.ZstdPlans} hops over a frame's blocks, {@link
 * io.warpcodec.engine.gpu.zstd.ZstdRecord} says what a device is told of them, and {@link
 * io.warpcodec.engine.gpu.zstd.ZstdGpuDecoder} launches the kernels. {@link
 * io.warpcodec.engine.gpu.zstd.ZstdSegment} is a part of a long frame. {@link
 * io.warpcodec.engine.gpu.zstd.ZstdGpuFormat} brings them to the engine.
 */
package io.warpcodec.engine.gpu.zstd;
