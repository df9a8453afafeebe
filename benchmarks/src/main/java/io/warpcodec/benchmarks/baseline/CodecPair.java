package io.warpcodec.benchmarks.baseline;

import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.LibraryStreamCodec;
import io.warpcodec.benchmarks.SparkStreamCodec;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.ZstdStreamCodec;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import io.warpcodec.spark.GpuGzipCompressionCodec;
import io.warpcodec.spark.GpuLz4CompressionCodec;
import io.warpcodec.spark.GpuSnappyCompressionCodec;
import io.warpcodec.spark.GpuZstdCompressionCodec;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.DeflateCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.spark.io.LZ4CompressionCodec;
import org.apache.spark.io.SnappyCompressionCodec;
import org.apache.spark.io.ZStdCompressionCodec;

/** Our codec, and the stock codec that reads and writes the same format with the same checksums. */
public enum CodecPair {
    GZ(".gz", "Hadoop GzipCodec", () -> hadoop(GpuGzipCodec.class), () -> hadoop(GzipCodec.class)),
    DEFLATE(".deflate", "Hadoop DeflateCodec", () -> hadoop(GpuDeflateCodec.class), () -> hadoop(DeflateCodec.class)),
    BZ2(
            ".bz2",
            "Hadoop BZip2Codec",
            () -> hadoop(GpuBZip2Codec.class),
            () -> hadoop(BZip2Codec.class, "io.compression.codec.bzip2.library", "java-builtin")),
    SNAPPY(".snappy", "Hadoop SnappyCodec", () -> hadoop(GpuSnappyCodec.class), () -> hadoop(SnappyCodec.class)),
    LZ4_HADOOP(
            ".lz4 hadoop",
            "Hadoop Lz4Codec",
            () -> hadoop(GpuLz4Codec.class, "io.compression.codec.gpu.lz4.framing", "hadoop"),
            () -> hadoop(Lz4Codec.class)),
    LZ4_FRAME(
            ".lz4 frame",
            "lz4-java LZ4Frame streams",
            () -> hadoop(GpuLz4Codec.class),
            () -> LibraryStreamCodec.LZ4_FRAME),
    ZST(".zst", "zstd-jni Zstd streams", () -> hadoop(GpuZstdCodec.class), () -> ZstdStreamCodec.DEFAULT),
    SPARK_LZ4(
            "spark lz4",
            "Spark LZ4CompressionCodec",
            () -> new SparkStreamCodec(GpuLz4CompressionCodec::new),
            () -> new SparkStreamCodec(LZ4CompressionCodec::new)),
    SPARK_ZSTD(
            "spark zstd",
            "Spark ZStdCompressionCodec",
            () -> new SparkStreamCodec(GpuZstdCompressionCodec::new),
            () -> new SparkStreamCodec(ZStdCompressionCodec::new)),
    SPARK_SNAPPY(
            "spark snappy",
            "Spark SnappyCompressionCodec",
            () -> new SparkStreamCodec(GpuSnappyCompressionCodec::new),
            () -> new SparkStreamCodec(SnappyCompressionCodec::new)),
    SPARK_GZIP(
            "spark gzip",
            "JDK GZIP streams",
            () -> new SparkStreamCodec(GpuGzipCompressionCodec::new),
            () -> LibraryStreamCodec.JDK_GZIP);

    private final String title;
    private final String counterpart;
    private final Supplier<StreamCodec> ours;
    private final Supplier<StreamCodec> stock;

    CodecPair(String title, String counterpart, Supplier<StreamCodec> ours, Supplier<StreamCodec> stock) {
        this.title = title;
        this.counterpart = counterpart;
        this.ours = ours;
        this.stock = stock;
    }

    private static StreamCodec hadoop(
            Class<? extends org.apache.hadoop.io.compress.CompressionCodec> type, String... settings) {
        return new HadoopStreamCodec(type, settings);
    }

    /** The format's name in tables: {@code .gz}. */
    public String title() {
        return title;
    }

    /** What ours is compared with. */
    public String counterpart() {
        return counterpart;
    }

    /** A fresh codec of this side. */
    StreamCodec codec(Side side) {
        return (side == Side.OURS ? ours : stock).get();
    }

    /** The pair named by its constant in lower case with dashes: {@code lz4-hadoop}. */
    static CodecPair ofWord(String word) {
        return Arrays.stream(values())
                .filter(pair -> pair.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no pair named " + word));
    }

    /** The word for this pair on a command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
