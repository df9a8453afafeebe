package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import java.util.Locale;
import org.apache.spark.SparkConf;

/** Reads {@code spark.io.compression.gpu.*}. */
final class SparkSettings {
    static final String PREFIX = "spark.io.compression.gpu.";

    private SparkSettings() {}

    /**
     * The options of a codec's streams: what is set, over these defaults.
     *
     * @throws IllegalArgumentException naming the setting, if its value is none
     */
    static CodecOptions codecOptions(SparkConf conf, CodecOptions defaults) {
        CodecOptions options = defaults;
        if (conf.contains(PREFIX + "mode")) {
            options = options.withMode(mode(conf.get(PREFIX + "mode")));
        }
        if (conf.contains(PREFIX + "level")) {
            options = options.withLevel(conf.getInt(PREFIX + "level", CodecOptions.UNSET));
        }
        if (conf.contains(PREFIX + "chunk.size")) {
            options = options.withChunkBytes(Math.toIntExact(conf.getSizeAsBytes(PREFIX + "chunk.size")));
        }
        return options.withIndex(conf.getBoolean(PREFIX + "index", options.index()))
                .withLenient(conf.getBoolean(PREFIX + "lenient", options.lenient()))
                .withCpuWeight(conf.getDouble(PREFIX + "cpu.weight", options.cpuWeight()))
                .withVerifyWrites(conf.getDouble(PREFIX + "verify.writes", options.verifyWrites()));
    }

    private static Mode mode(String word) {
        try {
            return Mode.valueOf(word.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(PREFIX + "mode is " + word + ", not auto, gpu or cpu", e);
        }
    }

    /** One of Spark's own block sizes, brought into the range that a chunk may have. */
    static int chunkBytes(SparkConf conf, String key, String sparkDefault) {
        long bytes = conf.getSizeAsBytes(key, sparkDefault);
        return (int) Math.min(CodecOptions.MAX_CHUNK_BYTES, Math.max(CodecOptions.MIN_CHUNK_BYTES, bytes));
    }
}
