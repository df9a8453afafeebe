package io.warpcodec.benchmarks.job;

import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuGzipCodec;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;

/**
 * Hadoop's codec of a format and ours.
 *
 * @param suffix of its files, with the dot
 */
record TextCodecs(Class<? extends CompressionCodec> stock, Class<? extends CompressionCodec> ours, String suffix) {
    static TextCodecs of(String format) {
        return switch (format) {
            case "gzip" -> new TextCodecs(GzipCodec.class, GpuGzipCodec.class, ".gz");
            case "bzip2" -> new TextCodecs(BZip2Codec.class, GpuBZip2Codec.class, ".bz2");
            default -> throw new IllegalArgumentException("no text job for " + format);
        };
    }
}
