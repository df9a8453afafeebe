package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.format.gzip.GzipIndexException.Defect;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.Containers;
import io.warpcodec.stream.SplitIndex;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.UnitReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a gzip file from a point of its side-car index on; units are the index's spans.
 *
 * <p><b>When the index lies.</b> Checks of the index alone, which every task makes with the same result, are behind
 * us. What is left shows when a span is decoded, in one task: a damaged or wrong window, a wrong bit, or wrong sums.
 * The splits of a file divide its raw bytes at the raw offsets of the index, and that is right whatever they are, as
 * long as every task divides them so. So this task reads the whole file without using any point. If all the index's
 * sums are right, other tasks' bytes are, and this one decodes from the file's start and drops what others deliver.
 * If they are not, other tasks may have delivered anything: an IOException. If the file is bad, its own error.
 *
 * <p>Not thread-safe; may move between threads.
 */
final class IndexedReader implements UnitReader {
    private static final Logger LOG = LoggerFactory.getLogger(IndexedReader.class);

    private final CodecOptions options;
    private final EngineSelector engines;
    private final GzipIndex index;
    private final String indexName;
    private final SplitIndex.Windows windows;
    private final int first;
    private final int splitLimit;
    private SourceWindow window;
    private SpanReader spans;
    private boolean withoutPoints;
    /** Reads what follows the last member: padding, or what must not be there. */
    private ChunkReader rest;

    private ByteBuffer bytes;
    private long unitOffset;
    private IOException error;
    private boolean closed;
    private boolean counted;

    /**
     * @param first number of the point to begin at
     * @param pointWindow its window; null if that is damaged
     * @param splitLimit number of the first point of the next split
     */
    IndexedReader(
            CodecOptions options,
            EngineSelector engines,
            GzipIndex index,
            String indexName,
            SplitIndex.Windows windows,
            int first,
            byte[] pointWindow,
            int splitLimit)
            throws IOException {
        this.options = options;
        this.engines = engines;
        this.index = index;
        this.indexName = indexName;
        this.windows = windows;
        this.first = first;
        this.splitLimit = splitLimit;
        if (pointWindow != null) {
            begin(first, pointWindow, splitLimit);
        }
    }

    private void begin(int first, byte[] pointWindow, int limit) throws IOException {
        window = windows.at(index.point(first).byteOffset());
        spans = new SpanReader(engines, options, index, window, first, pointWindow, limit);
    }

    @Override
    public Event advance(ByteBuffer target) throws IOException {
        if (error != null) {
            throw error;
        }
        if (closed) {
            throw new IOException("stream is closed");
        }
        if (!counted) {
            counted = true;
            Metrics.countStream(Direction.DECODE, Format.GZIP);
            Metrics.counter("decode.gzip.sidecar.used").increment();
        }
        try {
            return step(target);
        } catch (IOException thrown) {
            error = thrown;
            release();
            throw thrown;
        } catch (RuntimeException thrown) {
            error = new IOException("decoder of gzip failed", thrown);
            release();
            throw error;
        }
    }

    private Event step(ByteBuffer target) throws IOException {
        if (rest == null) {
            bytes = next();
            if (bytes != null) {
                unitOffset = index.point(spans.span()).byteOffset();
                return Event.BYTES;
            }
            rest = behindLastMember(options, engines, window);
        }
        return rest.advance(target);
    }

    /** A reader of what follows a member, from a window that stands there. */
    static ChunkReader behindLastMember(CodecOptions options, EngineSelector engines, SourceWindow window) {
        Scanner scanner = Containers.of(Format.GZIP).scanner(options);
        scanner.restore(PassedUnits.SOME);
        return new ChunkReader(Format.GZIP, options, engines, window, scanner, null, Long.MAX_VALUE).ofCountedStream();
    }

    private ByteBuffer next() throws IOException {
        if (spans == null) {
            return withoutPoints(first, Defect.UNREADABLE, "the window of point " + first + " is damaged");
        }
        try {
            return spans.next();
        } catch (GzipIndexException | CorruptDataException | TruncatedDataException wrong) {
            if (withoutPoints || spans.isInsideSpan()) {
                throw wrong;
            }
            int span = spans.span();
            release();
            return withoutPoints(span, Defect.LYING, wrong.getMessage());
        }
    }

    /** Goes on at the start of a span, from the start of the file. */
    private ByteBuffer withoutPoints(int span, Defect defect, String reason) throws IOException {
        withoutPoints = true;
        verify(defect);
        IndexedSplit.countDefect(defect);
        LOG.warn("{} is not used to begin at a point: {}", indexName, reason);
        begin(0, new byte[0], splitLimit);
        ByteBuffer found = spans.next();
        while (spans.span() < span) {
            found = spans.next();
        }
        return found;
    }

    /**
     * Reads all of the file without using points; returns if the file is good and the sums of the index are its own.
     */
    private void verify(Defect defect) throws IOException {
        begin(0, new byte[0], index.count());
        try {
            while (spans.next() != null) {
                // to the end
            }
        } catch (GzipIndexException wrong) {
            release();
            decodePlainly();
            IndexedSplit.countDefect(defect);
            throw new IOException(
                    indexName
                            + " is not of this file, and other tasks may have used it; delete it and run the job again: "
                            + wrong.getMessage(),
                    wrong);
        }
        release();
    }

    /** Throws if the file is bad. */
    private void decodePlainly() throws IOException {
        SourceWindow whole = windows.at(0);
        Scanner scanner = Containers.of(Format.GZIP).scanner(options);
        ChunkReader reader =
                new ChunkReader(Format.GZIP, options, engines, whole, scanner, null, Long.MAX_VALUE).ofCountedStream();
        try {
            while (reader.advance() != Event.END) {
                // to the end
            }
        } finally {
            reader.close();
        }
    }

    @Override
    public ByteBuffer bytes() {
        return rest == null ? bytes : rest.bytes();
    }

    @Override
    public boolean bytesInTarget() {
        return rest != null && rest.bytesInTarget();
    }

    @Override
    public long unitOffset() {
        return unitOffset;
    }

    @Override
    public boolean unitMovesPosition() {
        return true;
    }

    private void release() {
        if (rest != null) {
            rest.close();
        }
        if (spans != null) {
            spans.close();
            window.release();
        }
        bytes = null;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }
}
