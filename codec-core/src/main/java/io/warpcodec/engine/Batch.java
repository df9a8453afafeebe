package io.warpcodec.engine;

import java.io.IOException;

/**
 * The chunks of one submission. {@link #take} is called at most once for each chunk, in any order, by one thread at a time.
 * An engine without threads of its own (the CPU) does the work inside {@code take}, on the thread that asks for the bytes.
 *
 * @param <R> {@link DecodedChunk} or {@link io.warpcodec.format.EncodedChunk}
 */
public interface Batch<R> extends AutoCloseable {
    /** Number of chunks submitted. */
    int size();

    /**
     * Waits for chunk {@code index}, or computes it. The result is the caller's to release.
     *
     * @throws IOException if the wait was interrupted or, encoding only, the engine failed
     */
    R take(int index) throws IOException;

    /** Cancels what is not done and releases every result not taken. Idempotent; allowed at any time. */
    @Override
    void close();
}
