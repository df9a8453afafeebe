package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.gzip.HelpedGzipSeeking;
import io.warpcodec.engine.gzip.SeekPointVisitor;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.gzip.GzipSeekPoint;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The CPU engine on threads of its own, for a process that has the machine to itself: the setting {@code cpu.threads}
 * of the tool. Chunks are encoded and decoded side by side and handed out in order; sessions stay on the thread that
 * asks. Thread-safe.
 *
 * <p>Handing work to a thread and waiting for its end costs some microseconds, as much as decoding a kilobyte. So
 * small neighbours form a group, and a group is one task. It ends where its input would exceed {@link #GROUP_BYTES},
 * or where the sizes that its chunks claim would exceed {@link #GROUP_CLAIMED_BYTES}. A claim may be false, so it
 * ends no group below {@link #LEAST_GROUP_BYTES}; a group smaller than that is not handed over: the thread that asks
 * decodes it. It also decodes a batch whose chunks are smaller than that on average: threads that decode small chunks
 * spend most of their time on the pools of decoders and memory that they share.
 *
 * <p>What a chunk decodes to is not known before. So a batch is decoded at most {@link #AHEAD_PER_THREAD} groups a
 * thread ahead of the one taken last, and a task ends early when its results reach {@link #GROUP_RAW_BYTES}: the rest
 * of its group is decoded when it is taken. A task thus holds at most that, and one more chunk within the output
 * budget; with two batches in flight a stream holds twice as many tasks' results. To encode, the batch itself is the
 * bound.
 */
public final class ThreadedCpuEngine implements LendingEngine, HelpedGzipSeeking {
    /** A group in work, and a group that waits to be taken: chunks take unequal time. */
    static final int AHEAD_PER_THREAD = 2;

    static final int GROUP_BYTES = 4 << 10;
    static final int LEAST_GROUP_BYTES = 1 << 10;
    static final int GROUP_CLAIMED_BYTES = 64 << 10;
    /** What deflate's ratio of 1 to 1,032 makes of {@link #LEAST_GROUP_BYTES}. */
    static final int GROUP_RAW_BYTES = 1 << 20;

    static final String THREAD_NAME = "warpcodec cpu ";
    private static final long IDLE_SECONDS = 5;

    private final LendingEngine engine;
    private final int threads;
    private final ThreadPoolExecutor workers;

    /**
     * @param engine does the work of one chunk, inside {@link Batch#take}
     * @param threads how many chunks may be in work at once; at least 1
     */
    public ThreadedCpuEngine(LendingEngine engine, int threads) {
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
    public Lease lease(int bytes, String owner) {
        return engine.lease(bytes, owner);
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        if (areSmall(chunks)) {
            return engine.decode(format, options, chunks);
        }
        return new AheadBatch<>(
                chunks,
                AHEAD_PER_THREAD * threads,
                group -> engine.decode(format, options, group),
                DecodedChunk::rawBytes,
                DecodedChunk::release);
    }

    private static boolean areSmall(List<Chunk> chunks) {
        long bytes = 0;
        for (Chunk chunk : chunks) {
            bytes += chunk.bytes();
        }
        return bytes < (long) LEAST_GROUP_BYTES * chunks.size();
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new AheadBatch<>(
                chunks,
                chunks.size(),
                group -> engine.encode(format, options, group),
                encoded -> 0,
                encoded -> encoded.release().run());
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return engine.openSession(format, options, offset);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset, SessionHelp help) {
        return engine.openSession(format, options, offset, help);
    }

    @Override
    public DecodeSession resumeSession(GzipSeekPoint point, byte[] window, SegmentDecoder segments) {
        return engine instanceof HelpedGzipSeeking gzip ? gzip.resumeSession(point, window, segments) : null;
    }

    @Override
    public GzipSeekPoint scanForSeekPoints(InputStream gzip, SeekPointVisitor visitor, SegmentDecoder segments)
            throws IOException {
        return engine instanceof HelpedGzipSeeking seeking ? seeking.scanForSeekPoints(gzip, visitor, segments) : null;
    }

    /**
     * What a task came to.
     *
     * @param results of the first chunks of the group; an entry is null once it is taken
     * @param failure what the next chunk threw, or null
     */
    private record Outcome<R>(List<R> results, Throwable failure) {}

    /**
     * A batch worked on by the threads, some groups ahead of the chunk that is taken. A group's inputs are held until
     * its task has ended, also when the batch is closed before.
     */
    private final class AheadBatch<R> implements Batch<R> {
        private final List<Chunk> chunks;
        private final int aheadCount;
        private final Function<List<Chunk>, Batch<R>> engineBatch;
        private final ToLongFunction<R> resultBytes;
        private final Consumer<R> discard;
        private final List<Task> tasks = new ArrayList<>();
        /** The task of each chunk, by its place in {@link #tasks}. */
        private final int[] taskOf;

        private int submitted;

        AheadBatch(
                List<Chunk> chunks,
                int aheadCount,
                Function<List<Chunk>, Batch<R>> engineBatch,
                ToLongFunction<R> resultBytes,
                Consumer<R> discard) {
            this.chunks = List.copyOf(chunks);
            this.aheadCount = aheadCount;
            this.engineBatch = engineBatch;
            this.resultBytes = resultBytes;
            this.discard = discard;
            this.taskOf = new int[chunks.size()];
            group();
            submitUpTo(aheadCount);
        }

        private void group() {
            int start = 0;
            long bytes = 0;
            long claimed = 0;
            for (int index = 0; index < chunks.size(); index++) {
                Chunk chunk = chunks.get(index);
                long withIt = bytes + chunk.bytes();
                boolean full = withIt > GROUP_BYTES
                        || bytes >= LEAST_GROUP_BYTES && claimed + chunk.rawBytes() > GROUP_CLAIMED_BYTES;
                if (index > start && full) {
                    tasks.add(new Task(start, index, bytes));
                    start = index;
                    bytes = 0;
                    claimed = 0;
                }
                bytes += chunk.bytes();
                claimed += Math.max(0, chunk.rawBytes());
                taskOf[index] = tasks.size();
            }
            if (start < chunks.size()) {
                tasks.add(new Task(start, chunks.size(), bytes));
            }
        }

        private void submitUpTo(int limit) {
            while (submitted < Math.min(limit, tasks.size())) {
                Task task = tasks.get(submitted++);
                task.group.forEach(chunk -> chunk.input().retain());
                if (task.isHandedOver()) {
                    workers.execute(task);
                }
            }
        }

        /** The work of one group, done by the first thread that runs it. */
        private final class Task implements Runnable {
            private final int start;
            private final List<Chunk> group;
            private final long bytes;
            private final CompletableFuture<Outcome<R>> outcome = new CompletableFuture<>();
            private final AtomicBoolean begun = new AtomicBoolean();

            Task(int start, int end, long bytes) {
                this.start = start;
                this.bytes = bytes;
                this.group = chunks.subList(start, end);
            }

            boolean isHandedOver() {
                return bytes >= LEAST_GROUP_BYTES;
            }

            @Override
            public void run() {
                if (!begun.compareAndSet(false, true)) {
                    return;
                }
                try {
                    if (!outcome.isDone()) {
                        Outcome<R> done = work();
                        if (!outcome.complete(done)) {
                            done.results().forEach(discard);
                        }
                    }
                } finally {
                    group.forEach(chunk -> chunk.input().release());
                }
            }

            private Outcome<R> work() {
                List<R> results = new ArrayList<>(group.size());
                try (Batch<R> batch = engineBatch.apply(group)) {
                    long bytes = 0;
                    while (results.size() < group.size() && bytes < GROUP_RAW_BYTES) {
                        R result = batch.take(results.size());
                        results.add(result);
                        bytes += resultBytes.applyAsLong(result);
                    }
                } catch (Throwable failed) {
                    return new Outcome<>(results, failed);
                }
                return new Outcome<>(results, null);
            }
        }

        @Override
        public int size() {
            return chunks.size();
        }

        @Override
        public R take(int index) throws IOException {
            int at = taskOf[index];
            submitUpTo(at + 1 + aheadCount);
            Task task = tasks.get(at);
            if (tasks.size() == 1 || !task.isHandedOver()) {
                // a thread that would only wait does the work itself, unless another one is quicker
                task.run();
            }
            Outcome<R> outcome = await(task.outcome);
            int place = index - task.start;
            if (place < outcome.results().size()) {
                return outcome.results().set(place, null);
            }
            if (place == outcome.results().size() && outcome.failure() != null) {
                throw thrown(outcome.failure());
            }
            try (Batch<R> rest = engineBatch.apply(List.of(chunks.get(index)))) {
                return rest.take(0);
            }
        }

        private Outcome<R> await(CompletableFuture<Outcome<R>> outcome) throws IOException {
            try {
                return outcome.get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a chunk was in work");
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        private IOException thrown(Throwable failure) {
            if (failure instanceof IOException cause) {
                return cause;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a chunk's work failed", failure);
        }

        @Override
        public void close() {
            for (Task task : tasks.subList(0, submitted)) {
                if (task.outcome.cancel(false)) {
                    if (!task.isHandedOver()) {
                        // nothing is decoded any more: it lets its inputs go
                        task.run();
                    }
                } else if (!task.outcome.isCancelled()) {
                    discardRest(task.outcome.join().results());
                }
            }
        }

        private void discardRest(List<R> results) {
            for (int place = 0; place < results.size(); place++) {
                R result = results.set(place, null);
                if (result != null) {
                    discard.accept(result);
                }
            }
        }
    }
}
