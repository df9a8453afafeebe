package io.warpcodec.stream;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Says which thread gives back what a stream holds, and closes what lies behind it, when another thread than its user
 * closes it.
 *
 * <p>Buffers go back to a pool, from which another stream takes them, and native memory is freed. Neither may happen
 * while a call still works on them. So at most one call at a time is inside a stream. While a call is inside,
 * {@link #close} only marks the stream. That call releases when it leaves, before its caller sees that it failed.
 *
 * <pre>
 * IDLE   -- enter --> INSIDE  -- leave --> IDLE
 * IDLE   -- close --> CLOSED     the closing thread releases
 * INSIDE -- close --> CLOSING -- leave --> CLOSED     the thread that leaves releases
 * </pre>
 *
 * <p>The source or sink behind the stream is closed with it, thus not under a call either. A file's descriptor is a
 * number that the next file opened gets. A {@link java.io.FileInputStream} may be closed between the look at the
 * number and the system's read. Then that read takes bytes of the other file, and moves the other file's position. A
 * read that only a close can end is {@link GuardedSource}'s matter.
 *
 * <p>Bytes that a call has read or decoded are not delivered if the stream was closed meanwhile. What a source gives
 * while it is being closed is not to be believed.
 *
 * <p>One compare-and-set to enter and one to leave; no method waits. What a thread wrote inside is seen by the next
 * thread that enters or releases. Thread-safe.
 */
final class CallGuard {
    /** What {@link #close} came to. */
    enum Close {
        /** The caller releases: no call is inside, and none enters any more. */
        CALLER_RELEASES,
        /** The call that is inside releases when it leaves. */
        CALL_RELEASES,
        /** It has been closed before; there is nothing to do. */
        CLOSED_BEFORE
    }

    private static final int IDLE = 0;
    private static final int INSIDE = 1;
    private static final int CLOSING = 2;
    private static final int CLOSED = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(CallGuard.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** A call's work. */
    interface Call {
        int run() throws IOException;
    }

    private final Closeable release;
    private volatile int state = IDLE;

    /**
     * @param release gives back what the stream holds and closes what is behind it; run here once at most, if the
     *     stream is closed during a call, by the thread that leaves it
     */
    CallGuard(Closeable release) {
        this.release = release;
    }

    /**
     * Runs one call.
     *
     * @return what the call returns
     * @throws IOException if the stream is closed, or another call is inside; if it was closed during this call,
     *     whatever the call came to: what a source says when it is closed is not to be believed, and some throw an
     *     Error (Hadoop's FSError)
     */
    int run(Call call) throws IOException {
        if (!tryEnter()) {
            throw new IOException(isClosed() ? "stream is closed" : "stream is in use by another thread");
        }
        int result = 0;
        Throwable failure = null;
        try {
            result = call.run();
        } catch (IOException | RuntimeException | Error thrown) {
            failure = thrown;
        }
        IOException closed = leave(failure);
        if (closed != null && !(failure instanceof VirtualMachineError)) {
            throw closed;
        }
        if (failure instanceof IOException io) {
            throw io;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
        return result;
    }

    /** Begins a call, if the stream is open and no other is inside. */
    private boolean tryEnter() {
        return STATE.compareAndSet(this, IDLE, INSIDE);
    }

    /**
     * Ends the call. If the stream was closed meanwhile, releases.
     *
     * @param failure what the call threw, or null
     * @return null if the stream is open, else what to throw
     */
    private IOException leave(Throwable failure) {
        if (STATE.compareAndSet(this, INSIDE, IDLE)) {
            return null;
        }
        state = CLOSED;
        IOException closed = new IOException("stream was closed while it was used", failure);
        try {
            release.close();
        } catch (IOException | RuntimeException failed) {
            closed.addSuppressed(failed);
        }
        return closed;
    }

    /**
     * Runs something that cannot fail as a call of its own. Returns false if the stream is closed, or another call is
     * inside: then it is not run.
     */
    boolean tryRun(Runnable work) {
        if (!tryEnter()) {
            return false;
        }
        try {
            work.run();
        } finally {
            leave(null);
        }
        return true;
    }

    /**
     * Lets no call enter any more, and says who releases the buffers. If the caller has to, it first does what it
     * still needs them for.
     */
    Close close() {
        while (true) {
            if (STATE.compareAndSet(this, IDLE, CLOSED)) {
                return Close.CALLER_RELEASES;
            }
            if (STATE.compareAndSet(this, INSIDE, CLOSING)) {
                return Close.CALL_RELEASES;
            }
            if (isClosed()) {
                return Close.CLOSED_BEFORE;
            }
        }
    }

    boolean isClosed() {
        return state >= CLOSING;
    }
}
