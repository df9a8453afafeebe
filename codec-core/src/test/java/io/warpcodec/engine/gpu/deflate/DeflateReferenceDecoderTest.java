package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.block.BlockData;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** The judge, judged by zlib. */
class DeflateReferenceDecoderTest {
    @Test
    void whatZlibWritesIsDecoded() {
        for (int level = 0; level <= 9; level++) {
            for (int kind = 0; kind < BlockData.KINDS; kind++) {
                byte[] raw = BlockData.make(new Random(kind), kind, 300 * level + 1);
                Deflater deflater = new Deflater(level, true);
                deflater.setInput(raw);
                deflater.finish();
                byte[] encoded = new byte[5000];
                int length = deflater.deflate(encoded);
                deflater.end();
                assertThat(DeflateReferenceDecoder.decode(Arrays.copyOf(encoded, length)))
                        .hasValue(raw);
            }
        }
    }

    @Test
    void defectsAreSeen() {
        for (String bad :
                new String[] {"", "07", "0300" + "00", "01050005ff0000000000", "010500faff00000000", "4b04", "03ff"}) {
            assertThat(DeflateReferenceDecoder.decode(HexFormat.of().parseHex(bad)))
                    .as(bad)
                    .isEmpty();
        }
    }
}
