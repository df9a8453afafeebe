package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.UnreadResults;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Page-locked memory that a device or a task may still touch is neither freed nor lent again; what is counted as
 * outstanding comes back to 0.
 */
class LeaseMemoryTest {
    private static final int BYTES = 1000;
    private static final int LARGE_BYTES = 1 << 20;

    private final ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
    private final OwnPool pool = driver.openPool(
            new PoolLimits(16 << 20, 8 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(20)),
            device -> Map.of("copy", new CopyProgram(BYTES)),
            name -> new LongAdder());

    @AfterEach
    void discard() {
        driver.endHangs();
        pool.close();
        driver.discard();
    }

    private void start() throws InterruptedException {
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        assertThat(pool.isRunning()).isTrue();
    }

    private DeviceLease lease(int bytes) {
        return pool.tryLease("copy", bytes, bytes, 1);
    }

    private DeviceLease submitted(int bytes) {
        DeviceLease lease = lease(bytes);
        lease.submit(new LocalJob(1));
        return lease;
    }

    private DeviceLease done(int bytes) throws InterruptedException {
        DeviceLease lease = submitted(bytes);
        assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        return lease;
    }

    @Test
    void memoryThatATaskFillsOutlivesThePool() throws Exception {
        start();
        DeviceLease lease = lease(BYTES);
        boolean filled = lease.fill(input -> {
            input.putInt(0, 42);
            pool.close();
            assertThat(driver.pinnedBytes()).isPositive();
            assertThat(input.getInt(0)).isEqualTo(42);
        });
        assertThat(filled).isTrue();
    }

    @Test
    void resultsThatWereNotReadOutliveThePool() throws Exception {
        start();
        DeviceLease lease = done(BYTES);
        pool.close();
        assertThat(driver.pinnedBytes()).isPositive();
        assertThat(lease.read(output -> assertThat(output.capacity()).isEqualTo(BYTES)))
                .isTrue();
    }

    @Test
    void aPoolThatLendsNothingFreesAll() throws Exception {
        start();
        done(BYTES).close();
        pool.close();
        assertThat(driver.pinnedBytes()).isZero();
        assertThat(driver.allocatedBytes()).isZero();
    }

    @Test
    void aLostDevicesMemoryIsNeverLentAgain() throws Exception {
        start();
        DeviceLease filling = lease(BYTES);
        DeviceLease read = done(BYTES);
        driver.failAll(Call.WORK, ScriptedDriver.ILLEGAL_ADDRESS);
        DeviceLease lost = submitted(BYTES);
        assertThat(lost.await(DeviceLease.WITHOUT_BOUND)).isFalse();
        assertThat(pool.unavailableReason()).isEqualTo(FallbackReason.DEVICE_LOST);
        long lentBytes = pool.lentBytes();
        assertThat(lentBytes).isPositive();
        for (DeviceLease lease : List.of(filling, read, lost)) {
            lease.close();
        }
        assertThat(pool.lentBytes()).isEqualTo(lentBytes);
    }

    @Test
    void aPoolThatIsClosedWhileItStartsTakesNothing() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        driver.script((call, n) -> {
            if (call == Call.RETAIN_CONTEXT) {
                starting.countDown();
                return Script.HANG;
            }
            return 0;
        });
        pool.start();
        starting.await();
        Thread closer = new Thread(pool::close);
        closer.start();
        while (pool.unavailableReason() != FallbackReason.POOL_CLOSED) {
            Thread.onSpinWait();
        }
        driver.endHangs();
        closer.join();
        assertThat(pool.isRunning()).isFalse();
        assertThat(driver.allocatedBytes()).isZero();
        assertThat(driver.pinnedBytes()).isZero();
        assertThat(driver.streamCount()).isZero();
    }

    @Test
    void freshResultsMakeNoRoomForOthers() throws Exception {
        start();
        List<DeviceLease> results = new ArrayList<>();
        for (DeviceLease lease = lease(LARGE_BYTES); lease != null; lease = lease(LARGE_BYTES)) {
            results.add(lease);
        }
        assertThat(results).isNotEmpty();
        for (DeviceLease lease : results) {
            lease.submit(new LocalJob(1));
        }
        for (DeviceLease lease : results) {
            assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        }
        long start;
        DeviceLease another;
        do {
            // a result is as fresh as its last read; when the processor was taken away in between, once more
            start = System.nanoTime();
            results.forEach(lease -> assertThat(lease.read(output -> {})).isTrue());
            another = lease(LARGE_BYTES);
        } while (another == null && System.nanoTime() - start > UnreadResults.STALE_NANOS);
        if (System.nanoTime() - start <= UnreadResults.STALE_NANOS) {
            assertThat(another).isNull();
            assertThat(pool.revokedCount()).isZero();
        }
        results.forEach(DeviceLease::close);
    }

    @Test
    void whatIsCancelledInTheQueueIsNotOutstanding() throws Exception {
        start();
        CountDownLatch hangs = new CountDownLatch(1);
        driver.script((call, n) -> {
            if (call == Call.UPLOAD && n == 1) {
                hangs.countDown();
                return Script.HANG;
            }
            return 0;
        });
        DeviceLease first = submitted(BYTES);
        hangs.await();
        DeviceLease second = submitted(BYTES);
        assertThat(pool.outstandingBytes()).isEqualTo(2 * BYTES);
        second.close();
        assertThat(pool.outstandingBytes()).isEqualTo(BYTES);
        driver.endHangs();
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(pool.outstandingBytes()).isZero();
    }

    /**
     * Three waves. The first keeps the device's thread until two more leases are queued. The second has both and fails;
     * the third has the lease that is left.
     */
    @Test
    void whatIsAbandonedInAWaveThatIsSplitIsNotOutstanding() throws Exception {
        start();
        CountDownLatch firstIssued = new CountDownLatch(1);
        CountDownLatch bothQueued = new CountDownLatch(1);
        CountDownLatch bothIssued = new CountDownLatch(1);
        CountDownLatch oneAbandoned = new CountDownLatch(1);
        driver.script((call, n) -> {
            if (call == Call.UPLOAD && n == 1) {
                firstIssued.countDown();
                await(bothQueued);
            } else if (call == Call.UPLOAD && n == 2) {
                bothIssued.countDown();
                await(oneAbandoned);
                return ScriptedDriver.OUT_OF_MEMORY;
            }
            return 0;
        });
        DeviceLease first = submitted(BYTES);
        firstIssued.await();
        DeviceLease abandoned = submitted(BYTES);
        DeviceLease left = submitted(BYTES);
        bothQueued.countDown();
        bothIssued.await();
        abandoned.close();
        oneAbandoned.countDown();
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(left.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(pool.outstandingBytes()).isZero();
        first.close();
        left.close();
        assertThat(pool.lentBytes()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
