/**
 * Whole streams in one process, heap to heap, on any engine: speed, latency, sizes; and the files of blocks that the
 * CUDA benchmarks read.
 */
package io.warpcodec.benchmarks.stream;
