package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingWordsTest {
    private static final String PREFIX = "io.compression.codec.gpu.";

    @Test
    void everyWordThatIsReadIsKnown() {
        List<String> words = List.of(
                "mode",
                "level",
                "level.gzip",
                "level.deflate",
                "level.bzip2",
                "level.lz4",
                "level.zstd",
                "chunk.size",
                "index",
                "lz4.framing",
                "lenient",
                "cpu.weight",
                "verify.writes",
                "devices",
                "memory.max",
                "pinned.max",
                "batch.size",
                "batch.linger");
        assertThat(new SettingWords().newComplaints(PREFIX, words)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "lvel, level",
        "Mode, mode",
        "level.gz, level.gzip",
        "chunksize, chunk.size",
        "lz4.frame, lz4.framing",
        "verify.write, verify.writes",
        "'', mode"
    })
    void anUnknownWordIsNamedWithTheNearestKnownOne(String word, String nearest) {
        assertThat(new SettingWords().newComplaints(PREFIX, List.of("mode", word)))
                .singleElement()
                .asString()
                .startsWith(PREFIX + word + " is no setting")
                .endsWith("nearest one is " + PREFIX + nearest);
    }

    @Test
    void eachWordIsComplainedOfOnce() {
        SettingWords words = new SettingWords();
        assertThat(words.newComplaints(PREFIX, List.of("a", "b", "a"))).hasSize(2);
        assertThat(words.newComplaints(PREFIX, List.of("b", "c"))).hasSize(1);
        assertThat(words.newComplaints("spark.io.compression.gpu.", List.of("b")))
                .hasSize(1);
    }

    @Test
    void aProcessThatMakesWordsUpDoesNotFillTheLog() {
        SettingWords words = new SettingWords();
        int lines = 0;
        for (int i = 0; i < 5000; i++) {
            lines += words.newComplaints(PREFIX, List.of("x" + i)).size();
        }
        assertThat(lines).isEqualTo(1000);
    }
}
