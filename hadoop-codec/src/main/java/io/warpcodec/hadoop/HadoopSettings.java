package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.PoolSettings;
import io.warpcodec.SettingWords;
import io.warpcodec.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.zlib.ZlibCompressor.CompressionLevel;

/**
 * Reads {@code io.compression.codec.gpu.*}, and Hadoop's own keys for levels as the defaults of ours:
 *
 * <pre>
 * gzip, deflate  zlib.compress.level                  a name: BEST_SPEED, TWO, ..., BEST_COMPRESSION
 * bzip2          bzip2.compress.blocksize             1 to 9, which are bzip2's levels
 * lz4            io.compression.codec.lz4.use.lz4hc   true: level 9, as Hadoop's
 * zstd           io.compression.codec.zstd.level
 * </pre>
 */
final class HadoopSettings {
    private static final String ZLIB_LEVEL = "zlib.compress.level";
    private static final String BZIP2_LEVEL = "bzip2.compress.blocksize";
    private static final String LZ4_HIGH = "io.compression.codec.lz4.use.lz4hc";
    private static final String ZSTD_LEVEL = "io.compression.codec.zstd.level";
    private static final int LZ4_HIGH_LEVEL = 9;

    /** Configurations whose words were looked at. To go through one takes as long as to open a small file. */
    private static final Set<Configuration> CHECKED =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private HadoopSettings() {}

    /**
     * The options of one stream. The first configuration of a process also decides for its device pool, unless
     * Spark's plugin has.
     *
     * @param conf null means defaults
     * @throws IOException if a value cannot be read
     */
    static CodecOptions options(Configuration conf, Format format) throws IOException {
        try {
            if (conf == null) {
                return Settings.options(format, word -> null, CodecOptions.DEFAULTS);
            }
            UnaryOperator<String> lookup = word -> conf.get(Settings.HADOOP_PREFIX + word);
            if (!PoolSettings.areInstalled()) {
                PoolSettings.install(Settings.pool(lookup));
            }
            if (CHECKED.add(conf)) {
                SettingWords.check(Settings.HADOOP_PREFIX, words(conf));
            }
            return Settings.options(format, lookup, CodecOptions.DEFAULTS.withLevel(hadoopLevel(conf, format)));
        } catch (IllegalArgumentException bad) {
            throw new IOException(Settings.HADOOP_PREFIX + "*: " + bad.getMessage(), bad);
        }
    }

    private static List<String> words(Configuration conf) {
        List<String> words = new ArrayList<>();
        for (Map.Entry<String, String> entry : conf) {
            if (entry.getKey().startsWith(Settings.HADOOP_PREFIX)) {
                words.add(entry.getKey().substring(Settings.HADOOP_PREFIX.length()));
            }
        }
        return words;
    }

    /** What Hadoop's own codec of this format would be told, or {@link CodecOptions#UNSET}. */
    private static int hadoopLevel(Configuration conf, Format format) {
        return switch (format) {
            case GZIP, ZLIB -> zlibLevel(conf);
            case BZIP2 -> number(conf, format, BZIP2_LEVEL);
            case LZ4 -> conf.getBoolean(LZ4_HIGH, false) ? LZ4_HIGH_LEVEL : CodecOptions.UNSET;
            case SNAPPY -> CodecOptions.UNSET;
            case ZSTD -> number(conf, format, ZSTD_LEVEL);
        };
    }

    private static int zlibLevel(Configuration conf) {
        String name = conf.getTrimmed(ZLIB_LEVEL);
        if (name == null) {
            return CodecOptions.UNSET;
        }
        try {
            CompressionLevel level = CompressionLevel.valueOf(name);
            // the names are in the order of the levels from 0 on
            return level == CompressionLevel.DEFAULT_COMPRESSION ? CodecOptions.UNSET : level.ordinal();
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    ZLIB_LEVEL + " is '" + name + "', not one of " + Arrays.toString(CompressionLevel.values()));
        }
    }

    private static int number(Configuration conf, Format format, String key) {
        String value = conf.getTrimmed(key);
        if (value == null) {
            return CodecOptions.UNSET;
        }
        try {
            return Settings.nearestLevel(format, key, Integer.parseInt(value));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(key + " is '" + value + "', not a whole number");
        }
    }
}
