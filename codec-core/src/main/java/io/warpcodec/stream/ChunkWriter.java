package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Direction;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineFailedException;
import io.warpcodec.engine.EngineSelector;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine under every encoder: raw bytes fill a slab, a full slab is cut into chunks and submitted as a batch, batches
 * are written in order. Where the engine works by itself, one batch is in flight while the next slab fills; on the CPU a slab
 * is one chunk, encoded at once on the calling thread.
 *
 * <p>The slab starts small and doubles, so that an open stream costs next to nothing until data arrives. Nothing is written
 * before the first chunk is full or the stream is finished. Not thread-safe; may move between threads.
 */
final class ChunkWriter {
    private static final int FIRST_SLAB_BYTES = 4 << 10;
    private static final int ASYNCHRONOUS_SLAB_CHUNKS = 16;
    /** With a history before them, so that both take what a slab takes. */
    private static final int ASYNCHRONOUS_SLAB_CHUNKS_AND_HISTORY = ASYNCHRONOUS_SLAB_CHUNKS - 1;

    private final Format format;
    private final CodecOptions options;
    private final EngineSelector engines;
    private final Assembler assembler;
    private final WriteCheck check;
    private final int chunkBytes;
    private final int slabBytes;
    private final int historyBytes;

    private Lease slab;
    /** Bytes at the front of the slab that are encoded already and serve as history. */
    private int kept;
    /** Bytes behind them. */
    private int filled;

    private InFlight inFlight;
    private boolean counted;

    /** A batch and the slab that it works from. */
    private record InFlight(Batch<EncodedChunk> batch, List<Chunk> chunks, Lease slab) {}

    ChunkWriter(Format format, CodecOptions options, EngineSelector engines) {
        this.format = format;
        this.options = options;
        this.engines = engines;
        this.assembler = Containers.assembler(format, options);
        this.check = new WriteCheck(format, options);
        this.chunkBytes = options.chunkBytes(format);
        this.historyBytes = assembler.historyBytes();
        int chunksAhead = historyBytes == 0 ? ASYNCHRONOUS_SLAB_CHUNKS : ASYNCHRONOUS_SLAB_CHUNKS_AND_HISTORY;
        this.slabBytes = engines.worksAhead(format, Direction.ENCODE, options) ? chunkBytes * chunksAhead : chunkBytes;
    }

    /** Takes raw bytes; full chunks go to the sink. */
    void write(byte[] bytes, int start, int length, OutputStream sink) throws IOException {
        int at = start;
        int left = length;
        while (left > 0) {
            int count = Math.min(left, slabBytes - filled);
            reserve(kept + filled + count);
            slab.memory().put(kept + filled, bytes, at, count);
            filled += count;
            at += count;
            left -= count;
            if (filled == slabBytes) {
                submit(sink);
            }
        }
    }

    private void reserve(int bytes) {
        if (slab != null && slab.capacity() >= bytes) {
            return;
        }
        int wanted = slab == null ? FIRST_SLAB_BYTES : slab.capacity();
        while (wanted < bytes) {
            wanted *= 2;
        }
        Lease next = null;
        Engine accelerator = engines.accelerator(options);
        if (accelerator != null) {
            next = accelerator.tryLease(Math.min(wanted, historyBytes + slabBytes), "slab");
        }
        if (next == null) {
            next = engines.cpu().tryLease(Math.min(wanted, historyBytes + slabBytes), "slab");
        }
        if (slab != null) {
            next.memory().put(0, slab.memory(), 0, kept + filled);
            slab.release();
        }
        slab = next;
    }

    private void submit(OutputStream sink) throws IOException {
        if (!counted) {
            engines.cpu().requireLibrary(format);
            counted = true;
            Metrics.counter("encode." + format.word() + ".streams").increment();
        }
        if (filled > 0) {
            List<Chunk> chunks = new ArrayList<>();
            for (int at = 0; at < filled; at += chunkBytes) {
                int count = Math.min(chunkBytes, filled - at);
                Integer history = historyBytes == 0 ? null : Math.min(historyBytes, kept + at);
                chunks.add(new Chunk(slab, kept + at, count, at, count, history));
            }
            Engine engine = engines.choose(format, Direction.ENCODE, options);
            InFlight next = new InFlight(engine.encode(format, options, chunks), chunks, slab);
            keepHistory();
            InFlight before = inFlight;
            inFlight = next;
            if (before != null) {
                write(before, sink);
            }
            if (!engine.isAsynchronous()) {
                drain(sink);
            }
        }
    }

    /** Starts a fresh slab with the tail of the submitted one. */
    private void keepHistory() {
        Lease submitted = slab;
        int count = Math.min(historyBytes, kept + filled);
        int from = kept + filled - count;
        slab = null;
        kept = 0;
        filled = 0;
        if (count > 0) {
            reserve(count);
            slab.memory().put(0, submitted.memory(), from, count);
            kept = count;
        }
    }

    private void drain(OutputStream sink) throws IOException {
        if (inFlight != null) {
            InFlight last = inFlight;
            inFlight = null;
            write(last, sink);
        }
    }

    private void write(InFlight done, OutputStream sink) throws IOException {
        try (Batch<EncodedChunk> batch = done.batch()) {
            for (int index = 0; index < batch.size(); index++) {
                EncodedChunk encoded =
                        checked(take(batch, done, index), done.chunks().get(index));
                try {
                    assembler.append(encoded, sink);
                } finally {
                    encoded.release().run();
                }
            }
        } finally {
            done.slab().release();
        }
    }

    private EncodedChunk take(Batch<EncodedChunk> batch, InFlight done, int index) throws IOException {
        try {
            return batch.take(index);
        } catch (EngineFailedException failed) {
            Metrics.countFallback("encode", format, "engine-failed");
            return onCpu(done.chunks().get(index));
        }
    }

    private EncodedChunk onCpu(Chunk raw) throws IOException {
        try (Batch<EncodedChunk> again = engines.cpu().encode(format, options, List.of(raw))) {
            return again.take(0);
        }
    }

    /** Applies {@code verify.writes}: a chunk that does not hold is encoded again by the CPU, and has to hold then. */
    private EncodedChunk checked(EncodedChunk encoded, Chunk raw) throws IOException {
        if (!check.isDue() || check.holds(encoded, raw)) {
            return encoded;
        }
        encoded.release().run();
        Metrics.countFallback("encode", format, "verify-mismatch");
        EncodedChunk again = onCpu(raw);
        if (!check.holds(again, raw)) {
            again.release().run();
            throw new IOException(
                    "verify.writes: a chunk of " + raw.bytes() + " bytes does not decode to what was written");
        }
        return again;
    }

    /** Ends the stream with what is buffered; the next byte starts a new stream. */
    void finish(OutputStream sink) throws IOException {
        submit(sink);
        drain(sink);
        assembler.finish(sink);
        dropSlab();
        counted = false;
    }

    private void dropSlab() {
        if (slab != null) {
            slab.release();
            slab = null;
        }
        kept = 0;
        filled = 0;
    }

    /** Forgets the stream so far and gives all memory back. Idempotent. */
    void reset() {
        dropSlab();
        counted = false;
        if (inFlight != null) {
            inFlight.batch().close();
            inFlight.slab().release();
            inFlight = null;
        }
        assembler.reset();
    }
}
