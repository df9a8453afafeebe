package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Setting;
import io.warpcodec.Settings;
import io.warpcodec.metrics.CounterFamily;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedPagesTest {
    private static final String MEANT =
            "docs/user/%s is not what the code says. Write it anew: the main class io.warpcodec.docs.GeneratedPages, on the test class path of"
                    + " codec-core, takes the folder docs/user as its argument; commit the page with the change that caused it";

    private static Path userPages() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("docs/user"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder with docs/user above %s", Path.of("").toAbsolutePath())
                .isNotNull();
        return folder.resolve("docs/user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"settings.md", "metrics-and-fallbacks.md"})
    void thePageInTheTreeIsTheOneThatTheCodeMakes(String name) throws IOException {
        List<String> written = Files.readAllLines(userPages().resolve(name));
        assertThat(written).as(MEANT, name).isEqualTo(GeneratedPages.pages().get(name));
    }

    /** Asks as the hosts do, and remembers the words that are asked for. */
    @Test
    void everySettingThatIsReadIsDescribedAndTheOtherWayRound() {
        Set<String> read = new TreeSet<>();
        UnaryOperator<String> asked = word -> {
            read.add(word);
            return null;
        };
        for (Format format : Format.values()) {
            Settings.options(format, asked, CodecOptions.DEFAULTS);
        }
        Settings.pool(asked);
        Set<String> described = new TreeSet<>();
        for (Setting setting : Setting.values()) {
            if (setting == Setting.LEVEL_OF_FORMAT) {
                Stream.of(Format.values())
                        .filter(format -> !format.levels().isEmpty())
                        .forEach(format -> described.add(setting.word(format)));
            } else if (setting.isOfHosts()) {
                described.add(setting.word());
            }
        }
        assertThat(described).isEqualTo(read);
    }

    /** Counters are of the whole process: whatever other tests have counted is looked at too. */
    @Test
    void everyCounterIsDescribed() throws IOException {
        for (Format format : Format.values()) {
            CodecOptions options = CodecOptions.DEFAULTS.withVerifyWrites(1);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            try (OutputStream out = new ChunkedOutputStream(file, format, options)) {
                out.write(new byte[100_000]);
            }
            try (InputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file.toByteArray()), format, options)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
        assertThat(Metrics.snapshot()).containsKeys("decode.gzip.streams", "verify.zstd.chunks");
        assertThat(Metrics.snapshot().keySet())
                .allSatisfy(name -> assertThat(Stream.of(CounterFamily.values()).filter(family -> family.has(name)))
                        .hasSize(1));
    }
}
