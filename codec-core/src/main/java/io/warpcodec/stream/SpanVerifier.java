package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.engine.EngineSelector;
import io.warpcodec.format.gzip.GzipIndex;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Begins at every point of a side-car index with what it says, and decodes by zlib up to the next, which is what readers do. Spans know nothing of each other,
 * so each thread takes the next that nobody has. One object per index.
 */
final class SpanVerifier {
    // zlib's word counts
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.CPU);

    private final EngineSelector engines;
    private final GzipIndexer.Opener file;
    private final byte[] bytes;
    private final GzipIndex index;
    private final AtomicInteger next = new AtomicInteger();

    SpanVerifier(EngineSelector engines, GzipIndexer.Opener file, byte[] bytes) throws IOException {
        this.engines = engines;
        this.file = file;
        this.bytes = bytes;
        byte[] header = Arrays.copyOf(bytes, GzipIndex.HEADER_BYTES);
        this.index = GzipIndex.parse(Arrays.copyOf(bytes, GzipIndex.tableBytes(header, bytes.length)), bytes.length);
    }

    /** Throws unless decoding can begin at every point and comes to the next. */
    void verify(int threads) throws IOException {
        ExecutorService workers = Executors.newFixedThreadPool(Math.min(threads, index.count()), work -> {
            Thread thread = new Thread(work, "warpcodec index");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                runs.add(workers.submit(() -> {
                    verifyNextOnes();
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                await(run);
            }
        } finally {
            next.set(index.count());
            workers.shutdown();
            awaitEnd(workers);
        }
    }

    /** Waits for what is being read, so that the caller may close the file then. An interrupted thread does not wait. */
    private static void awaitEnd(ExecutorService workers) {
        try {
            workers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(Future<?> run) throws IOException {
        try {
            run.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while an index was verified");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("an index could not be verified", failed.getCause());
        }
    }

    private void verifyNextOnes() throws IOException {
        try {
            for (int i = next.getAndIncrement(); i < index.count(); i = next.getAndIncrement()) {
                try (InputStream source = file.open()) {
                    verify(i, source);
                }
            }
        } finally {
            // one that fails is enough: the others take no more
            next.set(index.count());
        }
    }

    private void verify(int i, InputStream source) throws IOException {
        long from = index.point(i).byteOffset();
        source.skipNBytes(from);
        int storedAt = (int) index.windowOffset(i);
        byte[] window = index.window(i, Arrays.copyOfRange(bytes, storedAt, storedAt + index.windowStoredBytes(i)));
        // the byte that the next point lies in belongs to both
        InputStream only = new FirstBytes(source, index.point(i + 1).byteOffset() + 1 - from);
        SourceWindow span =
                new SourceWindow(only, from, OPTIONS.readAheadBytes(), ChunkedInputStream.leases(engines, OPTIONS));
        try (SpanReader reader = new SpanReader(engines, OPTIONS, index, span, i, window, i)) {
            for (long left = index.spanBytes(i); left > 0; ) {
                left -= reader.next().remaining();
            }
        } finally {
            span.release();
        }
    }

    /** The first bytes of a stream, no more than which are taken from it. */
    private static final class FirstBytes extends InputStream {
        private final InputStream source;
        private long left;

        FirstBytes(InputStream source, long left) {
            this.source = source;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            int count = left > 0 ? source.read(target, start, (int) Math.min(length, left)) : -1;
            left -= Math.max(0, count);
            return count;
        }
    }
}
