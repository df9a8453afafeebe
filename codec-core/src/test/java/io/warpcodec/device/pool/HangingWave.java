package io.warpcodec.device.pool;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A pool of one scripted device on which something hangs until it is let go, tasks that wait for it, and a clock that
 * can jump.
 */
final class HangingWave implements AutoCloseable {
    private static final int BYTES = 1000;

    private final ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
    private final AtomicLong jumpedNanos = new AtomicLong();
    private final Map<Thread, AtomicLong> looks = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final OwnPool pool;
    private final List<FutureTask<Boolean>> waits = new ArrayList<>();
    private final List<Thread> waiters = new ArrayList<>();

    /** @param watchdogNanos of the pool */
    HangingWave(long watchdogNanos) throws InterruptedException {
        PoolLimits limits = new PoolLimits(16 << 20, 8 << 20, 2 << 20, 0, watchdogNanos);
        pool = OwnPool.open(
                driver,
                driver.devices(),
                limits,
                device -> Map.of("copy", new CopyProgram(BYTES)),
                name -> counters.computeIfAbsent(name, absent -> new LongAdder()),
                this::nanos);
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
    }

    private long nanos() {
        looks.computeIfAbsent(Thread.currentThread(), none -> new AtomicLong()).incrementAndGet();
        return System.nanoTime() + jumpedNanos.get();
    }

    /** The first such call from now on hangs, or the first work of a stream. */
    HangingWave hang(Call call) {
        driver.failNth(call, 1, Script.HANG);
        return this;
    }

    /** So many tasks submit something and wait for it; returns when the hanging call has been reached and all wait. */
    HangingWave await(Call call, int taskCount) {
        for (int task = 0; task < taskCount; task++) {
            FutureTask<Boolean> wait = new FutureTask<>(() -> {
                try (DeviceLease lease = pool.tryLease("copy", BYTES, BYTES, 1)) {
                    lease.submit(new LocalJob(1));
                    return lease.await(DeviceLease.WITHOUT_BOUND);
                }
            });
            Thread waiter = new Thread(wait, "waiter " + task);
            waiter.setDaemon(true);
            waiter.start();
            waits.add(wait);
            waiters.add(waiter);
        }
        while (driver.count(call) == 0) {
            pause();
        }
        awaitLooks(2);
        return this;
    }

    /** The clock goes on by so much at once. */
    HangingWave jump(long nanos) {
        jumpedNanos.addAndGet(nanos);
        return this;
    }

    /** Waits until each waiting task has looked at the clock so many times more. */
    HangingWave awaitLooks(int count) {
        long[] wanted =
                waiters.stream().mapToLong(waiter -> looksOf(waiter) + count).toArray();
        for (int task = 0; task < wanted.length; task++) {
            while (looksOf(waiters.get(task)) < wanted[task]
                    && waiters.get(task).isAlive()) {
                pause();
            }
        }
        return this;
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }

    private long looksOf(Thread waiter) {
        AtomicLong seen = looks.get(waiter);
        return seen == null ? 0 : seen.get();
    }

    /** Waits until no task waits any more. */
    void awaitEnd() throws InterruptedException {
        for (Thread waiter : waiters) {
            waiter.join();
        }
    }

    /** Lets the device go on; returns how many tasks got their results. */
    int letGo() throws Exception {
        driver.endHangs();
        int done = 0;
        for (FutureTask<Boolean> wait : waits) {
            done += wait.get() ? 1 : 0;
        }
        return done;
    }

    /** Devices that were given up. */
    long lostDevices() {
        LongAdder lost = counters.get("pool.devices-lost");
        return lost == null ? 0 : lost.sum();
    }

    @Override
    public void close() {
        driver.endHangs();
        pool.close();
        driver.discard();
    }
}
