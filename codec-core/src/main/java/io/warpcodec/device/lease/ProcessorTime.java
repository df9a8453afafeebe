package io.warpcodec.device.lease;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of the calling thread. */
public final class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProcessorTime() {}

    /** Nanoseconds that the calling thread has used so far; 0 where the system does not tell. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }
}
