package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import org.apache.spark.SparkConf;

/**
 * Zstandard frames, as Spark's {@code zstd} writes and reads them. Level: {@code spark.io.compression.gpu.level}, else
 * Spark's {@code spark.io.compression.zstd.level}.
 */
public final class GpuZstdCompressionCodec extends ChunkedCompressionCodec {
    /** Called by Spark. */
    public GpuZstdCompressionCodec(SparkConf conf) {
        super(conf, Format.ZSTD);
    }

    @Override
    CodecOptions formatDefaults(SparkConf sparkConf) {
        return CodecOptions.DEFAULTS
                .withFraming(Framing.SPARK)
                .withLevel(sparkConf.getInt("spark.io.compression.zstd.level", 1));
    }
}
