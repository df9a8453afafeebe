package io.warpcodec.engine.gpu;

import io.warpcodec.engine.Direction;
import java.io.InterruptedIOException;

/** A thread interrupted while it waited for a device. */
final class Interruption {
    private Interruption() {}

    /** The same for callers of streams; the thread stays interrupted. */
    static InterruptedIOException of(InterruptedException interrupted, Direction direction) {
        Thread.currentThread().interrupt();
        InterruptedIOException stopped =
                new InterruptedIOException("interrupted while a device " + direction.word() + "d");
        stopped.initCause(interrupted);
        return stopped;
    }
}
