package io.warpcodec.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The split rule of chained chunks, on a format of two bytes: a letter that says how far a chain must reach, and the
 * chunk's size.
 */
class ChainedSyncPointsTest {
    private static final byte FAR = 'F';
    private static final byte NEAR = 'N';
    private static final int FAR_REACH_BYTES = 200;
    private static final int NEAR_REACH_BYTES = 20;

    private record Letter(int chunkBytes, int reachBytes) implements SizedChunk {}

    private static final class Letters extends ChainedSyncPoints {
        private int looks;

        Letters() {
            super(2, null);
        }

        @Override
        public int headBytes() {
            return 2;
        }

        @Override
        protected boolean mayBeginAt(Window window, int index) {
            return window.u8(index) == FAR || window.u8(index) == NEAR;
        }

        @Override
        protected SizedChunk chunkAt(Window window, int index) throws IOException {
            looks++;
            if (!window.require(index + 2) || !mayBeginAt(window, index) || window.u8(index + 1) < 2) {
                return null;
            }
            boolean far = window.u8(index) == FAR;
            return new Letter(window.u8(index + 1), far ? FAR_REACH_BYTES : NEAR_REACH_BYTES);
        }
    }

    private static Window window(byte[] file, int from) {
        Window window = new BufferWindow(ByteBuffer.wrap(file), 0);
        window.consume(from);
        return window;
    }

    /** Where the first chain begins that holds, each offset judged alone. */
    private static long judgedAlone(byte[] file) throws IOException {
        for (int at = 0; at + 2 <= file.length; at++) {
            if (new Letters().isSyncPoint(window(file, at))) {
                return at;
            }
        }
        return -1;
    }

    /** A reader behind its split's end asks at each chunk of a chain that breaks a little further on. */
    @Test
    void aReaderLooksAtEachChunkABoundedNumberOfTimes() throws IOException {
        int chunks = 90;
        byte[] file = new byte[2 * chunks + 10];
        for (int at = 0; at < 2 * chunks; at += 2) {
            file[at] = FAR;
            file[at + 1] = 2;
        }
        Letters rule = new Letters();
        for (int at = 0; at < 2 * chunks; at += 2) {
            assertThat(rule.isSyncPoint(window(file, at))).isFalse();
        }
        assertThat(rule.looks).isLessThan(4 * chunks);
    }

    private static long sought(byte[] file, Letters rule) throws IOException {
        Window window = window(file, 0);
        rule.seek(window, file.length);
        return window.buffered() < 2 ? -1 : window.offset();
    }

    @Test
    void whatIsRememberedOfBrokenChainsChangesNoAnswer() throws IOException {
        Random random = new Random(1);
        int found = 0;
        for (int turn = 0; turn < 3000; turn++) {
            byte[] file = new byte[100 + random.nextInt(500)];
            for (int at = 0; at + 2 <= file.length; ) {
                boolean broken = random.nextInt(40) == 0;
                int size = 2 + random.nextInt(6);
                file[at] = random.nextInt(3) > 0 ? FAR : NEAR;
                file[at + 1] = (byte) size;
                at += broken ? 3 + random.nextInt(9) : Math.min(size, 2 + random.nextInt(9));
            }
            file[file.length - 1] = 0;
            long expected = judgedAlone(file);
            assertThat(sought(file, new Letters())).as("turn %d", turn).isEqualTo(expected);
            found += expected > 0 ? 1 : 0;
        }
        assertThat(found)
                .as("files whose first sync point is not their first byte")
                .isGreaterThan(100);
    }

    @Test
    void aBrokenChainOfManyChunksIsWalkedOnce() throws IOException {
        int chunks = 90;
        byte[] file = new byte[50 * (2 * chunks + 3)];
        for (int chain = 0; chain < 50; chain++) {
            for (int chunk = 0; chunk < chunks; chunk++) {
                int at = chain * (2 * chunks + 3) + 2 * chunk;
                Arrays.fill(file, at, at + 1, FAR);
                file[at + 1] = 2;
            }
        }
        Letters rule = new Letters();
        assertThat(sought(file, rule)).isEqualTo(-1);
        assertThat(rule.looks).as("for %d chunks", 50 * chunks).isLessThan(4 * 50 * chunks);
    }
}
