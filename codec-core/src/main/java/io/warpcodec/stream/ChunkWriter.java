package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineFailedException;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The machine under every encoder: raw bytes fill a buffer, a full buffer is cut into chunks and submitted as a
 * batch, batches are written in order. Where the engine works by itself, one or two batches are in flight while the
 * next buffer fills; on the CPU a buffer is one chunk, encoded at once on the calling thread.
 *
 * <p>The first buffer starts small and doubles, so that an open stream costs next to nothing until data arrives. Behind
 * a full one the next one is as large at once. Nothing is written before the first chunk is full or the stream is
 * finished.
 *
 * <p>An exception is final: a chunk may be lost, and what would be written behind it would make a stream with a hole
 * that no reader sees. So the memory goes back, every later call throws again, and {@link #tornEnd} ends the stream
 * so that it cannot be taken for a whole one.
 *
 * <p>Not thread-safe; may move between threads.
 */
final class ChunkWriter {
    private static final int FIRST_BUFFER_BYTES = 4 << 10;
    /** Of a write buffer where the engine works by itself, at least. */
    private static final int CHUNKS_AHEAD = 16;
    /** Of such a buffer of a file, however small its chunks are: a device needs many blocks at once. */
    private static final int FILE_BUFFER_BYTES = 4 << 20;
    /** Of a write buffer at most, unless a chunk has more. */
    private static final int MOST_BUFFER_BYTES = 16 << 20;
    /** A buffer for one chunk whose end is not known before holds this part of a chunk more. */
    private static final int UNKNOWN_END_PART = 8;
    /** In flight while a buffer of a file fills, if there are several batches: what a device takes milliseconds for. */
    private static final int FILE_AHEAD_BYTES = 8 << 20;

    private final Format format;
    private final CodecOptions options;
    private final EngineSelector engines;
    private final Assembler assembler;
    private final WriteCheck check;
    private final int chunkBytes;
    /** Above the former, where the format says when a chunk is full. */
    private final int mostChunkBytes;

    private final int bufferBytes;
    private final int historyBytes;
    private final int batchesAhead;

    private Lease buffer;
    /** Of the next buffer, at least. */
    private int firstBytes = FIRST_BUFFER_BYTES;
    /** Bytes after which chunks are cut: those of the buffer, and twice as many while there is no end of a chunk. */
    private int limitBytes;
    /** Bytes at the front of the buffer that are encoded already and serve as history. */
    private int kept;
    /** Bytes behind them. */
    private int filled;

    /** Submitted and not yet written, in order: those ahead, and one more while the next one is being submitted. */
    private final Deque<InFlight> inFlight = new ArrayDeque<>();

    private boolean counted;
    /** Why the stream will have no end; null while it may get one. */
    private IOException failure;
    /** Encoded bytes of the chunk that the sink is being given and may have a part of; 0 between chunks. */
    private int openBytes;

    /** A batch and the buffer that it works from. */
    private record InFlight(Batch<EncodedChunk> batch, List<Chunk> chunks, Lease buffer) {}

    /** @param assembler of the format, for these options */
    ChunkWriter(Format format, CodecOptions options, EngineSelector engines, Assembler assembler) {
        this.format = format;
        this.options = options;
        this.engines = engines;
        this.assembler = assembler;
        this.check = new WriteCheck(format, options);
        this.chunkBytes = options.chunkBytes(format);
        this.mostChunkBytes = assembler.mostChunkBytes(chunkBytes);
        this.historyBytes = assembler.historyBytes();
        boolean ahead = engines.worksAhead(format, Direction.ENCODE, options);
        this.bufferBytes = ahead ? chunkBytes * chunksAhead() : lonelyChunkBytes();
        this.limitBytes = bufferBytes;
        this.batchesAhead = ahead && isFile() ? Math.max(1, FILE_AHEAD_BYTES / bufferBytes) : 1;
    }

    /** A buffer for one chunk, and for a part of the next one where it is not known how long a chunk is. */
    private int lonelyChunkBytes() {
        return mostChunkBytes == chunkBytes ? chunkBytes : chunkBytes + chunkBytes / UNKNOWN_END_PART;
    }

    /** Whether few streams are written at once, and long ones: a shuffle has one open for each of its partitions. */
    private boolean isFile() {
        return options.framing() != Framing.SPARK;
    }

    /** Chunks that a buffer holds. Where each has a history, that takes the place of one chunk. */
    private int chunksAhead() {
        int wanted = isFile() ? Math.max(CHUNKS_AHEAD, FILE_BUFFER_BYTES / chunkBytes) : CHUNKS_AHEAD;
        int chunks = Math.min(wanted, Math.max(1, MOST_BUFFER_BYTES / chunkBytes));
        return historyBytes == 0 ? chunks : chunks - 1;
    }

    /** Something that writes, after whose failure nothing more is written. */
    private interface Step {
        void run() throws IOException;
    }

    /** Throws if the stream has failed. */
    void requireGood() throws IOException {
        if (failure != null) {
            throw new IOException("the stream has failed before: " + failure.getMessage(), failure);
        }
    }

    private void attempt(Step step) throws IOException {
        requireGood();
        try {
            step.run();
        } catch (IOException thrown) {
            fail(thrown);
            throw thrown;
        } catch (RuntimeException | Error thrown) {
            fail(new IOException("encoder of " + format.word() + " failed: " + thrown, thrown));
            throw thrown;
        }
    }

    private void fail(IOException why) {
        failure = why;
        drop();
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Flushes the sink, which has all chunks that are encoded. */
    void flush(OutputStream sink) throws IOException {
        attempt(sink::flush);
    }

    /** Bytes behind a stream that has failed, with which no reader takes it for a whole one. Until {@link #reset}. */
    byte[] tornEnd() {
        return assembler.tornEnd(openBytes);
    }

    /** Takes raw bytes; full chunks go to the sink. */
    void write(byte[] bytes, int start, int length, OutputStream sink) throws IOException {
        attempt(() -> fill(bytes, start, length, sink));
    }

    private void fill(byte[] bytes, int start, int length, OutputStream sink) throws IOException {
        int at = start;
        int left = length;
        while (left > 0) {
            int count = Math.min(left, limitBytes - filled);
            reserve(kept + filled + count);
            buffer.memory().put(kept + filled, bytes, at, count);
            filled += count;
            at += count;
            left -= count;
            if (filled == limitBytes) {
                firstBytes = historyBytes + bufferBytes;
                submit(sink, false);
            }
        }
    }

    private void reserve(int bytes) {
        if (buffer != null && buffer.capacity() >= bytes) {
            return;
        }
        int wanted = buffer == null ? firstBytes : buffer.capacity();
        while (wanted < bytes) {
            wanted *= 2;
        }
        Lease next = engines.cpu().lease(Math.min(wanted, historyBytes + limitBytes), "buffer");
        if (buffer != null) {
            next.memory().put(0, buffer.memory(), 0, kept + filled);
            buffer.release();
        }
        buffer = next;
    }

    /** @param ending whether no more bytes come: else a last chunk that is not full waits for them */
    private void submit(OutputStream sink, boolean ending) throws IOException {
        if (!counted) {
            engines.cpu().requireLibrary(format);
            counted = true;
            Metrics.countStream(Direction.ENCODE, format);
        }
        if (filled > 0) {
            List<Chunk> chunks = new ArrayList<>();
            int at = cut(ending, chunks);
            if (chunks.isEmpty()) {
                limitAbove(filled);
                return;
            }
            EngineSelector.Encoding encoding = engines.encode(format, options, chunks);
            inFlight.add(new InFlight(encoding.batch(), chunks, buffer));
            keepTail(at);
            while (inFlight.size() > ahead(encoding.engine())) {
                write(inFlight.remove(), sink);
            }
        }
    }

    /** Cuts what is filled into chunks; returns where the rest begins, of which more is to come. */
    private int cut(boolean ending, List<Chunk> chunks) {
        int at = 0;
        while (at < filled) {
            int most = Math.min(mostChunkBytes, filled - at);
            int count = assembler.chunkBytes(buffer.memory(), kept + at, most);
            if (count == most && most < mostChunkBytes && !ending) {
                break;
            }
            chunks.add(Chunk.raw(buffer, kept + at, count, at, Math.min(historyBytes, kept + at)));
            at += count;
        }
        return at;
    }

    /** How many batches go on while the next buffer fills. */
    private int ahead(Engine engine) {
        if (!engine.isAsynchronous()) {
            return 0;
        }
        return engine.isCrowded() ? 1 : batchesAhead;
    }

    /** The next cut comes when there are more bytes than these, which hold no whole chunk. */
    private void limitAbove(int bytes) {
        limitBytes = bufferBytes;
        while (limitBytes <= bytes) {
            limitBytes = Math.min(2 * limitBytes, mostChunkBytes);
        }
    }

    /** Starts a fresh buffer with the history of what comes, and with what was not submitted of the last one. */
    private void keepTail(int submittedBytes) {
        Lease submitted = buffer;
        int limit = kept + submittedBytes;
        int history = Math.min(historyBytes, limit);
        int tail = filled - submittedBytes;
        buffer = null;
        kept = 0;
        filled = 0;
        if (history + tail > 0) {
            reserve(history + tail);
            buffer.memory().put(0, submitted.memory(), limit - history, history + tail);
            kept = history;
            filled = tail;
        }
        limitAbove(tail);
    }

    private void write(InFlight done, OutputStream sink) throws IOException {
        try (Batch<EncodedChunk> batch = done.batch()) {
            for (int index = 0; index < batch.size(); index++) {
                EncodedChunk encoded =
                        checked(take(batch, done, index), done.chunks().get(index));
                try {
                    openBytes = encoded.body().remaining();
                    assembler.append(encoded, sink);
                    openBytes = 0;
                } finally {
                    encoded.release().run();
                }
            }
        } finally {
            done.buffer().release();
        }
    }

    private EncodedChunk take(Batch<EncodedChunk> batch, InFlight done, int index) throws IOException {
        try {
            return batch.take(index);
        } catch (EngineFailedException failed) {
            Metrics.countFallback(Direction.ENCODE, format, FallbackReason.ENGINE_FAILED);
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
        if (!check.isDue() || holds(encoded, raw)) {
            return encoded;
        }
        Metrics.countFallback(Direction.ENCODE, format, FallbackReason.VERIFY_MISMATCH);
        EncodedChunk again = onCpu(raw);
        if (!holds(again, raw)) {
            throw new IOException(
                    "verify.writes: a chunk of " + raw.bytes() + " bytes does not decode to what was written");
        }
        return again;
    }

    /** Whether the chunk decodes to what it was made of; if not, its memory goes back. */
    private boolean holds(EncodedChunk encoded, Chunk raw) throws IOException {
        boolean holds = false;
        try {
            holds = check.holds(encoded, raw);
        } finally {
            if (!holds) {
                encoded.release().run();
            }
        }
        return holds;
    }

    /** Ends the stream with what is buffered; the next byte starts a new stream. */
    void finish(OutputStream sink) throws IOException {
        attempt(() -> end(sink));
    }

    private void end(OutputStream sink) throws IOException {
        submit(sink, true);
        while (!inFlight.isEmpty()) {
            write(inFlight.remove(), sink);
        }
        assembler.finish(sink);
        drop();
        counted = false;
    }

    /** Gives all memory back, with what is in it. */
    private void drop() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        kept = 0;
        filled = 0;
        firstBytes = FIRST_BUFFER_BYTES;
        limitBytes = bufferBytes;
        for (InFlight dropped : inFlight) {
            dropped.batch().close();
            dropped.buffer().release();
        }
        inFlight.clear();
    }

    /** Forgets the stream so far, also that it failed, and gives all memory back. Idempotent. */
    void reset() {
        drop();
        counted = false;
        failure = null;
        openBytes = 0;
        assembler.reset();
    }
}
