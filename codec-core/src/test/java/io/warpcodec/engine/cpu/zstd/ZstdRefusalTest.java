package io.warpcodec.engine.cpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZstdRefusalTest {
    private static final int RAW_BYTES = 100_000;

    /** Of some damaged frames libzstd says that its output is too small, though it is as large as their headers say. */
    @Test
    void corruptDataIsNotSaidToLackMemory() {
        byte[] raw = new byte[RAW_BYTES];
        new Random(1).nextBytes(raw);
        for (int i = 5_000; i < 90_000; i++) {
            raw[i] = raw[i - 4_000];
        }
        byte[] frame = Zstd.compress(raw);
        int found = 0;
        for (int bit = 8 * 6; bit < 8 * 16; bit++) {
            byte[] bad = frame.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            if (saysTooSmall(bad)) {
                found++;
                assertThatThrownBy(() -> read(bad))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("Data corruption detected");
            }
        }
        assertThat(found).isPositive();
    }

    private static boolean saysTooSmall(byte[] frame) {
        try {
            Zstd.decompress(frame, RAW_BYTES);
            return false;
        } catch (ZstdException bad) {
            return bad.getErrorCode() == Zstd.errDstSizeTooSmall();
        }
    }

    private static void read(byte[] frame) throws Exception {
        CodecOptions cpu = CodecOptions.DEFAULTS.withMode(Mode.CPU);
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(frame), Format.ZSTD, cpu)) {
            in.readAllBytes();
        }
    }
}
