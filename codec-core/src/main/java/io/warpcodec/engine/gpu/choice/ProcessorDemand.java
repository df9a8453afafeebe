package io.warpcodec.engine.gpu.choice;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many processors this process would use if its threads did all work themselves. Where processors are idle that
 * is what it uses, and a processor for each thread that waits for devices, as long as the CPU would take for the
 * work; on average over the last tenth of a second. Where none is idle, threads that want one are not seen: then all
 * count that had work meanwhile, by {@link ActiveThreads}. Thread-safe.
 */
final class ProcessorDemand {
    /** Share of the processors; while the process uses less of them, some are idle now and then. */
    static final double SATURATED = 0.85;

    /** A count is newer than this. */
    static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int processors;
    private final LongSupplier processNanos;
    private final ActiveThreads threads = new ActiveThreads();
    private final LongAdder waitNanos = new LongAdder();
    private final AtomicBoolean counting = new AtomicBoolean();

    // written by the thread that counts

    private long countedNanos;
    private long countedProcessNanos;
    private long countedWaitNanos;
    private double used;
    private double waited;

    private volatile double count = 1;
    private volatile long refreshNanos;
    private volatile boolean begun;

    /**
     * @param processors of the process
     * @param processNanos processor time of the process, in nanoseconds
     */
    ProcessorDemand(int processors, LongSupplier processNanos) {
        this.processors = processors;
        this.processNanos = processNanos;
    }

    /** The demand of this process. */
    static ProcessorDemand ofProcess(int processors) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        // classes are loaded on the thread that starts devices, not on the first stream's
        process.getProcessCpuTime();
        return new ProcessorDemand(processors, process::getProcessCpuTime);
    }

    /**
     * The calling thread has work, or waits for results of it.
     *
     * @param until of the pool's clock, in nanoseconds, here and below
     */
    void works(long until) {
        threads.seen(until);
    }

    /** A thread has waited for devices, in nanoseconds; not longer than the CPU would have taken for the work. */
    void waited(long nanos) {
        waitNanos.add(nanos);
    }

    /** Processors; at least 1. */
    double count(long now) {
        if ((!begun || now - refreshNanos >= 0) && counting.compareAndSet(false, true)) {
            refresh(now);
            counting.set(false);
        }
        return count;
    }

    private void refresh(long now) {
        long process = processNanos.getAsLong();
        long wait = waitNanos.sum();
        if (begun) {
            double nanos = Math.max(1, now - countedNanos);
            double news = 1 - Math.exp(-nanos / ActiveThreads.WINDOW_NANOS);
            used += news * ((process - countedProcessNanos) / nanos - used);
            waited += news * ((wait - countedWaitNanos) / nanos - waited);
        } else {
            used = processors;
        }
        countedNanos = now;
        countedProcessNanos = process;
        countedWaitNanos = wait;
        int active = threads.count(now);
        count = Math.max(1, used >= SATURATED * processors ? active : Math.min(active, used + waited));
        refreshNanos = now + REFRESH_NANOS;
        begun = true;
    }
}
