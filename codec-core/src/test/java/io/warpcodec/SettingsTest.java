package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    @Test
    void thePoolsSettingsAreReadAsPeopleWriteThem() {
        Map<String, String> written = Map.of(
                "devices", " 0, GPU-5f2a ,",
                "memory.max", "2g",
                "pinned.max", "64mb",
                "batch.size", "4194304",
                "batch.linger", "250us");
        assertThat(Settings.pool(written::get))
                .isEqualTo(new PoolSettings(List.of("0", "GPU-5f2a"), 2L << 30, 64L << 20, 4L << 20, 250_000));
        assertThat(Settings.pool(word -> null)).isEqualTo(PoolSettings.DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource({
        "memory.max, much",
        "memory.max, -1",
        "pinned.max, 99999999999g",
        "batch.size, 100",
        "batch.size, 1g",
        "batch.linger, 200",
        "batch.linger, 5 minutes",
        "batch.linger, -1ms"
    })
    void whatCannotBeMeantIsRefusedByName(String key, String value) {
        assertThatThrownBy(() -> Settings.pool(word -> word.equals(key) ? value : null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }
}
