/**
 * LZ4 on devices: kernels, launchers, plans of its three containers, and the runs of blocks that sessions have
 * decoded. {@code Lz4GpuFormat} is the door.
 */
package io.warpcodec.engine.gpu.lz4;
