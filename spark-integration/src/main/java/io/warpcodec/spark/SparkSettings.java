package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.SettingWords;
import io.warpcodec.Settings;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** Reads {@code spark.io.compression.gpu.*}. */
final class SparkSettings {
    private static final String FRAMING = "lz4.framing";

    private SparkSettings() {}

    /**
     * The options of a codec's streams: what is set, over these defaults. The framing is Spark's, whatever is set for
     * files.
     *
     * @throws IllegalArgumentException naming the setting, if a value cannot be read
     */
    static CodecOptions codecOptions(SparkConf conf, Format format, CodecOptions defaults) {
        SettingWords.check(
                Settings.SPARK_PREFIX,
                Arrays.stream(conf.getAllWithPrefix(Settings.SPARK_PREFIX))
                        .map(Tuple2::_1)
                        .toList());
        try {
            return Settings.options(
                    format,
                    word -> word.equals(FRAMING) ? null : conf.get(Settings.SPARK_PREFIX + word, null),
                    defaults);
        } catch (IllegalArgumentException bad) {
            throw new IllegalArgumentException(Settings.SPARK_PREFIX + "*: " + bad.getMessage(), bad);
        }
    }

    /** One of Spark's own block sizes, brought into the range that a chunk may have. */
    static int chunkBytes(SparkConf conf, String key, String sparkDefault) {
        long bytes = conf.getSizeAsBytes(key, sparkDefault);
        return (int) Math.min(CodecOptions.MAX_CHUNK_BYTES, Math.max(CodecOptions.MIN_CHUNK_BYTES, bytes));
    }
}
