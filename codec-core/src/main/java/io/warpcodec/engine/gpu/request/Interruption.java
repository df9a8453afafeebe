package io.warpcodec.engine.gpu.request;

import io.warpcodec.Direction;
import java.io.InterruptedIOException;

/** A thread interrupted while it waited for a device. */
public final class Interruption {
    private Interruption() {}

    /** The interruption as an exception for callers of streams; the thread stays interrupted. */
    public static InterruptedIOException of(InterruptedException interrupted, Direction direction) {
        Thread.currentThread().interrupt();
        InterruptedIOException stopped =
                new InterruptedIOException("interrupted while a device " + direction.word() + "d");
        stopped.initCause(interrupted);
        return stopped;
    }
}
