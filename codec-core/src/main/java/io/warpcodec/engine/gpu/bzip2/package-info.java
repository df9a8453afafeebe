/**
 * bzip2 on devices: kernels, launchers and plans of its blocks. {@code Bzip2GpuFormat} is the door.
 */
package io.warpcodec.engine.gpu.bzip2;
