package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.forge.ZstdForge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a {@link PushDecoder} that is used again makes of a file depends on that file alone. */
class PushDecoderTest {
    private static final byte[] RAW = StreamRig.text(3000, 4);
    private static final int ARRAY_BYTES = 8 << 10;

    /**
     * Reads a file that lies in an array, with what follows it there, and goes no further than the end of the stream.
     */
    private static String verdict(PushDecoder decoder, byte[] array, int length) {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        byte[] piece = new byte[500];
        decoder.setInput(array, 0, length);
        try {
            for (int count = 1; count > 0; ) {
                count = decoder.decode(piece, 0, piece.length);
                raw.write(piece, 0, count);
            }
            return raw.size() + " bytes, finished " + decoder.finished() + ", remaining " + decoder.remaining()
                    + (Arrays.equals(raw.toByteArray(), RAW) ? ", right" : "");
        } catch (IOException refused) {
            return raw.size() + " bytes, " + refused.getMessage();
        }
    }

    /** What may lie in the array behind the first file, and be the second one. */
    private static byte[][] others(byte[] file) {
        byte[] zeros = new byte[5000];
        byte[] notFirst = Arrays.copyOfRange(file, 1, file.length);
        return new byte[][] {zeros, notFirst, StreamRig.text(5000, 8), Arrays.copyOf(file, file.length / 2), file};
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void nothingOfAFileGoesOnInTheNextOneInTheSameArray(Format format) throws IOException {
        byte[] file = new StreamRig(format, CodecOptions.DEFAULTS).write(RAW);
        for (byte[] other : others(file)) {
            byte[] array = Arrays.copyOf(other, ARRAY_BYTES);
            String fresh = verdict(new PushDecoder(format, CodecOptions.DEFAULTS), array, other.length);
            for (byte[] behind : new byte[][] {{}, {0, 0, 0}, {'x'}, file, Arrays.copyOf(file, 30), new byte[5000]}) {
                PushDecoder decoder = new PushDecoder(format, CodecOptions.DEFAULTS);
                byte[] first = StreamRig.concat(file, behind);
                byte[] same = Arrays.copyOf(first, Math.max(first.length, ARRAY_BYTES));
                verdict(decoder, same, first.length);
                decoder.reset();
                System.arraycopy(array, 0, same, 0, ARRAY_BYTES);
                assertThat(verdict(decoder, same, other.length))
                        .as("%d bytes behind a file with %d behind it", other.length, behind.length)
                        .isEqualTo(fresh);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 137, 1000})
    void aLyingMarkerLeavesNothingForTheNextFile(int feed) throws IOException {
        for (Format format : new Format[] {Format.ZSTD, Format.LZ4, Format.GZIP}) {
            StreamRig rig = new StreamRig(format, CodecOptions.DEFAULTS);
            byte[] lying = format == Format.ZSTD ? ZstdForge.marked(rig.write(RAW), RAW.length) : rig.write(RAW);
            int sizeAt = format == Format.GZIP ? 26 : 20;
            lying[sizeAt + 1] = (byte) (lying[sizeAt + 1] + 2);
            assertThat(rig.push(StreamRig.concat(lying, rig.write(RAW)), feed, 100))
                    .as("%s", format)
                    .isEqualTo(StreamRig.concat(RAW, RAW));
        }
    }

    /** The zeros may be any number of pieces of one input; behind them there is no member. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000, 300_000})
    void zerosBehindAMemberAreTakenWithItWhereTheyLieInItsInput(int zeros) throws IOException {
        StreamRig rig = new StreamRig(Format.GZIP, CodecOptions.DEFAULTS);
        byte[] file = StreamRig.concat(rig.write(RAW), new byte[zeros]);
        assertThat(rig.push(file, file.length, 100)).isEqualTo(RAW);
        byte[] more = StreamRig.concat(file, rig.write(RAW));
        assertThatThrownBy(() -> rig.push(more, more.length, 100)).isInstanceOf(IOException.class);
    }
}
