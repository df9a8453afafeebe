package io.warpcodec.benchmarks.job;

import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.ZstdStreamCodec;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;

/**
 * Hadoop's codec of a format and ours.
 *
 * @param stock null for zstd, for which Hadoop needs its native library
 * @param suffix of its files, with the dot
 */
public record TextCodecs(
        Class<? extends CompressionCodec> stock, Class<? extends CompressionCodec> ours, String suffix) {
    /** Those of {@code gzip}, {@code bzip2}, {@code lz4}, {@code snappy} or {@code zstd}. */
    public static TextCodecs of(String format) {
        return switch (format) {
            case "gzip" -> new TextCodecs(GzipCodec.class, GpuGzipCodec.class, ".gz");
            case "bzip2" -> new TextCodecs(BZip2Codec.class, GpuBZip2Codec.class, ".bz2");
            case "lz4" -> new TextCodecs(Lz4Codec.class, GpuLz4Codec.class, ".lz4");
            case "snappy" -> new TextCodecs(SnappyCodec.class, GpuSnappyCodec.class, ".snappy");
            case "zstd" -> new TextCodecs(null, GpuZstdCodec.class, ".zst");
            default -> throw new IllegalArgumentException("no text job for " + format);
        };
    }

    /** Streams of others than us: of Hadoop's codec, or of zstd-jni where that needs its native library. */
    public StreamCodec foreign() {
        return stock == null ? ZstdStreamCodec.DEFAULT : new HadoopStreamCodec(stock);
    }
}
