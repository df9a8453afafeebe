package io.warpcodec.stream;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says which thread gives back what a stream holds, and closes what lies behind it, when it is closed by another thread than the one that uses it.
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
 * <p>The source or sink behind the stream is not closed under a call either. A file's descriptor is a number that the next file opened gets; where a
 * {@link java.io.FileInputStream} is closed between the look at the number and the system's read, that read takes bytes of the other file, and moves the
 * other file's position. So the thread that leaves closes what is behind. A call that is blocked there for {@link #PATIENCE_MILLIS} is taken for one that only
 * a close can end, such as a read from a connection: then it is closed by a thread of its own.
 *
 * <p>What a call has read or decoded when it was closed meanwhile is not delivered: bytes that a source gives while it is being closed are not to be believed.
 *
 * <p>One compare-and-set to enter and one to leave; no method waits. What a thread wrote inside is seen by the next one that enters or releases. Thread-safe.
 */
final class CallGuard {
    /** What {@link #close} came to. */
    enum Close {
        /** The caller releases, and closes what is behind: no call is inside, and none enters any more. */
        CALLER_RELEASES,
        /** The call that is inside does both when it leaves. */
        CALL_RELEASES,
        /** It has been closed before; there is nothing to do. */
        CLOSED_BEFORE
    }

    static final long PATIENCE_MILLIS = 1_000;

    static final String THREAD_NAME = "warpcodec close";

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

    private final Runnable release;
    private final Closeable behind;
    private volatile int state = IDLE;
    private final AtomicBoolean behindClosed = new AtomicBoolean();

    /** A guard of a stream with nothing behind it. */
    CallGuard(Runnable release) {
        this(release, null);
    }

    /**
     * @param release gives back what the stream holds; run once at most, when no call is inside and none enters any more
     * @param behind closes the source or sink; run once at most, and only where the stream is closed during a call
     */
    CallGuard(Runnable release, Closeable behind) {
        this.release = release;
        this.behind = behind;
    }

    /**
     * Runs one call.
     *
     * @return what the call returns
     * @throws IOException if the stream is closed, or another call is inside; if it was closed during this call, whatever the call came to: what a source says
     *     when it is closed is not to be believed, and some throw an Error (Hadoop's FSError)
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
     * Ends the call. If the stream was closed meanwhile, gives all back and closes what is behind.
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
            release.run();
        } catch (RuntimeException failed) {
            closed.addSuppressed(failed);
        }
        try {
            closeBehind();
        } catch (IOException | RuntimeException failed) {
            closed.addSuppressed(failed);
        }
        return closed;
    }

    private void closeBehind() throws IOException {
        if (behind != null && behindClosed.compareAndSet(false, true)) {
            behind.close();
        }
    }

    /** Runs something that cannot fail as a call of its own. Returns false if the stream is closed, or another call is inside: then it is not run. */
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

    /** Lets no call enter any more. It does not release: the caller does so if it is to, when it has done what it still needs the buffers for. */
    Close close() {
        while (true) {
            if (STATE.compareAndSet(this, IDLE, CLOSED)) {
                return Close.CALLER_RELEASES;
            }
            if (STATE.compareAndSet(this, INSIDE, CLOSING)) {
                if (behind != null) {
                    CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                            .execute(this::closeBehindIfStillInside);
                }
                return Close.CALL_RELEASES;
            }
            if (isClosed()) {
                return Close.CLOSED_BEFORE;
            }
        }
    }

    /** On a thread of its own, since a source may wait in its close for the read to end. */
    private void closeBehindIfStillInside() {
        if (state != CLOSING) {
            return;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        closeBehind();
                    } catch (IOException | RuntimeException failed) {
                        // the call that is inside fails too, and says why
                    }
                },
                THREAD_NAME);
        thread.setDaemon(true);
        thread.start();
    }

    boolean isClosed() {
        return state >= CLOSING;
    }
}
