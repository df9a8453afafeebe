package io.warpcodec.stream.snappy;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/** The streams of Spark's snappy codec, against snappy-java's own. */
class XerialStreamTest {
    private static final StreamRig SPARK =
            new StreamRig(Format.SNAPPY, CodecOptions.DEFAULTS.withFraming(Framing.SPARK));
    private static final int HEADER_BYTES = 16;

    private static byte[] theirs(byte[] raw, int blockBytes) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (SnappyOutputStream out = new SnappyOutputStream(sink, blockBytes)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] readByThem(byte[] file) throws IOException {
        try (SnappyInputStream in = new SnappyInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatWeWriteIsWhatTheyWriteAndBothReadBoth() throws IOException {
        for (int size : new int[] {0, 1, 32767, 32768, 32769, 65537, 1_000_000}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size)}) {
                byte[] ours = SPARK.write(raw);
                assertThat(readByThem(ours)).isEqualTo(raw);
                assertThat(SPARK.read(ours)).isEqualTo(raw);
                assertThat(SPARK.read(theirs(raw, 32768))).isEqualTo(raw);
                assertThat(SPARK.read(theirs(raw, 3 << 20))).isEqualTo(raw);
            }
        }
        assertThat(SPARK.write(text(100_000, 1))).isEqualTo(theirs(text(100_000, 1), 32768));
    }

    @Test
    void streamsBehindEachOtherAreOne() throws IOException {
        byte[] a = text(50_000, 1);
        byte[] b = text(10, 2);
        byte[] file = concat(SPARK.write(a), theirs(new byte[0], 32768), theirs(b, 32768), SPARK.write(a));
        assertThat(SPARK.read(file)).isEqualTo(concat(a, b, a));
        assertThat(SPARK.read(file, 1, 1)).isEqualTo(concat(a, b, a));
        assertThat(readByThem(file)).isEqualTo(concat(a, b, a));
    }

    @Test
    void noBytesAreAnEmptyStream() throws IOException {
        assertThat(SPARK.read(new byte[0])).isEmpty();
        assertThat(SPARK.read(SPARK.write(new byte[0]))).isEmpty();
    }

    @Test
    void aBlockOfNothingIsReadOver() throws IOException {
        byte[] file = concat(
                cut(SPARK.write(new byte[0]), HEADER_BYTES), new byte[] {0, 0, 0, 1, 0}, SPARK.write(text(5, 1)));
        assertThat(SPARK.read(file)).isEqualTo(text(5, 1));
    }

    @Test
    void aMissingOrWrongHeaderIsRefused() throws IOException {
        byte[] file = SPARK.write(text(100, 1));
        assertThatThrownBy(() -> SPARK.read(java.util.Arrays.copyOfRange(file, HEADER_BYTES, file.length)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("header is missing");
        for (int bit = 0; bit < HEADER_BYTES * 8; bit++) {
            byte[] bad = flipped(file, bit);
            if (bit / 8 < 8) {
                assertThatThrownBy(() -> SPARK.read(bad)).isInstanceOf(IOException.class);
            }
        }
        byte[] newer = file.clone();
        newer[15] = 2;
        assertThatThrownBy(() -> SPARK.read(newer)).hasMessageContaining("compatible with 2");
        byte[] older = file.clone();
        older[11] = 0;
        assertThatThrownBy(() -> SPARK.read(older)).hasMessageContaining("version 0");
        byte[] compatible = file.clone();
        compatible[11] = 9;
        assertThat(SPARK.read(compatible)).as("a later version that names ours").isEqualTo(text(100, 1));
    }

    @Test
    void everyTruncationInsideAHeaderOrBlockIsAnEofException() throws IOException {
        byte[] file = concat(SPARK.write(text(300, 1)), SPARK.write(text(200, 2)));
        int first = SPARK.write(text(300, 1)).length;
        for (int bytes = 1; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            if (bytes == HEADER_BYTES || bytes == first + HEADER_BYTES || bytes == first) {
                assertThat(SPARK.read(part)).hasSize(bytes < first ? 0 : 300);
            } else {
                assertThatThrownBy(() -> SPARK.read(part))
                        .as("cut at %d", bytes)
                        .isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void lengthsAndSizesThatLieAreRefused() throws IOException {
        byte[] header = SPARK.write(new byte[0]);
        assertThatThrownBy(() -> SPARK.read(concat(header, new byte[] {0, 0, 0, 0})))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> SPARK.read(concat(header, new byte[] {(byte) 0x80, 0, 0, 0})))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> SPARK.read(concat(header, new byte[] {0x7f, 0, 0, 0, 1})))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> SPARK.read(
                        concat(header, new byte[] {0, 0, 0, 5, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0})))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("can make");
    }

    @Test
    void noFlippedBitDoesWorseThanWrongBytesOrAnIoException() throws IOException {
        byte[] file = SPARK.write(text(500, 1));
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] bad = flipped(file, bit);
            try {
                assertThat(SPARK.read(bad)).hasSizeLessThan(22 * file.length);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
            }
        }
    }
}
