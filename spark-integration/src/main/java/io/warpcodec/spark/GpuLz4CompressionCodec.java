package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import org.apache.spark.SparkConf;

/**
 * The LZ4Block stream that Spark's {@code lz4} writes and reads. Block size:
 * {@code spark.io.compression.gpu.chunk.size}, else Spark's {@code spark.io.compression.lz4.blockSize}.
 */
public final class GpuLz4CompressionCodec extends ChunkedCompressionCodec {
    /** Called by Spark. */
    public GpuLz4CompressionCodec(SparkConf conf) {
        super(conf, Format.LZ4);
    }

    @Override
    CodecOptions formatDefaults(SparkConf sparkConf) {
        return CodecOptions.DEFAULTS
                .withFraming(Framing.SPARK)
                .withChunkBytes(SparkSettings.chunkBytes(sparkConf, "spark.io.compression.lz4.blockSize", "32k"));
    }
}
