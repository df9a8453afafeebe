package io.warpcodec.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The source behind a stream that any thread may close ({@link CallGuard}). Closed once, and not under a read, but
 * for a read that would never end.
 *
 * <pre>
 * OPEN    -- read   --> READING -- return --> OPEN
 * OPEN    -- refuse --> REFUSING                           no read enters any more; the stream's call closes when it leaves
 * READING -- refuse --> ENDING  -- return --> REFUSING
 * ENDING  -- after {@link #GRACE_MILLIS} --> CLOSED     closed under its read, by a thread of its own
 * any     -- close  --> CLOSED
 * </pre>
 *
 * <p>A read may still be in the source a second after its stream was closed. It is taken for a read that only a close
 * can end, such as a read from a connection. A call that is busy with anything else is not in the source, and does
 * not get there again. One compare-and-set before a read and one behind it.
 */
final class GuardedSource extends BulkInputStream {
    static final long GRACE_MILLIS = 1_000;

    static final String THREAD_NAME = "warpcodec close";

    private enum State {
        OPEN,
        READING,
        REFUSING,
        ENDING,
        CLOSED
    }

    private final InputStream source;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    GuardedSource(InputStream source) {
        this.source = source;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        if (!state.compareAndSet(State.OPEN, State.READING)) {
            throw new IOException("source is closed, or being closed");
        }
        try {
            return source.read(target, start, length);
        } finally {
            if (!state.compareAndSet(State.READING, State.OPEN)) {
                state.compareAndSet(State.ENDING, State.REFUSING);
            }
        }
    }

    @Override
    public int available() throws IOException {
        return source.available();
    }

    /** Lets no read enter any more. A read that is going on may end by itself for a second. Never waits. */
    void refuse() {
        while (true) {
            switch (state.get()) {
                case OPEN -> {
                    if (state.compareAndSet(State.OPEN, State.REFUSING)) {
                        return;
                    }
                }
                case READING -> {
                    if (state.compareAndSet(State.READING, State.ENDING)) {
                        CompletableFuture.delayedExecutor(GRACE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                                .execute(this::closeUnderRead);
                        return;
                    }
                }
                case REFUSING, ENDING, CLOSED -> {
                    return;
                }
            }
        }
    }

    /** On a thread of its own, since a source may wait in its close for the read to end. */
    private void closeUnderRead() {
        if (!state.compareAndSet(State.ENDING, State.CLOSED)) {
            return;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        source.close();
                    } catch (IOException | RuntimeException failed) {
                        // the read fails too, and says why
                    }
                },
                THREAD_NAME);
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes the source, unless that has been done, or has been begun by the thread that closes it under its read. */
    @Override
    public void close() throws IOException {
        if (state.getAndSet(State.CLOSED) != State.CLOSED) {
            source.close();
        }
    }
}
