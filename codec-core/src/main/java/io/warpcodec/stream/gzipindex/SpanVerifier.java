package io.warpcodec.stream.gzipindex;

import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.gzip.GzipIndex;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Begins at every point of a side-car index with what it says, and decodes by zlib up to the next, which is what
 * readers do. Spans know nothing of each other, so each thread takes the next span that is free. One object per
 * index.
 */
final class SpanVerifier {
    private final byte[] bytes;
    private final GzipIndex index;
    private final SpanDecoder spans;
    private final AtomicInteger next = new AtomicInteger();

    SpanVerifier(EngineSelector engines, GzipIndexer.Opener file, byte[] bytes) throws IOException {
        this.bytes = bytes;
        byte[] header = Arrays.copyOf(bytes, GzipIndex.HEADER_BYTES);
        this.index = GzipIndex.parse(Arrays.copyOf(bytes, GzipIndex.tableBytes(header, bytes.length)), bytes.length);
        this.spans = new SpanDecoder(engines, file, index);
    }

    /** Throws unless decoding can begin at every point and comes to the next. */
    void verify(int threads) throws IOException {
        ExecutorService workers = SpanDecoder.workers(Math.min(threads, index.count()));
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

    /**
     * Waits for what is being read, so that the caller may close the file then. An interrupted thread does not wait.
     */
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
                spans.decode(i, window(i), nothing -> {});
            }
        } finally {
            // a span that fails is enough: the other threads take no more
            next.set(index.count());
        }
    }

    private byte[] window(int i) throws IOException {
        int storedAt = (int) index.windowOffset(i);
        return index.window(i, Arrays.copyOfRange(bytes, storedAt, storedAt + index.windowStoredBytes(i)));
    }
}
