/**
 * bzip2 on devices: kernels, launcher and plans of its blocks, to decode. {@code Bzip2GpuFormat} is the door.
 */
package io.warpcodec.engine.gpu.bzip2;
