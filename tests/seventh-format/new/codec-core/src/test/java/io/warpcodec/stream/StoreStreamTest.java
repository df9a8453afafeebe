package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seventh format through streams, pushed decoders and splits. */
class StoreStreamTest {
    private static final StreamRig RIG = new StreamRig(Format.STORE, CodecOptions.DEFAULTS.withChunkBytes(4 << 10));

    /** A unit made by hand from the layout. */
    private static byte[] unit(byte[] raw) {
        CRC32 crc = new CRC32();
        crc.update(raw);
        return ByteBuffer.allocate(raw.length + 12)
                .put("WSTO".getBytes(StandardCharsets.US_ASCII))
                .putInt(raw.length)
                .put(raw)
                .putInt((int) crc.getValue())
                .array();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 4097, 100_000})
    void whatIsWrittenIsReadWhicheverWay(int bytes) throws IOException {
        byte[] raw = StreamRig.text(bytes, 3);
        byte[] file = RIG.write(raw);
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.read(file, 7, 501)).isEqualTo(raw);
        assertThat(RIG.push(file, 99, 1000)).isEqualTo(raw);
    }

    @Test
    void aFileMadeByHandIsReadAndOursIsMadeLikeIt() throws IOException {
        byte[] raw = StreamRig.noise(3000, 4);
        assertThat(RIG.read(StreamRig.concat(unit(raw), unit(new byte[0]), unit(raw))))
                .isEqualTo(StreamRig.concat(raw, raw));
        assertThat(RIG.write(raw)).isEqualTo(unit(raw));
    }

    @Test
    void splitsOwnEveryByteOnceWhereverTheyFall() throws IOException {
        byte[] raw = StreamRig.text(30_000, 5);
        byte[] file = RIG.write(raw);
        IntStream.of(1_000, 4_096, 4_108, 5_001, file.length).forEach(bytes -> {
            try {
                assertThat(RIG.splits(file, bytes)).isEqualTo(raw);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        assertThat(RIG.split(file, 10_000, 20_000)).isNotEmpty();
    }

    @Test
    void noFlippedBitAndNoCutPasses() throws IOException {
        byte[] file = RIG.write(StreamRig.text(5_000, 6));
        for (int bit = 0; bit < 8 * file.length; bit += 11) {
            byte[] bad = StreamRig.flipped(file, bit);
            assertThatThrownBy(() -> RIG.read(bad)).isInstanceOf(IOException.class);
        }
        for (int bytes = 0; bytes < file.length; bytes += 13) {
            byte[] cut = StreamRig.cut(file, bytes);
            if (bytes != 4096 + 12) {
                assertThatThrownBy(() -> RIG.read(cut)).isInstanceOf(IOException.class);
            }
        }
    }
}
