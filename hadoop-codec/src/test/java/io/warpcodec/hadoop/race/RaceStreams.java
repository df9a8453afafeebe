package io.warpcodec.hadoop.race;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/**
 * What the streams of a race read from and write to, and the places from which other threads take them to close them.
 */
final class RaceStreams {
    private static final int MOST_SPINS = 2_000;

    private RaceStreams() {}

    /** Lets others go first now and then: within a read or a write, so that streams are closed just then. */
    private static void dawdle(Random random) {
        for (int spins = random.nextInt(4) == 0 ? random.nextInt(MOST_SPINS) : 0; spins > 0; spins--) {
            Thread.onSpinWait();
        }
        if (random.nextInt(8) == 0) {
            Thread.yield();
        }
    }

    /** A file, read as slowly as the seed wants. Fails when it is read after its close, as files do. */
    static final class Source extends FSInputStream {
        private final FSDataInputStream file;
        private final RaceCounts counts;
        private final Random random;

        Source(FSDataInputStream file, RaceCounts counts, Random random) {
            this.file = file;
            this.counts = counts;
            this.random = random;
            counts.opened();
        }

        @Override
        public int read() throws IOException {
            return file.read();
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            dawdle(random);
            int count = file.read(target, start, Math.min(length, 1 + random.nextInt(2 * length + 1)));
            dawdle(random);
            return count;
        }

        @Override
        public void seek(long offset) throws IOException {
            file.seek(offset);
        }

        @Override
        public long getPos() throws IOException {
            return file.getPos();
        }

        @Override
        public boolean seekToNewSource(long offset) {
            return false;
        }

        @Override
        public void close() throws IOException {
            counts.closed();
            file.close();
        }
    }

    /**
     * Bytes in memory, written as slowly as the seed wants. After its close it fails like a file, or takes more like
     * an array.
     */
    static final class Sink extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final RaceCounts counts;
        private final Random random;
        private final boolean failsWhenClosed;
        private volatile boolean closed;

        Sink(RaceCounts counts, Random random) {
            this.counts = counts;
            this.random = random;
            this.failsWhenClosed = random.nextBoolean();
            counts.opened();
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int start, int length) throws IOException {
            dawdle(random);
            if (closed && failsWhenClosed) {
                throw new IOException("the sink is closed");
            }
            bytes.write(source, start, length);
            dawdle(random);
        }

        @Override
        public void close() {
            closed = true;
            counts.closed();
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }

    /** A stream or coder in use, which another thread may take in order to close it. */
    static final class Raced {
        private final Closeable close;
        private final CompletableFuture<IOException> outcome = new CompletableFuture<>();
        volatile boolean taken;

        Raced(Closeable close) {
            this.close = close;
        }

        /** Closes after a moment, on the thread of the other. */
        void closeAfter(int spins, RaceCounts counts) {
            for (int spin = 0; spin < spins; spin++) {
                Thread.onSpinWait();
            }
            IOException thrown = null;
            try {
                close.close();
            } catch (IOException refused) {
                thrown = refused;
            } catch (Throwable wrong) {
                counts.failure("a close from another thread", wrong);
            }
            counts.closes.increment();
            outcome.complete(thrown);
        }

        /** What the close by the other came to: null, or what it threw. Waits for it. */
        IOException outcome() {
            return outcome.join();
        }
    }
}
