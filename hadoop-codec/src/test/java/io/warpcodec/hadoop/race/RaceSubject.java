package io.warpcodec.hadoop.race;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/** What the close races are run on: the Hadoop codecs, and the streams of Spark's framings. Thread-safe. */
enum RaceSubject {
    GZIP(CodecUnderTest.GZIP),
    DEFLATE(CodecUnderTest.DEFLATE),
    BZIP2(CodecUnderTest.BZIP2),
    LZ4(CodecUnderTest.LZ4),
    LZ4_HADOOP(CodecUnderTest.LZ4_HADOOP),
    SNAPPY(CodecUnderTest.SNAPPY),
    ZSTD(CodecUnderTest.ZSTD),
    SPARK_GZIP(Format.GZIP),
    SPARK_LZ4(Format.LZ4),
    SPARK_SNAPPY(Format.SNAPPY),
    SPARK_ZSTD(Format.ZSTD);

    private final CodecUnderTest hadoop;
    private final Format spark;

    RaceSubject(CodecUnderTest hadoop) {
        this.hadoop = hadoop;
        this.spark = null;
    }

    RaceSubject(Format spark) {
        this.hadoop = null;
        this.spark = spark;
    }

    /** One codec of this kind, which writes chunks of so many bytes. */
    Codec codec(int chunkBytes) {
        if (spark != null) {
            return new SparkCodec(
                    spark, CodecOptions.DEFAULTS.withFraming(Framing.SPARK).withChunkBytes(chunkBytes));
        }
        Configuration conf = hadoop.conf();
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", chunkBytes);
        return new HadoopCodec(hadoop.codec(conf));
    }

    /** Makes streams, and bare coders where there are any. */
    interface Codec {
        InputStream reader(InputStream source) throws IOException;

        OutputStream writer(OutputStream sink) throws IOException;

        /** A split from half of the file on; null if the codec has none. */
        default InputStream splitReader(InputStream source, long fileBytes) throws IOException {
            return null;
        }

        /** Null if there is none. */
        default Decompressor decompressor() {
            return null;
        }

        /** Null if there is none. */
        default Compressor compressor() {
            return null;
        }
    }

    private record HadoopCodec(CompressionCodec codec) implements Codec {
        @Override
        public InputStream reader(InputStream source) throws IOException {
            return codec.createInputStream(source);
        }

        @Override
        public OutputStream writer(OutputStream sink) throws IOException {
            return codec.createOutputStream(sink);
        }

        @Override
        public InputStream splitReader(InputStream source, long fileBytes) throws IOException {
            return codec instanceof SplittableCompressionCodec splittable
                    ? splittable.createInputStream(
                            source, null, fileBytes / 2, fileBytes, SplittableCompressionCodec.READ_MODE.BYBLOCK)
                    : null;
        }

        @Override
        public Decompressor decompressor() {
            return codec.createDecompressor();
        }

        @Override
        public Compressor compressor() {
            return codec.createCompressor();
        }
    }

    private record SparkCodec(Format format, CodecOptions options) implements Codec {
        @Override
        public InputStream reader(InputStream source) {
            return new ChunkedInputStream(source, format, options);
        }

        @Override
        public OutputStream writer(OutputStream sink) {
            return new ChunkedOutputStream(sink, format, options);
        }
    }
}
