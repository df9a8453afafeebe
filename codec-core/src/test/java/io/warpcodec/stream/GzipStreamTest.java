package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipStreamTest {
    private static byte[] text(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] text = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            text[i] = (byte) ("warp and weft \n".charAt(random.nextInt(random.nextInt(15) + 1)));
        }
        return text;
    }

    private static byte[] ours(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, Format.GZIP, CodecOptions.DEFAULTS)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] theirs(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] read(byte[] file) throws IOException {
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), Format.GZIP, CodecOptions.DEFAULTS)) {
            return in.readAllBytes();
        }
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = java.util.Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    @Test
    void whatWeWriteIsReadByTheJdkAndByUs() throws IOException {
        for (int size : new int[] {0, 1, 262143, 262144, 262145, 3_000_000}) {
            byte[] raw = text(size, size);
            byte[] file = ours(raw);
            assertThat(new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes())
                    .isEqualTo(raw);
            assertThat(read(file)).isEqualTo(raw);
            byte[] foreign = theirs(raw);
            assertThat(read(foreign)).isEqualTo(raw);
            assertThat(read(concat(file, foreign))).isEqualTo(concat(raw, raw));
            assertThat(read(concat(foreign, file))).isEqualTo(concat(raw, raw));
            assertThat(read(concat(file, new byte[1000]))).isEqualTo(raw);
        }
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[] file = concat(ours(text(1000, 1)), theirs(text(1000, 2)));
        int boundary = ours(text(1000, 1)).length;
        for (int cut = 0; cut < file.length; cut++) {
            byte[] part = java.util.Arrays.copyOf(file, cut);
            if (cut == boundary) {
                continue;
            }
            assertThatThrownBy(() -> read(part)).as("cut at %d", cut).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] file = ours(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] bad = file.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] got;
            try {
                got = read(bad);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                continue;
            }
            // header fields and code lengths that no symbol uses may change unnoticed; content never
            assertThat(got).isEqualTo(raw);
        }
    }

    @Test
    void aPushDecoderStopsAfterEachMember() throws IOException {
        byte[] raw = text(600_000, 4);
        byte[] file = concat(theirs(raw), theirs(raw));
        PushDecoder decoder = new PushDecoder(Format.GZIP, CodecOptions.DEFAULTS);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        int at = 0;
        int members = 0;
        byte[] buffer = new byte[777];
        decoder.setInput(file, 0, 0);
        while (members < 2) {
            int count = decoder.decode(buffer, 0, buffer.length);
            got.write(buffer, 0, count);
            if (count == 0) {
                if (decoder.finished()) {
                    members++;
                    int back = decoder.remaining();
                    decoder.reset();
                    decoder.setInput(file, at - back, back);
                } else {
                    assertThat(decoder.needsInput()).isTrue();
                    int next = Math.min(1000, file.length - at);
                    decoder.setInput(file, at, next);
                    at += next;
                }
            }
        }
        assertThat(got.toByteArray()).isEqualTo(concat(raw, raw));
    }
}
