package io.warpcodec.benchmarks;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;

/** A Spark codec, as a shuffle writes and reads through it, with Spark's default settings. */
public final class SparkStreamCodec implements StreamCodec {
    private final CompressionCodec codec;

    /** @param codec makes the codec of these settings */
    public SparkStreamCodec(Function<SparkConf, CompressionCodec> codec) {
        this.codec = codec.apply(new SparkConf(false).set("spark.io.compression.gpu.mode", "cpu"));
    }

    @Override
    public OutputStream compress(OutputStream sink) {
        return codec.compressedOutputStream(sink);
    }

    @Override
    public InputStream decompress(InputStream source) {
        return codec.compressedInputStream(source);
    }
}
