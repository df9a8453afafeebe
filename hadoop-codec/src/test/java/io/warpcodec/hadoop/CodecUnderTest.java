package io.warpcodec.hadoop;

import io.warpcodec.Format;
import java.util.Locale;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;

/**
 * The codecs of this module, each with what a suite has to know about its format. {@link #LZ4_HADOOP} is
 * {@code GpuLz4Codec} told to write Hadoop's own framing.
 */
public enum CodecUnderTest {
    GZIP("GpuGzipCodec", ".gz", true, true),
    DEFLATE("GpuDeflateCodec", ".deflate", false, true),
    BZIP2("GpuBZip2Codec", ".bz2", true, true),
    LZ4("GpuLz4Codec", ".lz4", true, true),
    LZ4_HADOOP("GpuLz4Codec", ".lz4", true, false),
    SNAPPY("GpuSnappyCodec", ".snappy", false, false),
    ZSTD("GpuZstdCodec", ".zst", true, true);

    public static final String PREFIX = "io.compression.codec.gpu.";

    /** Hadoop's defaults, parsed once: suites that open thousands of streams take a copy for each. */
    public static final Configuration DEFAULTS = loaded();

    public final String className;
    public final String suffix;
    /** The class is a SplittableCompressionCodec; what LZ4_HADOOP writes has no sync points all the same. */
    public final boolean splittableClass;
    /** What the codec writes carries a checksum over the content, so that every flipped bit is seen. */
    final boolean checksummed;

    CodecUnderTest(String simpleName, String suffix, boolean splittableClass, boolean checksummed) {
        this.className = "io.warpcodec.hadoop." + simpleName;
        this.suffix = suffix;
        this.splittableClass = splittableClass;
        this.checksummed = checksummed;
    }

    private static Configuration loaded() {
        Configuration defaults = new Configuration();
        defaults.size(); // reads the files
        return defaults;
    }

    public Format format() {
        return Format.ofFileName(suffix);
    }

    /** A configuration that lists this codec, last, and asks for its variant of the format. */
    public Configuration conf() {
        Configuration conf = new Configuration(DEFAULTS);
        conf.set("io.compression.codecs", className);
        if (this == LZ4_HADOOP) {
            conf.set(PREFIX + "lz4.framing", "hadoop");
        }
        return conf;
    }

    public CompressionCodec codec() {
        return codec(conf());
    }

    public CompressionCodec codec(Configuration conf) {
        CompressionCodec codec = unconfigured();
        ((Configurable) codec).setConf(conf);
        return codec;
    }

    /** A codec as {@code newInstance()} leaves it: never told of a configuration. */
    public CompressionCodec unconfigured() {
        try {
            return (CompressionCodec)
                    Class.forName(className).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(className + " has no usable public constructor", e);
        }
    }

    /** Whether zero bytes are an empty file; for the others they are an EOFException. */
    public boolean emptyFileIsEmpty() {
        return this == LZ4 || this == LZ4_HADOOP || this == SNAPPY;
    }

    /** The codec that reads a vector folder, by the folder's name. */
    public static CodecUnderTest ofVectorFolder(String folder) {
        return switch (folder.toLowerCase(Locale.ROOT)) {
            case "gzip" -> GZIP;
            case "zlib" -> DEFLATE;
            case "bzip2" -> BZIP2;
            case "lz4" -> LZ4;
            case "hadoop-lz4" -> LZ4_HADOOP;
            case "hadoop-snappy" -> SNAPPY;
            case "zstd" -> ZSTD;
            default -> null;
        };
    }
}
