package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a configuration of Hadoop decides for its streams, and for the process. */
class HadoopPoolSettingsTest {
    @BeforeEach
    void asInANewProcess() {
        PoolSettings.install(null);
    }

    private static Configuration conf(String word, String value) {
        Configuration conf = new Configuration(false);
        conf.set(Settings.HADOOP_PREFIX + word, value);
        return conf;
    }

    @Test
    void theFirstConfigurationDecidesForTheDevicePool() throws IOException {
        HadoopSettings.options(conf("devices", "0, 2"), Format.GZIP);
        assertThat(PoolSettings.current()).isEqualTo(PoolSettings.DEFAULTS.withDevices(List.of("0", "2")));
        HadoopSettings.options(conf("devices", "1"), Format.GZIP);
        assertThat(PoolSettings.current().devices()).containsExactly("0", "2");
    }

    @Test
    void whatSparksPluginInstalledHolds() throws IOException {
        PoolSettings.install(PoolSettings.DEFAULTS.withDevices(List.of("7")));
        HadoopSettings.options(conf("devices", "1"), Format.GZIP);
        assertThat(PoolSettings.current().devices()).containsExactly("7");
    }

    @Test
    void noConfigurationDecidesNothing() throws IOException {
        assertThat(HadoopSettings.options(null, Format.GZIP)).isEqualTo(CodecOptions.DEFAULTS);
        assertThat(PoolSettings.areInstalled()).isFalse();
    }

    @Test
    void aValueThatCannotBeReadIsAnIoExceptionThatNamesTheKey() {
        assertThatThrownBy(() -> HadoopSettings.options(conf("memory.max", "much"), Format.GZIP))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(Settings.HADOOP_PREFIX)
                .hasMessageContaining("memory.max")
                .hasMessageContaining("much");
    }
}
