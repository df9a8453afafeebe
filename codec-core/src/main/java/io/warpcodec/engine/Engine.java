package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.util.List;

/**
 * Something that decodes and encodes chunks: the CPU's libraries or a pool of devices. Thread-safe.
 *
 * <p>Two shapes. <b>Batch</b>: independent chunks, each with a status and output leases of its own. <b>Session</b>:
 * one long unit, decoded in order in bounded memory. No encode session exists: every writer cuts chunks.
 *
 * <p>An engine never trusts a length that comes from the data, and never blocks a caller on a shared pool: what its
 * devices cannot take now it gives to the CPU. Only a session may wait: for a bounded time, because the CPU keeps
 * what it has begun.
 */
public interface Engine {
    /** {@code cpu}, {@code gpu}: the word for metrics. */
    String name();

    /**
     * Makes sure that what this engine needs for a format is there, before a stream begins.
     *
     * @throws IOException naming the library that is absent or does not load, and what to do
     */
    default void requireLibrary(Format format) throws IOException {}

    /** Whether this engine does this work at all. */
    boolean supports(Format format, Direction direction);

    /**
     * Why this engine takes no work at all now; null while it does. The first call lets it get ready.
     *
     * @param insist wait until it is ready, or known not to get so; else the answer may be that it is starting
     */
    default FallbackReason unavailableReason(boolean insist) {
        return null;
    }

    /**
     * Starts this engine if it has not been started, and waits until it takes work or is known not to.
     *
     * @return whether it takes work
     * @throws InterruptedException if interrupted; it goes on starting
     */
    default boolean awaitStart(long timeoutNanos) throws InterruptedException {
        return unavailableReason(false) == null;
    }

    /** Whether submitted work goes on by itself, so that more than one batch in flight pays. */
    boolean isAsynchronous();

    /**
     * Whether memory for what is in flight is scarce now, so that a stream should keep no more there than keeps this
     * engine at work.
     */
    default boolean isCrowded() {
        return false;
    }

    /**
     * How many batches of this format a reader does well to keep in flight now, the one it reads included, where this
     * engine is asynchronous.
     */
    default int batchesInFlight(Format format) {
        return 2;
    }

    /**
     * Submits chunks for decoding. The caller keeps the input leases held until the batch is closed.
     *
     * @param options outputBudgetBytes bounds what one chunk may decode to
     */
    Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks);

    /** Submits raw chunks for encoding. The caller keeps the input leases held until the batch is closed. */
    Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks);

    /**
     * Submits raw chunks that have waited for this engine to start.
     *
     * @param waitedTimes how long, in times of what the CPU takes for them at least; waits inside this engine and that
     *     one are {@link WaitBounds#ALL_TIMES} together
     */
    default Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks, double waitedTimes) {
        return encode(format, options, chunks);
    }

    /** A session at the start of a unit at this absolute offset. */
    DecodeSession openSession(Format format, CodecOptions options, long offset);

    /**
     * A session whose unit is decoded in part by something else; the session does the rest.
     *
     * @param help a {@link BlockRunDecoder} for containers with runs of blocks, or a decoder of DEFLATE segments.
     *     Help that the format has no use for is ignored.
     */
    default DecodeSession openSession(Format format, CodecOptions options, long offset, SessionHelp help) {
        return openSession(format, options, offset);
    }

    /**
     * By what numbers this engine gives work in mode {@code auto} to the CPU; empty if it does not choose.
     *
     * @param cpuWeight as in the options
     */
    default List<ChoiceReport> choices(double cpuWeight) {
        return List.of();
    }
}
