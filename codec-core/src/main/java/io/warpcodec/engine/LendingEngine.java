package io.warpcodec.engine;

/** The CPU's engine, which also lends the heap memory that streams keep their bytes in. Thread-safe. */
public interface LendingEngine extends Engine {
    /**
     * Lends heap memory, contents undefined. Never refuses, never waits.
     *
     * @param bytes least capacity
     * @param owner a word for error texts: what the memory is for
     */
    Lease lease(int bytes, String owner);
}
