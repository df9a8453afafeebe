package io.warpcodec.device.lease;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a thread may touch the memory of a lease. By compare-and-set, since readers come for every chunk. Of all
 * threads that meet here exactly one learns that the memory is to be given back. Thread-safe; no method waits.
 */
public final class MemoryAccess {
    private enum State {
        /** No thread touches it; one may begin. */
        IDLE,
        /** One fills or reads. */
        IN_USE,
        /** One does, and gives the memory back when it ends. */
        CLOSING,
        /** None does or begins: the lease is closed, or its results were taken back. */
        OVER
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

    /** Whether this thread may touch the memory now, until {@link #end}. */
    public boolean tryBegin() {
        return state.compareAndSet(State.IDLE, State.IN_USE);
    }

    /** The thread that began touches it no more. Returns whether it has to give the memory back. */
    public boolean end() {
        if (state.compareAndSet(State.IN_USE, State.IDLE)) {
            return false;
        }
        state.set(State.OVER);
        return true;
    }

    /** Lets no thread touch the memory any more, if none does now. */
    public boolean tryClose() {
        return state.compareAndSet(State.IDLE, State.OVER);
    }

    /**
     * Lets no thread touch the memory any more.
     *
     * @return whether no thread touches it and this call has ended the access. If not, the thread that touches the
     *     memory gives it back, or the access had ended before.
     */
    public boolean close() {
        while (!tryClose()) {
            State now = state.get();
            boolean ends = now == State.CLOSING || now == State.OVER;
            if (ends || state.compareAndSet(State.IN_USE, State.CLOSING)) {
                return false;
            }
        }
        return true;
    }
}
