/**
 * Snappy on devices: kernels, launchers and plans of its two containers. {@code SnappyGpuFormat} is the door.
 */
package io.warpcodec.engine.gpu.snappy;
