package io.warpcodec.engine.cpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.DecodeSession.State;
import io.warpcodec.engine.gzip.SegmentDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

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
            int from = (int) rawBytes();
            done++;
            output = ByteBuffer.wrap(raw, from, (int) rawBytes() - from);
            return true;
        }

        @Override
        public ByteBuffer output() {
            return output;
        }

        @Override
        public boolean ended() {
            return done == ends.size();
        }

        @Override
        public long rawBytes() {
            return Math.min(raw.length, done * (long) PIECE_BYTES);
        }

        @Override
        public int crc32() {
            CRC32 crc = new CRC32();
            crc.update(raw, 0, (int) rawBytes());
            return (int) crc.getValue();
        }

        @Override
        public byte[] window() {
            int limit = (int) rawBytes();
            return Arrays.copyOfRange(raw, Math.max(0, limit - (1 << 15)), limit);
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
        public int bit() {
            return 0;
        }

        @Override
        public byte[] header() {
            return new byte[0];
        }

        @Override
        public int headerBits() {
            return 0;
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

    /** What a session promises: without room it goes on as far as it can, here to the end of the member, whichever decoder decodes the rest. */
    @Test
    void withoutRoomASessionGoesOnToTheEndOfTheMember() throws IOException {
        byte[] raw = new byte[4 * PIECE_BYTES];
        new Random(SEED).nextBytes(raw);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int start = 0; start < raw.length; start += PIECE_BYTES) {
                out.write(raw, start, PIECE_BYTES);
                out.flush();
                ends.add(file.size() - 10);
            }
        }
        // the stream's last block is empty, and belongs to no piece
        ends.add(file.size() - 18);
        for (int own = 0; own <= ends.size(); own++) {
            try (GzipCpuSession session = new GzipCpuSession(new KnownSegments(raw, ends, own))) {
                ByteBuffer input = ByteBuffer.wrap(file.toByteArray());
                ByteBuffer output = ByteBuffer.allocate(raw.length);
                State state = session.decode(input, output);
                assertThat(output.array()).as("%d segments", own).isEqualTo(raw);
                if (state != State.FINISHED) {
                    state = session.decode(input, ByteBuffer.allocate(0));
                }
                assertThat(state).as("%d segments", own).isEqualTo(State.FINISHED);
                assertThat(input.hasRemaining()).isFalse();
            }
        }
    }
}
