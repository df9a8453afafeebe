/**
 * Hadoop's framing, which {@code .snappy} and {@code .lz4} files of Hadoop share: big-endian lengths around raw
 * bodies. The two formats differ only in the bodies, which the engine decodes.
 */
package io.warpcodec.format.hadoopframing;
