/**
 * Hadoop's CompressionCodec interfaces over our streams. Register the codecs in {@code io.compression.codecs}, ours
 * last: for a suffix that two codecs claim, the last one listed wins.
 */
package io.warpcodec.hadoop;
