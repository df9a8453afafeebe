package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.io.LZ4CompressionCodec;

/**
 * What the four codecs share: streams of {@code io.warpcodec.stream} in a format of the subclass's choice. Thread-safe.
 *
 * <p>Outputs may be concatenated in any order, also empty ones and those of other tasks: reading goes on to the end
 * of the source. The constructor does no more than Spark's own; settings are read when the first stream is made.
 */
abstract class ChunkedCompressionCodec extends LZ4CompressionCodec {
    /*
     * Spark asks a list of its own four classes whether outputs may be concatenated, and without a yes it decodes and
     * encodes again every partition of a merge. Being a subclass is the only way onto that list. Of the four, the LZ4
     * codec is the parent whose constructor has no side effect: it reads one setting and loads nothing. Its own streams
     * are never used, so all four stream methods are overridden; two of them are private to Spark in Scala, and public
     * in the class file.
     */
    private final SparkConf conf;
    private final Format format;
    private volatile CodecOptions options;

    ChunkedCompressionCodec(SparkConf conf, Format format) {
        super(conf);
        this.conf = conf;
        this.format = format;
    }

    /** Spark's own settings for this format, where it has some, as the values to start from. */
    abstract CodecOptions formatDefaults(SparkConf sparkConf);

    private CodecOptions options() {
        CodecOptions known = options;
        if (known == null) {
            known = SparkSettings.codecOptions(conf, format, formatDefaults(conf));
            options = known;
        }
        return known;
    }

    /**
     * A stream that compresses into the sink. {@code flush} only flushes the sink; {@code close} ends the stream and
     * closes the sink.
     */
    @Override
    public OutputStream compressedOutputStream(OutputStream sink) {
        return new ChunkedOutputStream(sink, format, options());
    }

    /** As {@link #compressedOutputStream}, but only the event log calls it, which refuses codecs by class name. */
    @Override
    public OutputStream compressedContinuousOutputStream(OutputStream sink) {
        return compressedOutputStream(sink);
    }

    /** A stream that decompresses the source; it reads nothing before its first byte is asked for. */
    @Override
    public InputStream compressedInputStream(InputStream source) {
        return new ChunkedInputStream(source, format, options());
    }

    /** As {@link #compressedInputStream}. */
    @Override
    public InputStream compressedContinuousInputStream(InputStream source) {
        return compressedInputStream(source);
    }
}
