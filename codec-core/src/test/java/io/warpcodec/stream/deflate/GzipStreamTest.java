package io.warpcodec.stream.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.stream.PushDecoder;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipStreamTest {
    private static final StreamRig RIG = new StreamRig(Format.GZIP, CodecOptions.DEFAULTS);

    private static byte[] theirs(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    @Test
    void whatWeWriteIsReadByTheJdkAndByUs() throws IOException {
        for (int size : new int[] {0, 1, 262143, 262144, 262145, 3_000_000}) {
            byte[] raw = StreamRig.text(size, size);
            byte[] file = RIG.write(raw);
            assertThat(new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes())
                    .isEqualTo(raw);
            assertThat(RIG.read(file)).isEqualTo(raw);
            byte[] foreign = theirs(raw);
            assertThat(RIG.read(foreign)).isEqualTo(raw);
            assertThat(RIG.read(StreamRig.concat(file, foreign))).isEqualTo(StreamRig.concat(raw, raw));
            assertThat(RIG.read(StreamRig.concat(foreign, file))).isEqualTo(StreamRig.concat(raw, raw));
            assertThat(RIG.read(StreamRig.concat(file, new byte[1000]))).isEqualTo(raw);
        }
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[] file = StreamRig.concat(RIG.write(StreamRig.text(1000, 1)), theirs(StreamRig.text(1000, 2)));
        int boundary = RIG.write(StreamRig.text(1000, 1)).length;
        for (int cut = 0; cut < file.length; cut++) {
            byte[] part = java.util.Arrays.copyOf(file, cut);
            if (cut == boundary) {
                continue;
            }
            assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", cut).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = StreamRig.text(3000, 1);
        byte[] file = RIG.write(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] bad = file.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] got;
            try {
                got = RIG.read(bad);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                continue;
            }
            // header fields and code lengths that no symbol uses may change unnoticed; content never
            assertThat(got).isEqualTo(raw);
        }
    }

    @Test
    void zerosAreNoMemberInFrontOfTheFirst() throws IOException {
        byte[] file = theirs(StreamRig.text(1000, 3));
        assertThatThrownBy(() -> RIG.read(StreamRig.concat(new byte[10], file)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("offset 0");
        assertThatThrownBy(() -> RIG.read(StreamRig.concat(file, new byte[10], file)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("offset " + (file.length + 10));
    }

    @Test
    void aPushDecoderStopsAfterEachMember() throws IOException {
        byte[] raw = StreamRig.text(600_000, 4);
        byte[] file = StreamRig.concat(theirs(raw), theirs(raw));
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
        assertThat(got.toByteArray()).isEqualTo(StreamRig.concat(raw, raw));
    }
}
