package io.warpcodec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TpchTextTest {
    @Test
    void textIsWholeOperationsOfLineitem() {
        byte[] text = TpchText.lineitem(100_000);
        assertThat(text).hasSize(2 * CodecWork.OPERATION_BYTES);
        assertThat(new String(text, 0, 40, StandardCharsets.ISO_8859_1)).startsWith("1|155190|7706|1|17|");
    }

    @Test
    void longerTextBeginsWithShorter() {
        assertThat(TpchText.lineitem(300_000)).startsWith(TpchText.lineitem(100_000));
    }
}
