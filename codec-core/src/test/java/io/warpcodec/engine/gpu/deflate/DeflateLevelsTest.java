package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of our levels does for each of zlib's. */
class DeflateLevelsTest {
    private static final List<String> LEVELS =
            List.of("fast", "fast", "default", "default", "default", "default", "high", "high", "best");

    @ParameterizedTest
    @EnumSource(DeflateGpuFormat.class)
    void eachOfZlibsLevelsHasAProgram(DeflateGpuFormat format) {
        assertThat(format.layout(level(0))).isNull();
        for (int level = 1; level <= 9; level++) {
            String program = format.layout(level(level)).program();
            assertThat(program).isEqualTo("encode." + format.format().word() + "." + LEVELS.get(level - 1));
            assertThat(format.programs()).containsKey(program);
        }
    }

    @ParameterizedTest
    @EnumSource(DeflateGpuFormat.class)
    void aCoreTakesLongerForTheLevelByPrice(DeflateGpuFormat format) {
        double high = format.cpuNanosPerMebibyte(Direction.ENCODE, level(8));
        assertThat(format.cpuNanosPerMebibyte(Direction.ENCODE, level(9))).isGreaterThan(high);
        assertThat(format.cpuNanosPerMebibyte(Direction.DECODE, level(9)))
                .isEqualTo(format.cpuNanosPerMebibyte(Direction.DECODE, level(6)));
    }

    /** Scratch for all blocks of a wave of short members, too. */
    @ParameterizedTest
    @EnumSource(EncodeLevel.class)
    void scratchIsBounded(EncodeLevel level) {
        long bytes = DeflateGpuEncoder.scratchBytes(level, 8 << 20, 32);
        int fold = level == EncodeLevel.BEST ? 23 : 3;
        assertThat(bytes).isBetween((long) fold << 23, (long) (fold + 1) << 23);
    }

    private static CodecOptions level(int level) {
        return CodecOptions.DEFAULTS.withLevel(level);
    }
}
