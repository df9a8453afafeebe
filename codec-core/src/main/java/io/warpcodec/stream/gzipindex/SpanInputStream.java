package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.format.gzip.GzipIndexException.Defect;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.BulkInputStream;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes all of a gzip file by its side-car index: spans side by side on several threads, handed out in order. A
 * span is handed out when all of it is decoded and has the CRC-32 that the index says, and the trailer of each member
 * that ends in it is right.
 *
 * <p><b>When the index lies</b>, or the file is damaged, a span fails. From then on the file is decoded plainly, from
 * its start: its own verdict is final, and errors are those of a plain read. What was handed out before is compared
 * by its CRC-32: should an index have been forged so that wrong bytes have the sums that it says, that is a
 * {@link GzipIndexException}, at the end of the member at the latest.
 *
 * <p>Memory: the index's table, and as many spans as are in work or wait, two more than threads, of no more than a
 * quarter of the heap.
 *
 * <p>For use by one thread at a time.
 */
public final class SpanInputStream extends BulkInputStream {
    private static final Logger LOG = LoggerFactory.getLogger(SpanInputStream.class);
    private static final int LEAST_AHEAD = 2;
    private static final int HEAP_SHARE = 4;

    private final GzipIndexer.Opener file;
    private final SideCar sideCar;
    private final GzipIndex index;
    private final CodecOptions options;
    private final EngineSelector engines;
    private final SpanDecoder spans;
    private final ExecutorService workers;
    private final int mostAhead;
    private final Deque<Future<ByteBuffer>> ahead = new ArrayDeque<>();
    /** Spans that workers were asked for, and that were handed out. */
    private int asked;

    private int done;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private final CRC32 crc = new CRC32();
    private long doneBytes;
    /** What reads the file plainly, once the index has proved wrong. */
    private ChunkedInputStream plain;

    private IOException failure;
    private boolean ended;

    private SpanInputStream(
            GzipIndexer.Opener file,
            SideCar sideCar,
            GzipIndex index,
            CodecOptions options,
            int threads,
            long largestSpanBytes) {
        this.file = file;
        this.sideCar = sideCar;
        this.index = index;
        this.options = options;
        this.engines = Engines.selector();
        this.spans = new SpanDecoder(engines, file, index);
        this.workers = SpanDecoder.workers(Math.min(threads, index.count()));
        long affordable = Runtime.getRuntime().maxMemory() / HEAP_SHARE / Math.max(1, largestSpanBytes);
        this.mostAhead = (int) Math.max(LEAST_AHEAD, Math.min(threads + LEAST_AHEAD, affordable));
    }

    /**
     * Opens a file by its index.
     *
     * @param file opens the gzip file at its start; several streams of it are open at once
     * @param sideCar its index, which this stream closes
     * @param options of the plain read that follows where the index proves wrong
     * @param threads that decode
     * @return null if the index cannot be used, which is counted and logged, or has a span larger than the output
     *     budget; the side-car is closed then
     * @throws IOException if the file or the index cannot be read
     */
    public static SpanInputStream open(GzipIndexer.Opener file, SideCar sideCar, CodecOptions options, int threads)
            throws IOException {
        SpanInputStream opened = null;
        try {
            GzipIndex index = IndexedSplit.read(sideCar, offset -> sample(file, offset));
            long largest = 0;
            for (int i = 0; i < index.count(); i++) {
                largest = Math.max(largest, index.spanBytes(i));
            }
            if (largest <= options.outputBudgetBytes()) {
                opened = new SpanInputStream(file, sideCar, index, options, threads, largest);
                Metrics.counter("decode.gzip.streams").increment();
                Metrics.counter("decode.gzip.sidecar.used").increment();
            }
        } catch (GzipIndexException unusable) {
            IndexedSplit.countDefect(unusable.defect());
            LOG.warn("{} is ignored: {}", sideCar.name(), unusable.getMessage());
        } finally {
            if (opened == null) {
                sideCar.close();
            }
        }
        return opened;
    }

    private static byte[] sample(GzipIndexer.Opener file, long offset) throws IOException {
        try (InputStream source = file.open()) {
            source.skipNBytes(offset);
            return source.readNBytes(GzipIndex.SAMPLE_BYTES);
        }
    }

    /** How much of the gzip file has been handed out, in bytes of it; all of it where it is read plainly. */
    public long compressedOffset() {
        return index.point(done).byteOffset();
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        Objects.checkFromIndexSize(start, length, target.length);
        if (failure != null) {
            throw failure;
        }
        try {
            return length == 0 ? 0 : next(target, start, length);
        } catch (IOException failed) {
            failure = failed;
            throw failed;
        }
    }

    private int next(byte[] target, int start, int length) throws IOException {
        while (plain == null && !ended && !bytes.hasRemaining()) {
            nextSpan();
        }
        if (bytes.hasRemaining()) {
            int count = Math.min(length, bytes.remaining());
            bytes.get(target, start, count);
            return count;
        }
        return plain != null ? plain.read(target, start, length) : -1;
    }

    private void nextSpan() throws IOException {
        while (asked < index.count() && ahead.size() < mostAhead) {
            ahead.add(ask(asked++));
        }
        try {
            if (ahead.isEmpty()) {
                requireEnd();
                ended = true;
                return;
            }
            bytes = await(ahead.remove());
            crc.update(bytes.duplicate());
            doneBytes += bytes.remaining();
            done++;
        } catch (GzipIndexException wrong) {
            readPlainly(wrong.defect(), wrong);
        } catch (CorruptDataException | TruncatedDataException wrong) {
            readPlainly(Defect.LYING, wrong);
        }
    }

    /** Has a worker decode a span. The index is read here, by one thread. */
    private Future<ByteBuffer> ask(int span) {
        byte[] window;
        try {
            byte[] stored = new byte[index.windowStoredBytes(span)];
            sideCar.read(index.windowOffset(span), stored);
            window = index.window(span, stored);
        } catch (IOException unreadable) {
            return CompletableFuture.failedFuture(new GzipIndexException(Defect.UNREADABLE, unreadable.getMessage()));
        }
        return workers.submit(() -> {
            ByteBuffer[] whole = new ByteBuffer[1];
            spans.decode(span, window, all -> whole[0] = all);
            return whole[0];
        });
    }

    private static ByteBuffer await(Future<ByteBuffer> span) throws IOException {
        try {
            return span.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a span was decoded");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("decoder of gzip failed", failed.getCause());
        }
    }

    /**
     * Throws if something follows the last member that may not be there. A member there makes the index wrong: its
     * bytes are not the index's.
     */
    private void requireEnd() throws IOException {
        long end = index.end().byteOffset();
        try (InputStream source = file.open()) {
            source.skipNBytes(end);
            requireNoMember(source, end);
        }
    }

    private void requireNoMember(InputStream source, long offset) throws IOException {
        SourceWindow window = SourceWindows.reading(source, offset, engines, options);
        ChunkReader rest = IndexedReader.behindLastMember(options, engines, window);
        try {
            while (true) {
                switch (rest.advance()) {
                    case BYTES -> throw new GzipIndexException(Defect.LYING, "a member follows the last point");
                    case UNIT_END -> {
                        // padding, or an empty member
                    }
                    case END, NEEDS_INPUT -> {
                        return;
                    }
                }
            }
        } finally {
            rest.close();
        }
    }

    /** Goes on behind what has been handed out, from the start of the file. */
    private void readPlainly(Defect defect, IOException reason) throws IOException {
        IndexedSplit.countDefect(defect);
        LOG.warn("{} is not used any more: {}", sideCar.name(), reason.getMessage());
        stopWorkers();
        plain = new ChunkedInputStream(file.open(), Format.GZIP, options);
        CRC32 again = new CRC32();
        byte[] buffer = new byte[1 << 16];
        for (long left = doneBytes; left > 0; ) {
            int count = plain.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                break;
            }
            again.update(buffer, 0, count);
            left -= count;
        }
        if (again.getValue() != crc.getValue()) {
            throw new GzipIndexException(
                    Defect.LYING,
                    sideCar.name() + " is not of this file, and the first " + doneBytes
                            + " bytes that were decoded with it are wrong; delete it");
        }
    }

    /** Ends the workers, and waits until they have left the file. */
    private void stopWorkers() {
        ahead.clear();
        workers.shutdownNow();
        try {
            workers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        stopWorkers();
        try (sideCar) {
            if (plain != null) {
                plain.close();
            }
        }
    }
}
