package io.warpcodec.engine.gpu.choice;

import io.warpcodec.engine.ChoiceReport;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether devices do work of one kind in mode {@code auto}. They do if the stream keeps more of it in flight, or if the
 * CPU would take longer than devices lately took to turn such work around. Thread-safe.
 *
 * <p>Two numbers decide, and both are measured: what the CPU takes for a byte, and the turnaround of work that its
 * thread waits for at once. Together they are the least size of such work, {@link #leastBytes}. Until there is a
 * measurement, known prices stand for them.
 *
 * <p>Lessons are not serialised: of two that come at one moment one may be lost.
 */
public final class DeviceChoice {
    /** Raw bytes of a batch from which on its stream is taken to keep others in flight. */
    public static final long PIPELINED_BYTES = 1 << 20;

    /** So many pieces of work are the CPU's before any is a device's, so that its rate is known. */
    static final int CPU_FIRST = 3;

    /** Code that is not compiled yet takes longer; its time counts as so many times the known price at most. */
    static final double MOST_SURPRISE = 4;

    /** The turnaround until one is measured. An H100's is 0.6 to 1.1 ms for 64 KiB of LZ4 and Snappy. */
    static final long KNOWN_TURNAROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A turnaround counts so long. Then the known one stands for it, so that one bad moment is not for ever. */
    static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What is left of earlier lessons at each further one. */
    private static final double FADING = 15.0 / 16;

    private static final double MEBIBYTE = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(DeviceChoice.class);

    private final String work;
    private final double knownNanosPerByte;
    private final boolean cpuIsDear;
    private volatile int cpuAsked;
    private volatile boolean cpuSeen;
    private volatile CpuTime cpuTime;
    private volatile Turnaround turnaround = new Turnaround(0, Long.MIN_VALUE / 2);

    /** Faded sums over what the CPU did; their ratio is the rate, which large pieces decide. */
    private record CpuTime(double bytes, double nanos) {
        CpuTime and(double moreBytes, double moreNanos) {
            return new CpuTime(FADING * bytes + moreBytes, FADING * nanos + moreNanos);
        }

        double nanosPerByte() {
            return nanos / bytes;
        }
    }

    /** A faded mean, and when its last lesson came. */
    private record Turnaround(double nanos, long atNanos) {
        boolean isRemembered(long now) {
            return now - atNanos < REMEMBERED_NANOS;
        }
    }

    /**
     * @param work its kind, for people
     * @param cpuNanosPerMebibyte known price of a mebibyte on the CPU
     * @param cpuIsDear whether the CPU's rate is not worth a piece of work that devices could do
     */
    DeviceChoice(String work, double cpuNanosPerMebibyte, boolean cpuIsDear) {
        this.work = work;
        this.knownNanosPerByte = cpuNanosPerMebibyte / MEBIBYTE;
        this.cpuIsDear = cpuIsDear;
        cpuTime = new CpuTime(0, 0);
    }

    /**
     * Whether a device is to do a piece of work. Counts a refusal as work of the CPU.
     *
     * @param rawBytes of the piece
     * @param batchBytes of the batch that it belongs to
     * @param now of the pool's clock, in nanoseconds, here and below
     */
    boolean isForDevice(long rawBytes, long batchBytes, double cpuWeight, long now) {
        boolean device = (cpuIsDear || cpuAsked >= CPU_FIRST)
                && (batchBytes >= PIPELINED_BYTES || rawBytes >= leastBytes(cpuWeight, now));
        if (!device) {
            cpuAsked = Math.min(CPU_FIRST, cpuAsked + 1);
        }
        return device;
    }

    /**
     * Raw bytes from which on a piece that its thread waits for at once is a device's. A processor's time counts once
     * as time, and {@code cpuWeight} times as a resource.
     */
    double leastBytes(double cpuWeight, long now) {
        return turnaroundNanos(now) / ((1 + cpuWeight) * cpuNanosPerByte());
    }

    private double turnaroundNanos(long now) {
        Turnaround last = turnaround;
        return last.isRemembered(now) ? last.nanos : KNOWN_TURNAROUND_NANOS;
    }

    private double cpuNanosPerByte() {
        CpuTime seen = cpuTime;
        return seen.bytes == 0 ? knownNanosPerByte : seen.nanosPerByte();
    }

    /** What a whole processor takes for so many raw bytes, in nanoseconds. */
    double cpuNanos(long rawBytes) {
        return cpuNanosPerByte() * rawBytes;
    }

    /**
     * A device did a piece of work that its thread waited for at once.
     *
     * @param nanos from the queue to the results, and what the thread did for it before and behind that
     */
    public void turnedAround(long nanos, long now) {
        Turnaround last = turnaround;
        turnaround = new Turnaround(last.isRemembered(now) ? FADING * last.nanos + (1 - FADING) * nanos : nanos, now);
        if (!last.isRemembered(now)) {
            LOG.debug("{}: a device takes {} us, the CPU {} ns a byte", work, nanos / 1000, cpuNanosPerByte());
        }
    }

    /** The CPU did a small piece: its thread lost the processor so seldom that both times are one. */
    public void cpuDid(long rawBytes, long elapsedNanos) {
        cpuDid(rawBytes, elapsedNanos, elapsedNanos);
    }

    /**
     * The CPU did a piece of work. The first one loads classes and is no lesson.
     *
     * @param processorNanos in which its thread had a processor; 0 where that is not known
     */
    public void cpuDid(long rawBytes, long elapsedNanos, long processorNanos) {
        if (!cpuSeen) {
            cpuSeen = true;
            return;
        }
        double nanos = processorNanos == 0 ? elapsedNanos : processorNanos;
        cpuTime = cpuTime.and(rawBytes, Math.min(nanos, MOST_SURPRISE * knownNanosPerByte * rawBytes));
    }

    /** Both numbers and their size, for people. */
    ChoiceReport report(double cpuWeight, long now) {
        return new ChoiceReport(
                work, turnaroundNanos(now), cpuNanosPerByte(), (long) Math.ceil(leastBytes(cpuWeight, now)));
    }
}
