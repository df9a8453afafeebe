package io.warpcodec.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;

/** One of our codecs and the foreign one of the same wire format. */
enum CodecPair {
    LZ4(GpuLz4CompressionCodec.class, "lz4", "4c5a34426c6f636b"),
    SNAPPY(GpuSnappyCompressionCodec.class, "snappy", "82534e41505059"),
    ZSTD(GpuZstdCompressionCodec.class, "zstd", "28b52ffd"),
    GZIP(GpuGzipCompressionCodec.class, null, "1f8b08");

    private final Class<? extends CompressionCodec> type;
    private final String stockName;
    private final String magic;

    CodecPair(Class<? extends CompressionCodec> type, String stockName, String magic) {
        this.type = type;
        this.stockName = stockName;
        this.magic = magic;
    }

    /** What every stream of this wire format starts with, in hexadecimal. */
    String magic() {
        return magic;
    }

    /** The class name that a user writes in {@code spark.io.compression.codec}. */
    String className() {
        return type.getName();
    }

    /** The short name of Spark's codec, or null where Spark has none. */
    String stockName() {
        return stockName;
    }

    /** Whether the wire format carries a sum of the content, so that other bytes are never read than were written. */
    boolean hasChecksums() {
        return this != SNAPPY;
    }

    CompressionCodec ours() {
        return ours(new SparkConf(false));
    }

    /** Ours, made as Spark makes it. */
    CompressionCodec ours(SparkConf conf) {
        return CompressionCodec$.MODULE$.createCodec(conf, className());
    }

    /** Compresses with ours. */
    byte[] compress(byte[] plain) {
        return written(sink -> ours().compressedOutputStream(sink), plain);
    }

    /** Compresses with Spark's codec, or with the JDK where Spark has none. */
    byte[] stockCompress(byte[] plain) {
        return written(stockName == null ? GZIPOutputStream::new : sink -> stock().compressedOutputStream(sink), plain);
    }

    /** Decompresses with ours. */
    byte[] decompress(byte[] compressed) {
        return read(() -> ours().compressedInputStream(new ByteArrayInputStream(compressed)));
    }

    /** Decompresses with Spark's codec, or with the JDK where Spark has none. */
    byte[] stockDecompress(byte[] compressed) {
        return read(() -> stockName == null
                ? gunzip(compressed)
                : stock().compressedInputStream(new ByteArrayInputStream(compressed)));
    }

    private CompressionCodec stock() {
        return CompressionCodec$.MODULE$.createCodec(new SparkConf(false), stockName);
    }

    private static InputStream gunzip(byte[] compressed) {
        try {
            return new GZIPInputStream(new ByteArrayInputStream(compressed));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface StreamMaker {
        OutputStream over(OutputStream sink) throws IOException;
    }

    private static byte[] written(StreamMaker maker, byte[] plain) {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (OutputStream out = maker.over(sink)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sink.toByteArray();
    }

    private static byte[] read(Supplier<InputStream> source) {
        try (InputStream in = source.get()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
