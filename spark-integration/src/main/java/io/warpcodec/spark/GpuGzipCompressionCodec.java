package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import org.apache.spark.SparkConf;

/** Gzip members. Spark has no codec of this format; what this one writes to a checkpoint, any gzip reader reads. */
public final class GpuGzipCompressionCodec extends ChunkedCompressionCodec {
    /** Called by Spark. */
    public GpuGzipCompressionCodec(SparkConf conf) {
        super(conf, Format.GZIP);
    }

    @Override
    CodecOptions formatDefaults(SparkConf sparkConf) {
        return CodecOptions.DEFAULTS.withFraming(Framing.SPARK);
    }
}
