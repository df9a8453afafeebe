package io.warpcodec.stream.deflate;

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
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.VectorFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ZlibStreamTest {
    private static final StreamRig RIG = new StreamRig(Format.ZLIB, CodecOptions.DEFAULTS);

    private static byte[] theirs(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(sink)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    @TestFactory
    Stream<DynamicTest> vectorsAreReadAsExpected() throws IOException {
        return new VectorFolder("zlib", Format.ZLIB, CodecOptions.DEFAULTS).tests();
    }

    @Test
    void whatWeWriteIsReadByTheJdkAndByUs() throws IOException {
        int chunk = CodecOptions.DEFAULTS.chunkBytes(Format.ZLIB);
        for (int size : new int[] {0, 1, chunk - 1, chunk, chunk + 1, 5 * chunk + 77}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                byte[] file = RIG.write(raw);
                assertThat(new InflaterInputStream(new ByteArrayInputStream(file)).readAllBytes())
                        .isEqualTo(raw);
                assertThat(RIG.read(file)).isEqualTo(raw);
                byte[] foreign = theirs(raw);
                assertThat(RIG.read(foreign)).isEqualTo(raw);
                assertThat(RIG.read(concat(file, foreign, file))).isEqualTo(concat(raw, raw, raw));
                assertThat(RIG.push(concat(file, foreign, file), 5000, 3000)).isEqualTo(concat(raw, raw, raw));
            }
        }
    }

    @Test
    void everyLevelWritesAHeaderThatItsReadersAccept() throws IOException {
        byte[] raw = text(1000, 5);
        for (int level = Deflater.NO_COMPRESSION; level <= Deflater.BEST_COMPRESSION; level++) {
            byte[] file = new StreamRig(Format.ZLIB, CodecOptions.DEFAULTS.withLevel(level)).write(raw);
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(sink, new Deflater(level))) {
                out.write(raw);
            }
            assertThat(cut(file, 2)).isEqualTo(cut(sink.toByteArray(), 2));
            assertThat(RIG.read(file)).isEqualTo(raw);
        }
    }

    @Test
    void bytesArriveAndLeaveOneAtATime() throws IOException {
        byte[] raw = text(2000, 9);
        byte[] file = concat(theirs(raw), RIG.write(raw));
        assertThat(RIG.read(file, 1, 1)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 1, 1)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 7, 1)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 1, 7)).isEqualTo(concat(raw, raw));
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[] first = RIG.write(text(1000, 1));
        byte[] file = concat(first, theirs(text(1000, 2)));
        for (int bytes = 0; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            if (bytes != first.length) {
                assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
                if (bytes > 0) {
                    assertThatThrownBy(() -> RIG.push(part, 100, 100))
                            .as("cut at %d", bytes)
                            .isInstanceOf(EOFException.class);
                }
            }
        }
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] file = RIG.write(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] got;
            try {
                got = RIG.read(flipped(file, bit));
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                continue;
            }
            // code lengths that no symbol uses may change unnoticed; content never
            assertThat(got).as("bit %d", bit).isEqualTo(raw);
        }
    }

    @Test
    void aDictionaryIsRefused() throws IOException {
        Deflater deflater = new Deflater();
        deflater.setDictionary("warp and weft".getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(sink, deflater)) {
            out.write(text(100, 1));
        }
        assertRefused(sink.toByteArray(), "a preset dictionary is required");
    }

    @Test
    void badHeadersAreRefused() throws IOException {
        byte[] good = theirs(text(100, 1));
        assertRefused(withHeader(good, 0x78, 0x9d), "header check");
        assertRefused(withHeader(good, 0x79, checkFor(0x79, 0)), "compression method is 9");
        assertRefused(withHeader(good, 0x88, checkFor(0x88, 0)), "window is larger");
        assertThat(RIG.read(withHeader(good, 0x08, checkFor(0x08, 0)))).isEqualTo(text(100, 1));
    }

    @Test
    void aWrongAdlerIsRefused() throws IOException {
        byte[] file = theirs(text(100, 1));
        file[file.length - 1]++;
        assertRefused(file, "the Adler-32 is wrong");
    }

    @Test
    void bytesAfterTheLastStreamAreAnErrorAfterItsContent() throws IOException {
        byte[] raw = text(100, 1);
        for (byte[] tail : new byte[][] {{0}, {0, 0}, {'t', 'a', 'i', 'l'}}) {
            byte[] file = concat(theirs(raw), tail);
            try (ChunkedInputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZLIB, CodecOptions.DEFAULTS)) {
                assertThat(in.readNBytes(raw.length)).isEqualTo(raw);
                assertThatThrownBy(in::read).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void noBytesAreAnEmptyStreamForSparkOnly() throws IOException {
        assertThatThrownBy(() -> RIG.read(new byte[0])).isInstanceOf(EOFException.class);
        StreamRig spark = new StreamRig(Format.ZLIB, CodecOptions.DEFAULTS.withFraming(Framing.SPARK));
        assertThat(spark.read(new byte[0])).isEmpty();
    }

    private static int checkFor(int cmf, int flg) {
        return flg + 31 - (cmf << 8 | flg) % 31;
    }

    private static byte[] withHeader(byte[] file, int cmf, int flg) {
        byte[] changed = file.clone();
        changed[0] = (byte) cmf;
        changed[1] = (byte) flg;
        return changed;
    }

    private static void assertRefused(byte[] file, String reason) {
        assertThatThrownBy(() -> RIG.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
    }
}
