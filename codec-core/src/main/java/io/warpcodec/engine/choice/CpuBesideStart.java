package io.warpcodec.engine.choice;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The CPU engine while devices start in the background: an eighth of the processors, and one at least, is left to the
 * start and to the JVM's compilers. Threads of streams take turns on the others; there are as many turns as
 * processors are left. More threads than that would not work faster, and 64 threads on 16 processors made a start of
 * half a second take two and a half. With the start the turns end. Thread-safe.
 */
final class CpuBesideStart implements Engine {
    static final int TURNS = turns(Runtime.getRuntime().availableProcessors());

    /** So often a thread that waits for its turn looks whether the start is over. */
    private static final long LOOK_MILLIS = 10;

    private final Engine cpu;
    private final AcceleratorStart start;
    private final Semaphore turns = new Semaphore(TURNS);

    CpuBesideStart(Engine cpu, AcceleratorStart start) {
        this.cpu = cpu;
        this.start = start;
    }

    static int turns(int processors) {
        return Math.max(1, processors - Math.max(1, processors / 8));
    }

    @Override
    public String name() {
        return cpu.name();
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return cpu.supports(format, direction);
    }

    @Override
    public boolean isAsynchronous() {
        return cpu.isAsynchronous();
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new InTurns<>(cpu.decode(format, options, chunks));
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return new InTurns<>(cpu.encode(format, options, chunks));
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return cpu.openSession(format, options, offset);
    }

    /**
     * Waits for a turn, no longer than the start lasts; returns whether it got one. A thread that is interrupted goes
     * on without, and stays interrupted.
     */
    private boolean begin() {
        try {
            while (start.needsProcessors()) {
                if (turns.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** A batch each of whose chunks takes a turn. */
    private final class InTurns<R> implements Batch<R> {
        private final Batch<R> batch;

        InTurns(Batch<R> batch) {
            this.batch = batch;
        }

        @Override
        public int size() {
            return batch.size();
        }

        @Override
        public R take(int index) throws IOException {
            return take(index, null);
        }

        @Override
        public R take(int index, ByteBuffer target) throws IOException {
            boolean isTurn = begin();
            try {
                return batch.take(index, target);
            } finally {
                if (isTurn) {
                    turns.release();
                }
            }
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
