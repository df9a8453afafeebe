package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.BlockRunDecoder;
import io.warpcodec.engine.BlockVisitor;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Direction;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.SegmentDecoder;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.gzip.GzipPoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The CPU engine on threads of its own, for a process that has the machine to itself: the setting {@code cpu.threads} of the
 * tool. Chunks are encoded and decoded side by side and handed out in order; sessions stay on the thread that asks. Thread-safe.
 *
 * <p>What a chunk decodes to is not known before. So a batch is decoded at most {@link #AHEAD_PER_THREAD} chunks a thread ahead of
 * the one taken last, and with two batches in flight a stream holds twice that many decoded chunks, each within the output
 * budget. To encode, the batch itself is the bound.
 */
public final class ThreadedCpuEngine implements Engine {
    /** One in work, one that waits to be taken: chunks take unequal time. */
    static final int AHEAD_PER_THREAD = 2;

    static final String THREAD_NAME = "warpcodec cpu ";
    private static final long IDLE_SECONDS = 5;

    private final Engine engine;
    private final int threads;
    private final ThreadPoolExecutor workers;

    /**
     * @param engine does the work of one chunk, inside {@link Batch#take}
     * @param threads how many chunks may be in work at once; at least 1
     */
    public ThreadedCpuEngine(Engine engine, int threads) {
        this.engine = engine;
        this.threads = threads;
        AtomicInteger count = new AtomicInteger();
        workers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, THREAD_NAME + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
    }

    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public void requireLibrary(Format format) throws IOException {
        engine.requireLibrary(format);
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return engine.supports(format, direction);
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    @Override
    public Lease tryLease(int bytes, String owner) {
        return engine.tryLease(bytes, owner);
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new AheadBatch<>(
                chunks, AHEAD_PER_THREAD * threads, one -> engine.decode(format, options, one), DecodedChunk::release);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new AheadBatch<>(
                chunks, chunks.size(), one -> engine.encode(format, options, one), encoded -> encoded.release()
                        .run());
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return engine.openSession(format, options, offset);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset, BlockRunDecoder runs) {
        return engine.openSession(format, options, offset, runs);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset, SegmentDecoder segments) {
        return engine.openSession(format, options, offset, segments);
    }

    @Override
    public DecodeSession resumeSession(CodecOptions options, GzipPoint point, byte[] window) {
        return engine.resumeSession(options, point, window);
    }

    @Override
    public DecodeSession resumeSession(GzipPoint point, byte[] window, SegmentDecoder segments) {
        return engine.resumeSession(point, window, segments);
    }

    @Override
    public GzipPoint walkBlocks(CodecOptions options, InputStream gzip, BlockVisitor visitor) throws IOException {
        return engine.walkBlocks(options, gzip, visitor);
    }

    @Override
    public GzipPoint walkBlocks(InputStream gzip, BlockVisitor visitor, SegmentDecoder segments) throws IOException {
        return engine.walkBlocks(gzip, visitor, segments);
    }

    /**
     * A batch worked on by the threads, some chunks ahead of the one that is taken. A chunk's input is held until its work has
     * ended, also when the batch is closed before.
     */
    private final class AheadBatch<R> implements Batch<R> {
        private final List<Chunk> chunks;
        private final int aheadCount;
        private final Function<List<Chunk>, Batch<R>> engineBatch;
        private final Consumer<R> discard;
        /** Submitted chunks' results; null once taken. */
        private final List<CompletableFuture<R>> results;

        AheadBatch(
                List<Chunk> chunks, int aheadCount, Function<List<Chunk>, Batch<R>> engineBatch, Consumer<R> discard) {
            this.chunks = chunks;
            this.aheadCount = aheadCount;
            this.engineBatch = engineBatch;
            this.discard = discard;
            this.results = new ArrayList<>(chunks.size());
            submitUpTo(aheadCount);
        }

        private void submitUpTo(int limit) {
            while (results.size() < Math.min(limit, chunks.size())) {
                Chunk chunk = chunks.get(results.size());
                CompletableFuture<R> result = new CompletableFuture<>();
                chunk.input().retain();
                results.add(result);
                workers.execute(() -> work(chunk, result));
            }
        }

        private void work(Chunk chunk, CompletableFuture<R> result) {
            try {
                if (!result.isDone()) {
                    finish(result, one(chunk));
                }
            } catch (Throwable failed) {
                result.completeExceptionally(failed);
            } finally {
                chunk.input().release();
            }
        }

        private R one(Chunk chunk) throws IOException {
            try (Batch<R> batch = engineBatch.apply(List.of(chunk))) {
                return batch.take(0);
            }
        }

        private void finish(CompletableFuture<R> result, R done) {
            if (!result.complete(done)) {
                discard.accept(done);
            }
        }

        @Override
        public int size() {
            return chunks.size();
        }

        @Override
        public R take(int index) throws IOException {
            submitUpTo(index + 1 + aheadCount);
            R result = await(results.get(index));
            results.set(index, null);
            return result;
        }

        private R await(CompletableFuture<R> result) throws IOException {
            try {
                return result.get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a chunk was in work");
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IOException cause) {
                    throw cause;
                }
                if (failed.getCause() instanceof Error error) {
                    throw error;
                }
                throw new IllegalStateException("a chunk's work failed", failed.getCause());
            }
        }

        @Override
        public void close() {
            for (int index = 0; index < results.size(); index++) {
                CompletableFuture<R> result = results.set(index, null);
                if (result != null && !result.cancel(false) && !result.isCompletedExceptionally()) {
                    discard.accept(result.join());
                }
            }
        }
    }
}
