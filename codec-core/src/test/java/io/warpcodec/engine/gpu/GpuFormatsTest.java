package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.LevelRange;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.request.GpuFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What formats say of themselves is what their programs and layouts do. */
class GpuFormatsTest {
    /** Levels of all formats that have any, and zstd's lowest. */
    private static final List<Integer> LEVELS = Stream.concat(
                    Stream.of(-(1 << 17)), IntStream.rangeClosed(-7, 22).boxed())
            .toList();

    static Stream<GpuFormat> all() {
        return GpuFormats.ALL.stream();
    }

    private static Set<String> encodePrograms(GpuFormat format) {
        Set<String> names = new HashSet<>(format.programs().keySet());
        names.removeIf(name -> !name.startsWith(Direction.ENCODE.word() + "."));
        return names;
    }

    /** A level has a program, or is the CPU's; and each program has a level. */
    @ParameterizedTest
    @MethodSource("all")
    void layoutsNameTheProgramsThatEncode(GpuFormat format) {
        Set<String> used = new HashSet<>();
        LevelRange levels = format.format().levels();
        for (int level : LEVELS) {
            if (levels.contains(level)) {
                EncodeLayout layout = format.layout(CodecOptions.DEFAULTS.withLevel(level));
                used.add(layout == null ? "" : layout.program());
            }
        }
        used.add(format.layout(CodecOptions.DEFAULTS).program());
        used.remove("");
        assertThat(used).isEqualTo(encodePrograms(format));
    }
}
