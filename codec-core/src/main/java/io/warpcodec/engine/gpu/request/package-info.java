/**
 * Batches of a stream as requests to the pool, and {@code GpuFormat}, the door that each format has.
 */
package io.warpcodec.engine.gpu.request;
