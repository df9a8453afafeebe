package io.warpcodec.engine.cpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodeSession.State;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session whose first bytes are decoded by another decoder, which stops where blocks begin. */
class DeflateSegmentsTest {
    private static final long SEED = 31L;
    private static final int PIECE_BYTES = 3000;

    /** Segments that end after each flush of a known stream, the last ones before its last, empty block. */
    private static final class KnownSegments implements SegmentDecoder {
        private final byte[] raw;
        private final List<Integer> ends;
        private final int lastOwn;
        private int done;
        private int at;
        private ByteBuffer output = ByteBuffer.allocate(0);
        /** The bytes of each segment are gone after so many calls; never if negative. */
        private int goneAfter = -1;

        private int takes;
        private int gone;

        /**
         * @param ends where the pieces of {@link #PIECE_BYTES} end in the stream, and then the stream itself
         * @param lastOwn how many of these segments are decoded
         */
        KnownSegments(byte[] raw, List<Integer> ends, int lastOwn) {
            this.raw = raw;
            this.ends = ends;
            this.lastOwn = lastOwn;
        }

        @Override
        public boolean advance(ByteBuffer input) {
            if (done == lastOwn) {
                return false;
            }
            input.position(input.position() + ends.get(done) - at);
            at = ends.get(done);
            int from = rawBytes();
            done++;
            takes = 0;
            output = ByteBuffer.wrap(raw, from, rawBytes() - from);
            return true;
        }

        @Override
        public int outputBytes() {
            return output.remaining();
        }

        @Override
        public boolean take(ByteBuffer target) {
            if (takes++ == goneAfter) {
                gone++;
                output = ByteBuffer.allocate(0);
                return false;
            }
            int count = Math.min(output.remaining(), target.remaining());
            target.put(target.position(), output, output.position(), count);
            target.position(target.position() + count);
            output.position(output.position() + count);
            return true;
        }

        @Override
        public StreamPosition position() {
            int limit = rawBytes();
            CRC32 crc = new CRC32();
            crc.update(raw, 0, limit);
            byte[] window = Arrays.copyOfRange(raw, Math.max(0, limit - (1 << 15)), limit);
            return new StreamPosition(0, window, new byte[0], 0, limit, (int) crc.getValue(), done == ends.size());
        }

        private int rawBytes() {
            return Math.min(raw.length, done * PIECE_BYTES);
        }

        @Override
        public int leastInputBytes() {
            return 2;
        }

        @Override
        public int usefulInputBytes() {
            return 2;
        }

        @Override
        public void reset() {
            done = 0;
            at = 0;
            output = ByteBuffer.allocate(0);
        }

        @Override
        public void resume(int bit, byte[] window) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sessionDid(int rawBytes, long nanos) {}

        @Override
        public long bytesIn() {
            return at;
        }

        @Override
        public long bytesOut() {
            return rawBytes();
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** A stream of blocks of {@link #PIECE_BYTES}, each with its own end, and where they end in its DEFLATE data. */
    private record Flushed(byte[] raw, byte[] file, List<Integer> ends) {
        static Flushed of(byte[] raw, boolean gzip) throws IOException {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            List<Integer> ends = new ArrayList<>();
            try (DeflaterOutputStream out = gzip
                    ? new GZIPOutputStream(file, 512, true)
                    : new DeflaterOutputStream(file, new Deflater(), 512, true)) {
                for (int start = 0; start < raw.length; start += PIECE_BYTES) {
                    out.write(raw, start, PIECE_BYTES);
                    out.flush();
                    ends.add(file.size() - (gzip ? 10 : 2));
                }
            }
            // the stream's last block is empty, and belongs to no piece
            ends.add(file.size() - (gzip ? 18 : 6));
            return new Flushed(raw, file.toByteArray(), ends);
        }
    }

    private static byte[] random(int bytes) {
        byte[] raw = new byte[bytes];
        new Random(SEED).nextBytes(raw);
        return raw;
    }

    /** Decodes to outputs of so many bytes. */
    private static byte[] decode(DecodeSession session, byte[] file, int outputBytes) throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        ByteBuffer input = ByteBuffer.wrap(file);
        State state;
        do {
            ByteBuffer output = ByteBuffer.allocate(outputBytes);
            state = session.decode(input, output);
            raw.write(output.array(), 0, output.position());
            assertThat(state).isNotEqualTo(State.NEEDS_INPUT);
        } while (state != State.FINISHED);
        assertThat(input.hasRemaining()).isFalse();
        return raw.toByteArray();
    }

    /**
     * A session's promise: without room it decodes all that needs none, here to the end of the member, whichever
     * decoder decodes the rest.
     */
    @Test
    void withoutRoomASessionGoesOnToTheEndOfTheMember() throws IOException {
        Flushed stream = Flushed.of(random(4 * PIECE_BYTES), true);
        for (int own = 0; own <= stream.ends().size(); own++) {
            try (GzipCpuSession session = new GzipCpuSession(new KnownSegments(stream.raw(), stream.ends(), own))) {
                ByteBuffer input = ByteBuffer.wrap(stream.file());
                ByteBuffer output = ByteBuffer.allocate(stream.raw().length);
                State state = session.decode(input, output);
                while (state != State.FINISHED && output.hasRemaining()) {
                    assertThat(state).isEqualTo(State.NEEDS_OUTPUT);
                    state = session.decode(input, output);
                }
                assertThat(output.array()).as("%d segments", own).isEqualTo(stream.raw());
                if (state != State.FINISHED) {
                    state = session.decode(input, ByteBuffer.allocate(0));
                }
                assertThat(state).as("%d segments", own).isEqualTo(State.FINISHED);
                assertThat(input.hasRemaining()).isFalse();
            }
        }
    }

    /**
     * Segments whose bytes are lent to others before they are all taken come from the session, from the same byte on.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsGoneIsDecodedAgain(boolean gzip) throws IOException {
        Flushed stream = Flushed.of(random(6 * PIECE_BYTES), gzip);
        for (int outputBytes : new int[] {1, 7, 1000, PIECE_BYTES, 10 * PIECE_BYTES}) {
            for (int takes = 0; takes <= 4; takes++) {
                for (int own : new int[] {1, 3, 6, 7}) {
                    KnownSegments segments = new KnownSegments(stream.raw(), stream.ends(), own);
                    segments.goneAfter = takes;
                    try (DecodeSession session = gzip ? new GzipCpuSession(segments) : new ZlibCpuSession(segments)) {
                        session.reset(0);
                        assertThat(decode(session, stream.file(), outputBytes))
                                .as("outputs of %d, gone after %d, %d segments", outputBytes, takes, own)
                                .isEqualTo(stream.raw());
                    }
                    assertThat(segments.gone).isEqualTo(takes * outputBytes < PIECE_BYTES ? Math.min(own, 6) : 0);
                }
            }
        }
    }

    /** Bytes of which a part was taken are not followed by those of another decoder that decodes to others. */
    @Test
    void whatIsDecodedAgainHasToBeTheSame() throws IOException {
        Flushed stream = Flushed.of(random(3 * PIECE_BYTES), true);
        byte[] wrong = stream.raw().clone();
        wrong[PIECE_BYTES + 5] ^= 1;
        KnownSegments segments = new KnownSegments(wrong, stream.ends(), 2);
        segments.goneAfter = 1;
        try (GzipCpuSession session = new GzipCpuSession(segments)) {
            assertThatThrownBy(() -> decode(session, stream.file(), 100))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("decodes to other bytes what a device decoded to " + PIECE_BYTES);
        }
    }
}
