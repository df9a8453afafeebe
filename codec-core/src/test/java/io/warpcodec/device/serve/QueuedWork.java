package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.Wave;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** A queue over a scripted device whose waves end when a test lets them, and clients that note what is over. */
final class QueuedWork implements AutoCloseable {
    static final int PIECE_BYTES = 1 << 20;
    private static final String PROGRAM = "held";

    private final ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
    private final ExecutorService later = Executors.newSingleThreadExecutor();
    private final Held held = new Held();
    private final OwnPool pool;
    private final Segment segment;
    final FairQueue queue;

    /** Waves that stay under way until they may end. */
    private static final class Held implements WaveProgram {
        private final AtomicInteger begun = new AtomicInteger();
        private volatile boolean goes;

        @Override
        public long workspaceBytes(int entryCount) {
            return 256;
        }

        @Override
        public boolean advance(Wave wave, int step) {
            if (step == 0) {
                begun.addAndGet(wave.shares().size());
            }
            return !goes;
        }

        @Override
        public void close() {}
    }

    /** A client that notes its work that is done, in order. */
    static class Client implements WorkOwner {
        private final Object user;
        final List<ClientWork> over = new CopyOnWriteArrayList<>();

        Client(Object user) {
            this.user = user;
        }

        @Override
        public Object user() {
            return user;
        }

        @Override
        public void over(ClientWork work, FallbackReason why) {
            if (why == null) {
                over.add(work);
            }
        }
    }

    private record Entries(int entryCount) implements WaveJob {
        @Override
        public int orderBytes() {
            return 0;
        }

        @Override
        public void putOrder(ByteBuffer message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int answerBytes() {
            return 0;
        }

        @Override
        public void putAnswer(ByteBuffer message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void takeAnswer(ByteBuffer message) {
            throw new UnsupportedOperationException();
        }
    }

    /** @param mostOutstandingBytes of the pool, in what pieces cost */
    QueuedWork(long mostOutstandingBytes) throws Exception {
        pool = pool(driver, held);
        ByteBuffer memory = ByteBuffer.allocateDirect(4 * PIECE_BYTES);
        segment = new Segment(1, Path.of("none"), null, memory, pool.lock(memory));
        queue = new FairQueue(pool, () -> mostOutstandingBytes, free -> {}, later);
    }

    private static OwnPool pool(ScriptedDriver driver, Held held) throws InterruptedException {
        PoolLimits limits = new PoolLimits(64L << 20, 0, PIECE_BYTES, 0, TimeUnit.MINUTES.toNanos(5));
        OwnPool pool = driver.openPool(limits, device -> Map.of(PROGRAM, held), name -> new LongAdder());
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        assertThat(pool.isRunning()).isTrue();
        return pool;
    }

    /** A pool that runs and gets no work. */
    static OwnPool pool(ScriptedDriver driver) throws InterruptedException {
        return pool(driver, new Held());
    }

    /** Gives the pool a piece of work in memory of its own, and leaves it there. */
    static void submit(OwnPool pool) throws DeviceException {
        ByteBuffer memory = ByteBuffer.allocateDirect(1024);
        pool.lease(pool.lock(memory), PROGRAM, 1, 1, 1, () -> {}, over -> {}).submit(new Entries(1));
    }

    /** A piece of work of so many bytes, not yet in the queue. */
    ClientWork piece(Client client, int inputBytes, int outputBytes) {
        return new ClientWork(client, 1, PROGRAM, segment, 0, inputBytes, outputBytes, new Entries(1), 1024);
    }

    /** Asks for so many pieces of a whole wave's output. */
    List<ClientWork> ask(Client client, int count) {
        return ask(client, count, 1, PIECE_BYTES);
    }

    List<ClientWork> ask(Client client, int count, int inputBytes, int outputBytes) {
        List<ClientWork> pieces = new ArrayList<>();
        for (int asked = 0; asked < count; asked++) {
            pieces.add(piece(client, inputBytes, outputBytes));
            queue.add(pieces.get(asked));
        }
        return pieces;
    }

    /** Waits until so many pieces have begun in waves. */
    void awaitBegun(int pieces) throws InterruptedException {
        await(() -> held.begun.get() >= pieces);
    }

    /** Every wave may end. */
    void go() {
        held.goes = true;
    }

    static void await(BooleanSupplier state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits too long").isLessThan(end);
            Thread.sleep(1);
        }
    }

    @Override
    public void close() {
        go();
        pool.close();
        later.shutdown();
        driver.discard();
    }
}
