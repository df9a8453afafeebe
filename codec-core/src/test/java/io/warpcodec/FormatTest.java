package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hadoop chooses a codec by the end of a name, in capitals or not. */
class FormatTest {

    @ParameterizedTest
    @EnumSource(Format.class)
    void capitalsInASuffixMeanTheSame(Format format) {
        assertThat(Format.ofFileName("a" + format.suffix())).isEqualTo(format);
        assertThat(Format.ofFileName("A" + format.suffix().toUpperCase(Locale.ROOT)))
                .isEqualTo(format);
        assertThat(Format.ofFileName("a" + format.suffix() + "x")).isNull();
    }
}
