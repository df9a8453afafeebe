package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease that a thread closes while another thread fills it, waits for it or reads it. */
class OwnLeaseCloseTest {
    private static final int BYTES = 1 << 20;
    private static final PoolLimits LIMITS = new PoolLimits(16 << 20, 8 << 20, BYTES, 0, TimeUnit.SECONDS.toNanos(10));

    /** Permits for waves to end. */
    private final Semaphore waves = new Semaphore(0);

    private OwnPool pool;

    @BeforeEach
    void open() throws Exception {
        ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
        WavePrograms programs = device -> Map.of("held", new HeldProgram());
        pool = driver.openPool(LIMITS, programs, name -> new LongAdder());
        pool.start();
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
    }

    @AfterEach
    void close() {
        waves.release(1000);
        pool.close();
    }

    /** Ends a wave when it is told to. */
    private final class HeldProgram implements WaveProgram {
        @Override
        public long workspaceBytes(int entryCount) {
            return 256;
        }

        @Override
        public boolean advance(Wave wave, int step) {
            waves.acquireUninterruptibly();
            return false;
        }

        @Override
        public void close() {}
    }

    private OwnLease lease() {
        return pool.tryLease("held", BYTES, BYTES, 1);
    }

    @Test
    void whatNoWaveHasYetIsTakenBackAndNothingElse() throws Exception {
        List<OwnLease> queued = new ArrayList<>();
        for (OwnLease lease = lease(); lease != null; lease = lease()) {
            lease.submit(new LocalJob(1));
            queued.add(lease);
        }
        OwnLease last = queued.get(queued.size() - 1);
        long lent = pool.lentBytes();
        assertThat(last.withdraw()).as("behind a wave that does not end").isTrue();
        assertThat(last.withdraw()).as("twice").isFalse();
        assertThat(pool.lentBytes()).isEqualTo(lent - lent / queued.size());
        assertThat(last.await(DeviceLease.WITHOUT_BOUND)).isFalse();
        waves.release(1000);
        assertThat(queued.get(0).await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(queued.get(0).withdraw()).as("when it is done").isFalse();
        queued.forEach(DeviceLease::close);
    }

    @Test
    void memoryThatAThreadFillsIsLentAgainWhenThatThreadHasLeft() throws Exception {
        DeviceLease filled = lease();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Boolean> filler = CompletableFuture.supplyAsync(() -> filled.fill(memory -> {
            memory.put(0, (byte) 1);
            inside.countDown();
            await(closed);
            memory.put(BYTES - 1, (byte) 2);
        }));
        inside.await();
        filled.close();
        assertThat(pool.lentBytes()).as("while the thread fills").isPositive();
        closed.countDown();
        assertThat(filler.get()).isTrue();
        assertThat(pool.lentBytes()).isZero();
        filled.close();
        try (DeviceLease next = lease()) {
            assertThat(next).isNotNull();
            filled.submit(new LocalJob(1));
            assertThat(filled.await(DeviceLease.WITHOUT_BOUND)).isFalse();
            assertThat(filled.failure()).isEqualTo(FallbackReason.CANCELLED);
            assertThat(filled.fill(memory -> memory.put(0, (byte) 3))).isFalse();
        }
        assertThat(pool.lentBytes()).isZero();
    }

    @Test
    void resultsThatAThreadReadsAreLentAgainWhenThatThreadHasLeft() throws Exception {
        DeviceLease read = lease();
        read.submit(new LocalJob(1));
        waves.release();
        assertThat(read.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        ByteBuffer[] seen = new ByteBuffer[1];
        CompletableFuture<Boolean> reader = CompletableFuture.supplyAsync(() -> read.read(memory -> {
            seen[0] = memory;
            inside.countDown();
            await(closed);
            memory.get(BYTES - 1);
        }));
        inside.await();
        read.close();
        assertThat(pool.lentBytes()).as("while the thread reads").isPositive();
        closed.countDown();
        assertThat(reader.get()).isTrue();
        assertThat(seen[0]).isNotNull();
        assertThat(pool.lentBytes()).isZero();
        assertThat(read.read(memory -> seen[0] = null)).isFalse();
        assertThat(seen[0]).isNotNull();
    }

    @Test
    void aThreadThatWaitsForALeaseLeavesWhenItIsClosedAndTheMemoryStaysTheDevices() throws Exception {
        DeviceLease waited = lease();
        waited.submit(new LocalJob(1));
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                return waited.await(DeviceLease.WITHOUT_BOUND);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        while (!waves.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        waited.close();
        assertThat(waiter.get()).isFalse();
        assertThat(waited.failure()).isEqualTo(FallbackReason.CANCELLED);
        assertThat(pool.lentBytes()).as("while the device works").isPositive();
        waves.release();
        while (pool.lentBytes() > 0) {
            Thread.onSpinWait();
        }
        try (DeviceLease next = lease()) {
            assertThat(next).isNotNull();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
