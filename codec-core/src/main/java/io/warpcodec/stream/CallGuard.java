package io.warpcodec.stream;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Says which thread gives back what a stream holds when it is closed by another thread than the one that uses it.
 *
 * <p>Buffers go back to a pool, from which another stream takes them, and native memory is freed: neither may happen while a call still works on
 * them. So at most one call at a time is inside a stream, and {@link #close} only marks the stream while one is; that call releases when it leaves.
 *
 * <pre>
 * IDLE   -- enter --> INSIDE  -- leave --> IDLE
 * IDLE   -- close --> CLOSED     the closing thread releases
 * INSIDE -- close --> CLOSING -- leave --> CLOSED     the thread that leaves releases
 * </pre>
 *
 * One compare-and-set to enter and one to leave; no method waits. What a thread wrote inside is seen by the next one that enters or releases. Thread-safe.
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
        /** Returns how many bytes it has for its caller, if it has any; else 0 or less. */
        int run() throws IOException;
    }

    private final Runnable release;
    private volatile int state = IDLE;

    /** @param release gives back what the stream holds; run once at most, when no call is inside and none enters any more */
    CallGuard(Runnable release) {
        this.release = release;
    }

    /**
     * Runs one call.
     *
     * @return what the call returns
     * @throws IOException if the stream is closed, or another call is inside; if it was closed during this call, unless the call has bytes for its caller:
     *     what a source says when it is closed, the end of its data for example, is not to be believed, and some throw an Error (Hadoop's FSError)
     */
    int run(Call call) throws IOException {
        if (!tryEnter()) {
            throw new IOException(isClosed() ? "stream is closed" : "stream is in use by another thread");
        }
        int bytes = 0;
        Throwable failure = null;
        boolean closed = true;
        try {
            bytes = call.run();
        } catch (IOException | RuntimeException | Error thrown) {
            failure = thrown;
        } finally {
            closed = leave();
        }
        if (closed && bytes <= 0 && !(failure instanceof VirtualMachineError)) {
            throw new IOException("stream was closed while it was used", failure);
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
        return bytes;
    }

    /** Begins a call, if the stream is open and no other is inside. */
    private boolean tryEnter() {
        return STATE.compareAndSet(this, IDLE, INSIDE);
    }

    /** Ends the call. Returns whether the stream was closed meanwhile: then all has been given back. */
    private boolean leave() {
        if (STATE.compareAndSet(this, INSIDE, IDLE)) {
            return false;
        }
        state = CLOSED;
        release.run();
        return true;
    }

    /** Runs something that cannot fail as a call of its own. Returns false if the stream is closed, or another call is inside: then it is not run. */
    boolean tryRun(Runnable work) {
        if (!tryEnter()) {
            return false;
        }
        try {
            work.run();
        } finally {
            leave();
        }
        return true;
    }

    /** Lets no call enter any more. It does not release: the caller does so if it is to, when it has done what it still needs the buffers for. */
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
