/**
 * Spark's codecs and plugin, in plain Java without Scala types, so that one jar serves Spark 3.5 (Scala 2.12) to 4.2.
 *
 * <p>Choose a codec with {@code spark.io.compression.codec=io.warpcodec.spark.GpuLz4CompressionCodec} (or
 * {@code GpuZstd...}, {@code GpuSnappy...}, {@code GpuGzip...}). Nothing else is needed: the driver, local mode and
 * executors without the plugin work from the first stream on. {@link io.warpcodec.spark.WarpcodecPlugin} adds metrics
 * and takes Spark's assignment of devices. {@link io.warpcodec.Doctor} asks each executor what works there.
 */
package io.warpcodec.spark;
