package io.warpcodec.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Waits until all that was lent has come back. */
public final class Drained {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private Drained() {}

    /**
     * Fails unless so much becomes zero: what was closed unread comes back when its work ends, and what was abandoned
     * when the garbage collector has found it.
     *
     * @param what names what is lent
     */
    public static void await(String what, LongSupplier lent) {
        await(what, lent, LIMIT_NANOS);
    }

    static void await(String what, LongSupplier lent, long waitAllowanceNanos) {
        long start = System.nanoTime();
        for (long left = lent.getAsLong(); left != 0; left = lent.getAsLong()) {
            long waitedNanos = System.nanoTime() - start;
            if (waitedNanos > waitAllowanceNanos) {
                throw new AssertionError(left + " " + what + " were not given back");
            }
            if (waitedNanos > waitAllowanceNanos / 20) {
                System.gc();
            }
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
