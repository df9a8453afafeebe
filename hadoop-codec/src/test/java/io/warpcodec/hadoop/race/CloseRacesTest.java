package io.warpcodec.hadoop.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.CodecUnderTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run of {@link CloseRaces} for each codec; {@code -Dwarpcodec.test.races.seconds=S} makes it longer. */
@Timeout(600)
class CloseRacesTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("warpcodec.test.races.seconds", "0.4"));
    private static final long SEED = Long.getLong("warpcodec.test.races.seed", 13);

    @ParameterizedTest
    @EnumSource
    void streamsThatOthersCloseHarmNoneOnTheCpu(CodecUnderTest subject) throws Exception {
        requireClean(CloseRaces.run(subject, SECONDS, "cpu", SEED));
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "SNAPPY", "ZSTD"})
    void streamsThatOthersCloseHarmNoneOnADevice(CodecUnderTest subject) throws Exception {
        requireClean(CloseRaces.run(subject, SECONDS, "scripted", SEED));
    }

    private static void requireClean(CloseRaces.Result result) {
        System.out.println(result);
        assertThat(result.violations()).as(result.toString()).isEmpty();
    }
}
