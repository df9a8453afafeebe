package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Reads {@code io.compression.codec.gpu.*}. */
final class HadoopSettings {
    private HadoopSettings() {}

    /**
     * The options of one stream. The first configuration of a process also decides for its device pool, unless Spark's plugin has.
     *
     * @param conf null means defaults
     * @throws IOException if a value cannot be read
     */
    static CodecOptions options(Configuration conf) throws IOException {
        try {
            if (conf == null) {
                return Settings.options(word -> null, CodecOptions.DEFAULTS);
            }
            if (!PoolSettings.areInstalled()) {
                PoolSettings.install(Settings.pool(word -> conf.get(Settings.HADOOP_PREFIX + word)));
            }
            return Settings.options(word -> conf.get(Settings.HADOOP_PREFIX + word), CodecOptions.DEFAULTS);
        } catch (IllegalArgumentException bad) {
            throw new IOException(Settings.HADOOP_PREFIX + "*: " + bad.getMessage(), bad);
        }
    }
}
