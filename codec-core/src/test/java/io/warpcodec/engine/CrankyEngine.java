package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The worst accelerator that still keeps the contract. It works on threads of its own, and completes late and out of
 * order. It forgets size hints, chops outputs into small leases, and answers NEEDS_OUTPUT without need. Every so many
 * chunks it fails in the middle of a stream. Whatever it does is decided by a seed and by counting, so that a failure
 * can be replayed.
 *
 * <p>Its outputs are direct memory, like pinned memory, and every lease is accounted for: {@link #lentLeases}. A
 * cancelled batch's input is used until its work has really ended, as on a device.
 */
public final class CrankyEngine implements Engine {
    private static final int THREADS = 3;
    private static final int SMALL_OUTPUT_BYTES = 1000;

    private final LendingEngine cpu;
    private final long seed;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "cranky engine");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong turns = new AtomicLong();
    private volatile boolean lying;
    private final Set<Lease> lent = ConcurrentHashMap.newKeySet();

    /** @param cpu does the real work */
    public CrankyEngine(LendingEngine cpu, long seed) {
        this.cpu = cpu;
        this.seed = seed;
    }

    /** From now on every encoded chunk has a wrong byte in its middle, as from broken hardware. */
    public void lie() {
        lying = true;
    }

    /** Leases not given back yet. */
    public Set<Lease> lentLeases() {
        return lent;
    }

    /** Chunks worked on so far. */
    public long chunkCount() {
        return turns.get();
    }

    @Override
    public String name() {
        return "cranky";
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return true;
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    @Override
    public int batchesInFlight(Format format) {
        return 2 + (int) (turns.get() % 3);
    }

    /**
     * This engine as the accelerator, beside a CPU engine whose leases, as those of windows and write buffers, count
     * among {@link #lentLeases} too.
     */
    public EngineSelector selector() {
        LendingEngine lending = new ForwardingEngine(cpu) {
            @Override
            public Lease lease(int bytes, String owner) {
                return lend(ByteBuffer.allocate(bytes), owner);
            }
        };
        return new EngineSelector(lending, AcceleratorStart.of(this));
    }

    private Lease lend(ByteBuffer memory, String owner) {
        Lease[] self = new Lease[1];
        for (int i = 0; i < memory.capacity(); i += 97) {
            memory.put(i, (byte) 0xa5);
        }
        self[0] = new Lease(memory, owner, () -> lent.remove(self[0]));
        lent.add(self[0]);
        return self[0];
    }

    private long roll(long turn, int sides) {
        long mixed = (seed + turn) * 0x9e37_79b9_7f4a_7c15L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 29, sides);
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new Pending<>(chunks, (chunk, turn) -> {
            if (roll(turn, 13) == 0) {
                return DecodedChunk.failed(DecodedChunk.Status.ENGINE_FAILED, "cranky");
            }
            if (roll(turn, 17) == 1 && format != Format.BZIP2) {
                return DecodedChunk.failed(DecodedChunk.Status.NEEDS_OUTPUT, "cranky");
            }
            Chunk forgetful =
                    Chunk.encoded(chunk.input(), chunk.start(), chunk.bytes(), chunk.offset(), -1, chunk.detail());
            Chunk onHeap = heapCopy(forgetful);
            try (Batch<DecodedChunk> batch = cpu.decode(format, options, List.of(onHeap))) {
                DecodedChunk whole = batch.take(0);
                return roll(turn, 3) == 0 ? chopped(whole) : whole;
            }
        }) {
            @Override
            void discard(DecodedChunk result) {
                result.release();
            }
        };
    }

    private static Chunk heapCopy(Chunk chunk) {
        byte[] copy = new byte[chunk.bytes()];
        chunk.view().get(copy);
        Lease lease = new Lease(ByteBuffer.wrap(copy), "cranky", () -> {});
        return Chunk.encoded(lease, 0, copy.length, chunk.offset(), chunk.rawBytes(), chunk.detail());
    }

    private static Chunk heapCopyWithHistory(Chunk chunk) {
        int history = chunk.historyBytes();
        Chunk wider = Chunk.raw(chunk.input(), chunk.start() - history, history + chunk.bytes(), 0, 0);
        return Chunk.raw(heapCopy(wider).input(), history, chunk.bytes(), chunk.offset(), history);
    }

    private DecodedChunk chopped(DecodedChunk whole) {
        if (whole.status() != DecodedChunk.Status.DONE || whole.source() != null) {
            return whole;
        }
        List<DecodedChunk.Output> pieces = new ArrayList<>();
        for (DecodedChunk.Output output : whole.outputs()) {
            int step = Math.max(SMALL_OUTPUT_BYTES, output.bytes() / 5 + 1);
            for (int at = 0; at < output.bytes(); at += step) {
                int count = Math.min(step, output.bytes() - at);
                Lease piece = lend(ByteBuffer.allocateDirect(count), "piece");
                piece.memory().put(0, output.lease().memory(), at, count);
                pieces.add(new DecodedChunk.Output(piece, count));
            }
        }
        whole.release();
        return DecodedChunk.done(pieces);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new Pending<>(chunks, (chunk, turn) -> {
            if (roll(turn, 7) == 0) {
                throw new EngineFailedException("cranky");
            }
            try (Batch<EncodedChunk> batch = cpu.encode(format, options, List.of(heapCopyWithHistory(chunk)))) {
                EncodedChunk encoded = batch.take(0);
                if (lying) {
                    int last = encoded.body().limit() - 1;
                    encoded.body().put(last / 2, (byte) ~encoded.body().get(last / 2));
                }
                return encoded;
            }
        }) {
            @Override
            void discard(EncodedChunk result) {
                result.release().run();
            }
        };
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return cpu.openSession(format, options, offset);
    }

    /** Work on one chunk. */
    private interface Work<R> {
        R run(Chunk chunk, long turn) throws IOException;
    }

    /** A batch whose chunks are worked on in reverse order, late, on other threads. */
    private abstract class Pending<R> implements Batch<R> {
        private final List<CompletableFuture<R>> results = new ArrayList<>();
        private final boolean[] taken;

        Pending(List<Chunk> chunks, Work<R> work) {
            taken = new boolean[chunks.size()];
            for (int i = 0; i < chunks.size(); i++) {
                results.add(null);
            }
            for (int i = chunks.size() - 1; i >= 0; i--) {
                Chunk chunk = chunks.get(i);
                chunk.input().retain();
                CompletableFuture<R> result = new CompletableFuture<>();
                results.set(i, result);
                threads.execute(() -> {
                    long turn = turns.incrementAndGet();
                    try {
                        if (roll(turn, 5) == 0) {
                            Thread.sleep(1);
                        }
                        R done = work.run(chunk, turn);
                        if (!result.complete(done)) {
                            discard(done);
                        }
                    } catch (Exception failed) {
                        result.completeExceptionally(failed);
                    } finally {
                        chunk.input().release();
                    }
                });
            }
        }

        abstract void discard(R result);

        @Override
        public int size() {
            return results.size();
        }

        @Override
        public R take(int index) throws IOException {
            if (taken[index]) {
                throw new IllegalStateException("chunk " + index + " is taken twice");
            }
            taken[index] = true;
            try {
                return results.get(index).get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            } catch (CancellationException cancelled) {
                throw new IOException("cancelled", cancelled);
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IOException io) {
                    throw io;
                }
                throw new IOException(failed.getCause());
            }
        }

        @Override
        public void close() {
            for (int i = 0; i < results.size(); i++) {
                CompletableFuture<R> result = results.get(i);
                if (!taken[i]) {
                    taken[i] = true;
                    if (!result.cancel(false) && !result.isCompletedExceptionally()) {
                        discard(result.join());
                    }
                }
            }
        }
    }
}
