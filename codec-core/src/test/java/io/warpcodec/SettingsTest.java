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
                .isEqualTo(new PoolSettings(
                        List.of("0", "GPU-5f2a"), 2L << 30, 64L << 20, 4L << 20, 250_000, NodeSettings.NONE));
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

    private static CodecOptions gzip(Map<String, String> written) {
        return Settings.options(Format.GZIP, written::get, CodecOptions.DEFAULTS);
    }

    @Test
    void theStreamsSettingsAreReadAsPeopleWriteThem() {
        assertThat(gzip(Map.of())).isEqualTo(CodecOptions.DEFAULTS);
        assertThat(gzip(Map.of(
                        "mode", " Cpu ",
                        "level", "9",
                        "chunk.size", "128k",
                        "index", "False",
                        "lz4.framing", "hadoop",
                        "lenient", "true",
                        "cpu.weight", "0.5",
                        "verify.writes", "1")))
                .isEqualTo(CodecOptions.DEFAULTS
                        .withMode(Mode.CPU)
                        .withLevel(9)
                        .withChunkBytes(128 << 10)
                        .withIndex(false)
                        .withFraming(Framing.HADOOP)
                        .withLenient(true)
                        .withCpuWeight(0.5)
                        .withVerifyWrites(1));
    }

    /** The switch of emergencies: it must win over what a job has set, and be read again for each stream. */
    @Test
    void theSystemPropertyWinsOverTheModeThatIsSet() {
        String before = System.getProperty(Settings.MODE_PROPERTY);
        try {
            System.setProperty("warpcodec.mode", "cpu");
            assertThat(gzip(Map.of("mode", "gpu")).mode()).isEqualTo(Mode.CPU);
            assertThat(gzip(Map.of()).mode()).isEqualTo(Mode.CPU);
            System.setProperty("warpcodec.mode", "warp");
            assertThatThrownBy(() -> gzip(Map.of("mode", "gpu"))).hasMessageContaining("warp");
            System.clearProperty("warpcodec.mode");
            assertThat(gzip(Map.of("mode", "gpu")).mode()).isEqualTo(Mode.GPU);
        } finally {
            if (before == null) {
                System.clearProperty(Settings.MODE_PROPERTY);
            } else {
                System.setProperty(Settings.MODE_PROPERTY, before);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mode, fast",
        "level, high",
        "level.gzip, 10",
        "level.gzip, -1",
        "level.gzip, 1.5",
        "chunk.size, 1023",
        "chunk.size, 1048577",
        "chunk.size, 2m",
        "chunk.size, 4294967296",
        "chunk.size, 4295229440",
        "chunk.size, 4g",
        "index, yes",
        "lz4.framing, raw",
        "lenient, 1",
        "cpu.weight, -0.1",
        "cpu.weight, NaN",
        "cpu.weight, Infinity",
        "cpu.weight, much",
        "verify.writes, 1.01",
        "verify.writes, -0.01",
        "verify.writes, NaN"
    })
    void whatAStreamCannotMeanIsRefusedByName(String key, String value) {
        assertThatThrownBy(() -> gzip(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }

    @ParameterizedTest
    @CsvSource({
        "GZIP, gzip, 9",
        "ZLIB, deflate, 0",
        "BZIP2, bzip2, 1",
        "LZ4, lz4, 12",
        "ZSTD, zstd, 22",
        "ZSTD, zstd, -5",
    })
    void theLevelOfAFormatWinsOverTheOneOfAll(Format format, String word, int level) {
        Map<String, String> written = Map.of("level", "5", "level." + word, " " + level + " ");
        assertThat(Settings.options(format, written::get, CodecOptions.DEFAULTS.withLevel(3))
                        .level(format))
                .isEqualTo(level);
        for (Format other : Format.values()) {
            if (other != format && other != Format.LZ4 && other != Format.SNAPPY) {
                assertThat(Settings.options(other, written::get, CodecOptions.DEFAULTS)
                                .level(other))
                        .isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"GZIP, 9", "ZLIB, 9", "BZIP2, 9", "LZ4, 1", "SNAPPY, 1", "ZSTD, 22"})
    void theLevelOfAllFormatsIsBroughtIntoTheRangeOfEachAndLeavesLz4Alone(Format format, int expected) {
        assertThat(Settings.options(format, Map.of("level", "99")::get, CodecOptions.DEFAULTS)
                        .level(format))
                .isEqualTo(expected);
    }

    @Test
    void aDefaultOfTheHostHoldsWhereNoLevelIsSet() {
        CodecOptions host = CodecOptions.DEFAULTS.withLevel(7);
        assertThat(Settings.options(Format.ZSTD, word -> null, host).level()).isEqualTo(7);
        assertThat(Settings.options(Format.LZ4, Map.of("level", "9")::get, host).level())
                .isEqualTo(7);
        assertThat(Settings.options(Format.ZSTD, Map.of("level", "9")::get, host)
                        .level())
                .isEqualTo(9);
    }
}
