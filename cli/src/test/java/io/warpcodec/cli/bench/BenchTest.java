package io.warpcodec.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BenchTest {

    @Test
    void everyContestantGivesItsBytesBackOnEveryThreadCount() throws Exception {
        byte[] raw = new byte[100_000];
        Random random = new Random(20261120L);
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) random.nextInt(8);
        }
        List<Measurement> measurements = new ArrayList<>();
        new Bench(Mode.CPU, 1).run("eight-letters", raw, measurements::add);

        assertThat(measurements)
                .extracting(Measurement::contestant)
                .contains("warpcodec", "zlib (JDK)", "commons-compress", "lz4-java", "snappy-java", "zstd-jni");
        for (Format format : Format.values()) {
            assertThat(measurements)
                    .anyMatch(m ->
                            m.suffix().equals(format.suffix()) && m.contestant().equals("warpcodec"));
        }
        assertThat(measurements)
                .allMatch(m -> m.compressedBytes() > 0
                        && m.compressMegabytesPerSecond() > 0
                        && m.decompressMegabytesPerSecond() > 0);
        assertThat(BarChart.draw(measurements))
                .startsWith("<svg")
                .endsWith("</svg>\n")
                .contains("zstd-jni");
    }
}
