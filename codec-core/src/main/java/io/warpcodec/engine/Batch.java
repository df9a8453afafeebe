package io.warpcodec.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The chunks of one submission. {@link #take} is called at most once for each chunk, in any order, by one thread at a
 * time. An engine without threads of its own (the CPU) does the work inside {@code take}, on the thread that asks for
 * the bytes.
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

    /**
     * Like {@link #take(int)}, with memory that an engine may decode into instead of taking a lease: an output whose
     * lease has this very buffer as its memory lies there. Where its capacity is too small, an engine may answer with
     * a {@link DecodedChunk.Source}. An engine is free to ignore it.
     *
     * @param target a heap buffer from position 0 to its capacity that is the caller's to read until the next call,
     *     or null
     */
    default R take(int index, ByteBuffer target) throws IOException {
        return take(index);
    }

    /** Cancels what is not done and releases every result not taken. Idempotent; allowed at any time. */
    @Override
    void close();
}
