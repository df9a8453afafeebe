/**
 * DEFLATE on devices: gzip members, zlib streams, and single streams in segments. {@code DeflateGpuFormat} is the
 * door; {@code GpuSegmentDecoder} also serves index scans.
 */
package io.warpcodec.engine.gpu.deflate;
