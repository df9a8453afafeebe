package io.warpcodec.spark;

import java.io.InputStream;
import java.io.OutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;

/**
 * The streams of {@link GpuLz4CompressionCodec} in a class that Spark does not know to be concatenable: the control.
 */
public final class PlainCompressionCodec implements CompressionCodec {
    private final CompressionCodec streams;

    /** Called by Spark. */
    public PlainCompressionCodec(SparkConf conf) {
        streams = new GpuLz4CompressionCodec(conf);
    }

    @Override
    public OutputStream compressedOutputStream(OutputStream sink) {
        return streams.compressedOutputStream(sink);
    }

    @Override
    public InputStream compressedInputStream(InputStream source) {
        return streams.compressedInputStream(source);
    }
}
