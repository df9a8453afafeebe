package io.warpcodec.demo;

import java.util.Map;

/** One format of the demo: which of our classes write and read it, and which stock class can read what we wrote. */
enum DemoFormat {
    GZIP(".gz", "GpuGzipCodec", "GpuGzipCompressionCodec", "GzipCodec", true),
    BZIP2(".bz2", "GpuBZip2Codec", "GpuSnappyCompressionCodec", "BZip2Codec", true),
    LZ4(".lz4", "GpuLz4Codec", "GpuLz4CompressionCodec", "Lz4Codec", true),
    ZSTD(".zst", "GpuZstdCodec", "GpuZstdCompressionCodec", null, true),
    DEFLATE(".deflate", "GpuDeflateCodec", null, "DeflateCodec", false),
    SNAPPY(".snappy", "GpuSnappyCodec", null, "SnappyCodec", false);

    private final String suffix;
    private final String codec;
    private final String shuffleCodec;
    private final String stockCodec;
    private final boolean splittable;

    DemoFormat(String suffix, String codec, String shuffleCodec, String stockCodec, boolean splittable) {
        this.suffix = suffix;
        this.codec = "io.warpcodec.hadoop." + codec;
        this.shuffleCodec = shuffleCodec == null ? null : "io.warpcodec.spark." + shuffleCodec;
        this.stockCodec = stockCodec == null ? null : "org.apache.hadoop.io.compress." + stockCodec;
        this.splittable = splittable;
    }

    String suffix() {
        return suffix;
    }

    /** Our Hadoop codec class. */
    String codec() {
        return codec;
    }

    /** Our Spark codec for the shuffle of the Spark job over this format; null where no job runs. */
    String shuffleCodec() {
        return shuffleCodec;
    }

    /**
     * Our Hadoop codec class for the map output of the MapReduce job: that of the format, but no job would shuffle
     * through bzip2.
     */
    String mapOutputCodec() {
        return this == BZIP2 ? SNAPPY.codec : codec;
    }

    /** Hadoop's own codec class; null where it needs native code that no jar carries. */
    String stockCodec() {
        return stockCodec;
    }

    /** The settings with which we write what the stock codec reads; empty where it reads what we write anyway. */
    Map<String, String> stockSettings() {
        return this == LZ4 ? Map.of("io.compression.codec.gpu.lz4.framing", "hadoop") : Map.of();
    }

    /** Whether jobs can split a file of this format. */
    boolean splittable() {
        return splittable;
    }
}
