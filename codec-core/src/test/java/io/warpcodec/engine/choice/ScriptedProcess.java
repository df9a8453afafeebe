package io.warpcodec.engine.choice;

/** A process whose age and work a test says, beside others that take turns with it. Thread-safe. */
public final class ScriptedProcess implements StartEvidence, StartTurns {
    private volatile long savedNanos;
    private volatile long livedNanos;
    private volatile long stepNanos;
    private volatile long measuredNanos = -1;
    private volatile boolean turnTaken;
    private volatile long tookNanos = -1;

    /** What devices would have saved so far. */
    public void saved(long nanos) {
        savedNanos = nanos;
    }

    /** How old the process is. */
    public void lived(long nanos) {
        livedNanos = nanos;
    }

    /**
     * From now on its clock goes on by so much with each look: forwards, so that the next wait is over before it
     * begins, or backwards, so that no wait ends.
     */
    public void step(long nanos) {
        stepNanos = nanos;
    }

    /** What another process has measured. */
    public void measured(long nanos) {
        measuredNanos = nanos;
    }

    /** Whether another process is starting devices. */
    public void turnTaken(boolean taken) {
        turnTaken = taken;
    }

    /** What this process's start took by its own word; -1 if it has not said so. */
    public long tookNanos() {
        return tookNanos;
    }

    /** Whether it is this process's turn. */
    public boolean hasTurn() {
        return turnTaken;
    }

    @Override
    public long savedNanos() {
        return savedNanos;
    }

    @Override
    public synchronized long livedNanos() {
        long now = livedNanos;
        livedNanos += stepNanos;
        return now;
    }

    @Override
    public long measuredNanos() {
        return measuredNanos;
    }

    @Override
    public synchronized Turn tryTurn() {
        if (turnTaken) {
            return null;
        }
        turnTaken = true;
        return new Turn() {
            @Override
            public void took(long nanos) {
                tookNanos = nanos;
            }

            @Override
            public void close() {
                turnTaken = false;
            }
        };
    }
}
