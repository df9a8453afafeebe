package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Settings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Reads {@code io.compression.codec.gpu.*}. */
final class HadoopSettings {
    private HadoopSettings() {}

    /**
     * The options of one stream.
     *
     * @param conf null means defaults
     * @throws IOException if a value cannot be read
     */
    static CodecOptions options(Configuration conf) throws IOException {
        try {
            return Settings.options(
                    word -> conf == null ? null : conf.get(Settings.HADOOP_PREFIX + word), CodecOptions.DEFAULTS);
        } catch (IllegalArgumentException bad) {
            throw new IOException(Settings.HADOOP_PREFIX + "*: " + bad.getMessage(), bad);
        }
    }
}
