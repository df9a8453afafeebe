package io.warpcodec.engine.choice;

/**
 * How the processes of one user on one machine take turns in starting devices: the driver makes their contexts one
 * after the other, so that sixteen starts at once take each of them sixteen times as long. A turn is a hint: a
 * process that is asked for a device ({@link io.warpcodec.Mode#GPU}) starts it in any case. Thread-safe.
 */
public interface StartTurns {
    /** A turn of this process, which ends when it is closed. */
    interface Turn extends AutoCloseable {
        /** Tells the processes of this machine how long the start took, in nanoseconds. */
        void took(long nanos);

        @Override
        void close();
    }

    /**
     * What the last start took that a process measured here within the last minutes, in nanoseconds; below 0 if none
     * did.
     */
    long measuredNanos();

    /** This process's turn; null while another process has one. Does not wait. */
    Turn tryTurn();

    /** Turns of a process that cannot see others: it is always its turn. */
    static StartTurns alone() {
        return new StartTurns() {
            @Override
            public long measuredNanos() {
                return -1;
            }

            @Override
            public Turn tryTurn() {
                return new Turn() {
                    @Override
                    public void took(long nanos) {}

                    @Override
                    public void close() {}
                };
            }
        };
    }
}
