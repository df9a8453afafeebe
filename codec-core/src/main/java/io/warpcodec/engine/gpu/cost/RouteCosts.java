package io.warpcodec.engine.gpu.cost;

import io.warpcodec.engine.CostReport;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Costs of one kind of work on a device and on the CPU, from what was seen of them. Thread-safe. What is seen while
 * another thread is inside is not learned from, so that tasks never wait for each other only to learn.
 *
 * <p>Six lines over raw bytes:
 * <ul>
 *   <li>how long a device takes from the queue to the results, over everything that is in the queue by then;
 *   <li>what the asking thread does for it, copying there and back;
 *   <li>how long that thread was busy between submitting a request and asking for the results, waiting for other
 *       requests not counted;
 *   <li>what the device's thread, which polls, uses of a processor;
 *   <li>how long the CPU takes;
 *   <li>how long the CPU would take with a processor of its own, which bounds waits.
 * </ul>
 * A device costs what the asking thread waits, that is the first line less the third, and what that thread does. The
 * CPU costs its time. Time in which the host works, the device's thread included, counts once more, times
 * {@code cpu.weight}.
 *
 * <p>Only who is asked can be seen. So each side gets {@link #LEAST_ASKED} requests before anything is compared. The
 * first of them, when classes are loaded and nothing is compiled, is not learned from. A prediction that was not
 * tried for long is taken for too high: it halves every {@link #HALVING_NANOS}, until the side is asked again. What
 * took far longer than predicted, because the processor was taken away meanwhile, counts as {@link #MOST_SURPRISE}
 * times the prediction. What was learned before a side was not asked for long counts for less, by the same halving. A
 * few requests then show what the side costs now. Where the CPU is known to be dear devices get the first request,
 * and the CPU none just to see.
 *
 * <p>A request of a batch that is {@linkplain #PIPELINED_BYTES large} belongs to a stream that reads or writes ahead.
 * A device works on it while the thread has other things to do. It goes to a device whatever was learned, once the
 * CPU has had its first requests. Copying there and back costs a core half of what the fastest decoder does. Clocks
 * cannot tell that where more threads run than there are cores, or before their code is compiled. A device that is
 * too busy or too slow for that costs what a {@link HedgedWait} allows.
 */
public final class RouteCosts {
    static final long HALVING_NANOS = TimeUnit.SECONDS.toNanos(2);

    static final int LEAST_ASKED = 3;

    /** Raw bytes of a batch from which on its stream is taken to keep others in flight. */
    static final long PIPELINED_BYTES = 1 << 20;

    static final double MOST_SURPRISE = 4;

    private static final double CPU_FIXED_NANOS = 60e3;
    private static final double MEBIBYTE = 1 << 20;
    /** For the report: the sizes among which the break-even is looked for. */
    private static final long MOST_BREAK_EVEN_BYTES = 64L << 20;

    private final DecayingLinearFit deviceTime = new DecayingLinearFit(64 << 10, 300e3, 32 * MEBIBYTE, 2e6);
    private final DecayingLinearFit hostTime = new DecayingLinearFit(64 << 10, 40e3, 4 * MEBIBYTE, 1.3e6);
    private final DecayingLinearFit leadTime = new DecayingLinearFit(64 << 10, 0, 4 * MEBIBYTE, 0);
    private final DecayingLinearFit poolTime = new DecayingLinearFit(64 << 10, 30e3, 4 * MEBIBYTE, 200e3);
    private final DecayingLinearFit cpuTime;
    private final DecayingLinearFit processorTime;
    /** What {@link #processorTime} says, for threads that do not take the lock. */
    private volatile Line processorLine;

    private final boolean cpuIsKnown;
    private final double mostCpuNanosPerByte;
    private final MedianError deviceErrors = new MedianError();
    private final MedianError cpuErrors = new MedianError();
    private boolean deviceSeen;
    private boolean cpuSeen;
    private int deviceAsked;
    private volatile int cpuAsked;
    private volatile long deviceAskedNanos;
    private long cpuAskedNanos;
    private final ReentrantLock lock = new ReentrantLock();

    private record Line(double fixedNanos, double nanosPerByte) {
        static Line of(DecayingLinearFit fit) {
            return new Line(fit.fixedNanos(), fit.nanosPerByte());
        }
    }

    /**
     * @param cpuNanosPerMebibyte what the CPU is taken to need as long as nothing was seen
     * @param cpuIsKnown whether the CPU is never asked just to see: requests are dear there, or once it has one it
     *     gets all the rest of a stream
     */
    RouteCosts(double cpuNanosPerMebibyte, boolean cpuIsKnown) {
        this.cpuIsKnown = cpuIsKnown;
        mostCpuNanosPerByte = MOST_SURPRISE * cpuNanosPerMebibyte / MEBIBYTE;
        cpuTime = new DecayingLinearFit(64 << 10, CPU_FIXED_NANOS, MEBIBYTE, cpuNanosPerMebibyte);
        processorTime = new DecayingLinearFit(64 << 10, CPU_FIXED_NANOS, MEBIBYTE, cpuNanosPerMebibyte);
        processorLine = Line.of(processorTime);
    }

    /**
     * Which side is to do a request, by what each is expected to cost. The side that is named is taken to be asked.
     *
     * @param backlogBytes raw bytes that the device has to do before
     * @param now of {@link System#nanoTime}
     */
    boolean deviceIsCheaper(long rawBytes, long backlogBytes, double cpuWeight, long now) {
        return deviceIsCheaper(rawBytes, 0, backlogBytes, cpuWeight, now);
    }

    /**
     * As {@link #deviceIsCheaper(long, long, double, long)}, but for a request of a batch.
     *
     * @param batchBytes raw bytes of the batch
     */
    boolean deviceIsCheaper(long rawBytes, long batchBytes, long backlogBytes, double cpuWeight, long now) {
        boolean cpuIsTried = cpuIsKnown || cpuAsked >= LEAST_ASKED;
        if (cpuIsTried && batchBytes >= PIPELINED_BYTES) {
            deviceAskedNanos = now;
            return true;
        }
        lock.lock();
        try {
            boolean device =
                    cpuIsTried && (deviceAsked < LEAST_ASKED || costsLess(rawBytes, backlogBytes, cpuWeight, now));
            ask(device, now);
            return device;
        } finally {
            lock.unlock();
        }
    }

    private boolean costsLess(long rawBytes, long backlogBytes, double cpuWeight, long now) {
        double waiting = Math.max(0, deviceTime.at(backlogBytes + rawBytes) - leadTime.at(rawBytes));
        return (waiting + hostCost(rawBytes, cpuWeight)) * fading(deviceAskedNanos, now)
                < priceOfCpu(rawBytes, cpuWeight) * (cpuIsKnown ? 1 : fading(cpuAskedNanos, now));
    }

    private void ask(boolean device, long now) {
        if (device) {
            double fading = deviceAsked == 0 ? 1 : fading(deviceAskedNanos, now);
            List.of(deviceTime, hostTime, leadTime, poolTime).forEach(line -> line.age(fading));
            deviceAsked++;
            deviceAskedNanos = now;
        } else {
            cpuTime.age(cpuAsked == 0 ? 1 : fading(cpuAskedNanos, now));
            cpuAsked++;
            cpuAskedNanos = now;
        }
    }

    private static double fading(long askedNanos, long now) {
        return Math.pow(0.5, (double) (now - askedNanos) / HALVING_NANOS);
    }

    private double hostCost(long rawBytes, double cpuWeight) {
        return (1 + cpuWeight) * hostTime.at(rawBytes) + cpuWeight * poolTime.at(rawBytes);
    }

    /**
     * What a whole processor takes, in nanoseconds, as it was seen. Not more than so many times the first guess: code
     * that is not compiled yet takes more.
     */
    double cpuNanos(long rawBytes) {
        Line seen = processorLine;
        return Math.min(
                seen.fixedNanos + seen.nanosPerByte * rawBytes,
                MOST_SURPRISE * CPU_FIXED_NANOS + mostCpuNanosPerByte * rawBytes);
    }

    private double priceOfCpu(long rawBytes, double cpuWeight) {
        return (1 + cpuWeight) * cpuTime.at(rawBytes);
    }

    /**
     * A device has done a request.
     *
     * @param backlogBytes what it had to do before, in raw bytes
     * @param elapsedNanos from the queue to the results
     * @param leadNanos what the asking thread did meanwhile, without waiting
     * @param hostNanos what the asking thread spent on it, without waiting
     * @param poolNanos processor time that the device's thread spent on it
     */
    public void deviceDid(
            long rawBytes, long backlogBytes, long elapsedNanos, long leadNanos, long hostNanos, long poolNanos) {
        learn(() -> {
            if (!deviceSeen) {
                deviceSeen = true;
                return;
            }
            deviceErrors.add(deviceTime.at(backlogBytes + rawBytes), elapsedNanos);
            learn(deviceTime, backlogBytes + rawBytes, elapsedNanos);
            learn(hostTime, rawBytes, hostNanos);
            leadTime.add(rawBytes, leadNanos);
            learn(poolTime, rawBytes, poolNanos);
        });
    }

    /** The CPU has done a small request: its thread lost the processor so seldom that both times are one. */
    public void cpuDid(long rawBytes, long elapsedNanos) {
        cpuDid(rawBytes, elapsedNanos, elapsedNanos);
    }

    /**
     * The CPU has done a request of so many raw bytes.
     *
     * @param processorNanos in which its thread had a processor; 0 where that is not known
     */
    public void cpuDid(long rawBytes, long elapsedNanos, long processorNanos) {
        learn(() -> {
            if (!cpuSeen) {
                cpuSeen = true;
                return;
            }
            cpuErrors.add(cpuTime.at(rawBytes), elapsedNanos);
            learn(cpuTime, rawBytes, elapsedNanos);
            learn(processorTime, rawBytes, processorNanos == 0 ? elapsedNanos : processorNanos);
            processorLine = Line.of(processorTime);
        });
    }

    private void learn(Runnable lesson) {
        if (lock.tryLock()) {
            try {
                lesson.run();
            } finally {
                lock.unlock();
            }
        }
    }

    private static void learn(DecayingLinearFit line, long bytes, long nanos) {
        line.add(bytes, Math.min(nanos, MOST_SURPRISE * line.at(bytes)));
    }

    /** All of it, for people. */
    CostReport report(String work, double cpuWeight) {
        lock.lock();
        try {
            return new CostReport(
                    work,
                    deviceTime.fixedNanos(),
                    deviceTime.nanosPerByte(),
                    hostTime.fixedNanos() + poolTime.fixedNanos(),
                    hostTime.nanosPerByte() + poolTime.nanosPerByte(),
                    cpuTime.fixedNanos(),
                    cpuTime.nanosPerByte(),
                    breakEvenBytes(cpuWeight),
                    deviceErrors.count(),
                    deviceErrors.percent(),
                    cpuErrors.count(),
                    cpuErrors.percent());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The smallest power of two from which on an idle device is cheaper for a request that is waited for at once; -1
     * if none is.
     */
    private long breakEvenBytes(double cpuWeight) {
        for (long bytes = 1 << 10; bytes <= MOST_BREAK_EVEN_BYTES; bytes *= 2) {
            if (deviceTime.at(bytes) + hostCost(bytes, cpuWeight) < priceOfCpu(bytes, cpuWeight)) {
                return bytes;
            }
        }
        return -1;
    }
}
