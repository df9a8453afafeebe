package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.PoolSettings;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The first configuration of a process that a stream works with decides for the process's device pool. */
class FirstConfigurationTest {
    @BeforeEach
    void asInANewProcess() {
        PoolSettings.install(null);
    }

    private static void write(String word, String value) throws IOException {
        Configuration conf = CodecUnderTest.GZIP.conf();
        conf.set(CodecUnderTest.PREFIX + word, value);
        Coding.compress(CodecUnderTest.GZIP.codec(conf), new byte[10]);
    }

    @Test
    void laterOnesDoNotReplaceIt() throws IOException {
        write("devices", "0, 2");
        assertThat(PoolSettings.current()).isEqualTo(PoolSettings.DEFAULTS.withDevices(List.of("0", "2")));
        write("devices", "1");
        assertThat(PoolSettings.current().devices()).containsExactly("0", "2");
    }

    @Test
    void whatSparksPluginInstalledHolds() throws IOException {
        PoolSettings.install(PoolSettings.DEFAULTS.withDevices(List.of("7")));
        write("devices", "1");
        assertThat(PoolSettings.current().devices()).containsExactly("7");
    }

    @Test
    void aValueThatCannotBeReadIsAnIoExceptionThatNamesTheKey() {
        assertThatThrownBy(() -> write("memory.max", "much"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(CodecUnderTest.PREFIX)
                .hasMessageContaining("memory.max")
                .hasMessageContaining("much");
        assertThat(PoolSettings.areInstalled()).isFalse();
    }
}
