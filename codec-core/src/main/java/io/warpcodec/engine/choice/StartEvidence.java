package io.warpcodec.engine.choice;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.metrics.Metrics;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a process has done so far, by which the start of devices is judged. Thread-safe. */
public interface StartEvidence {
    /** What devices would have saved of the CPU engine's time so far, in nanoseconds, summed over all threads. */
    long savedNanos();

    /** How old the process is, in nanoseconds; the clock of all that has to do with the start. */
    long livedNanos();

    /** That of this process, from its counters and its clock. */
    static StartEvidence ofThisProcess() {
        return new OfThisProcess();
    }

    /** The time that the CPU engine has counted, of formats that devices do. */
    final class OfThisProcess implements StartEvidence {
        private record CpuTime(LongAdder nanos, double savedShare) {}

        private final List<CpuTime> times = new ArrayList<>();

        private OfThisProcess() {
            for (Format format : Format.values()) {
                for (Direction direction : Direction.values()) {
                    double share = StartCosts.savedShare(format);
                    if (share > 0) {
                        String name = direction.word() + "." + format.word() + ".cpu.nanos";
                        times.add(new CpuTime(Metrics.counter(name), share));
                    }
                }
            }
        }

        @Override
        public long savedNanos() {
            double saved = 0;
            for (CpuTime time : times) {
                saved += time.savedShare * time.nanos.sum();
            }
            return (long) saved;
        }

        @Override
        public long livedNanos() {
            return Clock.AT_LOADING_NANOS + System.nanoTime() - Clock.LOADED_NANOS;
        }

        /**
         * Loaded by the first question for the age, which comes only when enough was saved: a short task does not
         * load the management classes.
         */
        private static final class Clock {
            static final long AT_LOADING_NANOS = TimeUnit.MILLISECONDS.toNanos(
                    ManagementFactory.getRuntimeMXBean().getUptime());
            static final long LOADED_NANOS = System.nanoTime();
        }
    }
}
