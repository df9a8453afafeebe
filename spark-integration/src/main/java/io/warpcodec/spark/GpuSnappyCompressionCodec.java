package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import org.apache.spark.SparkConf;

/**
 * The xerial stream that Spark's {@code snappy} writes and reads. Block size:
 * {@code spark.io.compression.gpu.chunk.size}, else Spark's {@code spark.io.compression.snappy.blockSize}.
 */
public final class GpuSnappyCompressionCodec extends ChunkedCompressionCodec {
    /** Called by Spark. */
    public GpuSnappyCompressionCodec(SparkConf conf) {
        super(conf, Format.SNAPPY);
    }

    @Override
    CodecOptions formatDefaults(SparkConf sparkConf) {
        return CodecOptions.DEFAULTS
                .withFraming(Framing.SPARK)
                .withChunkBytes(SparkSettings.chunkBytes(sparkConf, "spark.io.compression.snappy.blockSize", "32k"));
    }
}
