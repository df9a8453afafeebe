package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Settings;
import org.apache.spark.SparkConf;

/**
 * Zstandard frames, as Spark's {@code zstd} writes and reads them. Level:
 * {@code spark.io.compression.gpu.level.zstd}, else {@code spark.io.compression.gpu.level}, else Spark's
 * {@code spark.io.compression.zstd.level}.
 */
public final class GpuZstdCompressionCodec extends ChunkedCompressionCodec {
    private static final String LEVEL = "spark.io.compression.zstd.level";

    /** Called by Spark. */
    public GpuZstdCompressionCodec(SparkConf conf) {
        super(conf, Format.ZSTD);
    }

    @Override
    CodecOptions formatDefaults(SparkConf sparkConf) {
        return CodecOptions.DEFAULTS
                .withFraming(Framing.SPARK)
                .withLevel(Settings.nearestLevel(Format.ZSTD, LEVEL, sparkConf.getInt(LEVEL, 1)));
    }
}
