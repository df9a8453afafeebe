package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.gzip.GzipSeeking;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexWriter;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.stream.BulkInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Makes the side-car index of a gzip file. The file is read twice. The first time is for the places at which decoding
 * can begin. The second time begins at each of them with what the index says, decodes up to the next, and compares.
 * It is done by zlib, on several threads. The index is held in memory: about 0.4 % of the gzip file.
 */
public final class GzipIndexer {
    /** Least distance of two points in the gzip file, in bytes, where nothing else is asked for. */
    public static final long SPACING_BYTES = 4 << 20;

    /**
     * What is between two points should decode to no more than this, so that a reader can hold it until its checksum
     * is known; only a single DEFLATE block may be longer. Less than any reader's budget.
     */
    private static final long MAX_SPAN_BYTES = 8 << 20;

    /** Opens the gzip file at its start. Several streams of it are open at once, each used by one thread. */
    @FunctionalInterface
    public interface Opener {
        /** A stream of the file from its start, which the caller closes. */
        InputStream open() throws IOException;
    }

    private final long spacingBytes;
    private final GzipIndexWriter writer = new GzipIndexWriter();
    private GzipSeekPoint last = GzipSeekPoint.START;
    private GzipSeekPoint candidate = GzipSeekPoint.START;
    private byte[] candidateWindow = new byte[0];
    /** Whether the candidate is far enough from the last point in the file. */
    private boolean due;

    private GzipIndexer(long spacingBytes) {
        this.spacingBytes = spacingBytes;
        writer.add(GzipSeekPoint.START, new byte[0]);
    }

    /** {@link #index(Opener, long, CodecOptions, int)} with default settings and all processors. */
    public static byte[] index(Opener file, long spacingBytes) throws IOException {
        return index(
                file, spacingBytes, CodecOptions.DEFAULTS, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Makes an index and verifies it.
     *
     * @param spacingBytes least distance of two points in the file
     * @param options devices find the points if they may, and none closer than {@link #SPACING_BYTES} are asked for
     * @param threads that verify
     * @return the index, or null if there is no place to begin but the start, so that it would be of no use
     * @throws io.warpcodec.CorruptDataException if the file is bad
     * @throws IllegalArgumentException if there would be more than {@link GzipIndex#MAX_POINTS} points, or more than
     *     {@link GzipIndex#MAX_ALL_WINDOWS_BYTES} of windows
     */
    public static byte[] index(Opener file, long spacingBytes, CodecOptions options, int threads) throws IOException {
        EngineSelector engines = Engines.selector();
        byte[] index;
        try (InputStream source = file.open()) {
            index = new GzipIndexer(spacingBytes).walk(engines, options, source);
        }
        if (index != null) {
            new SpanVerifier(engines, file, index).verify(threads);
        }
        return index;
    }

    private byte[] walk(EngineSelector engines, CodecOptions options, InputStream source) throws IOException {
        SampledInput sampled = new SampledInput(source);
        // devices tell only where their segments end, some MiB apart
        Engine engine = spacingBytes < SPACING_BYTES
                ? engines.cpu()
                : engines.chooseForSession(Format.GZIP, options, source.available());
        GzipSeekPoint end = scan(engine, options, sampled);
        if (end == null) {
            end = scan(engines.cpu(), options, sampled);
        }
        comeTo(end.rawOffset());
        return writer.count() < 2 ? null : writer.finish(end, sampled.offset, sampled.head(), sampled.tail());
    }

    /** Null if the engine does not tell; it has read nothing then. */
    private GzipSeekPoint scan(Engine engine, CodecOptions options, InputStream source) throws IOException {
        return engine instanceof GzipSeeking gzip ? gzip.scanForSeekPoints(options, source, this::visit) : null;
    }

    private void visit(GzipSeekPoint point, Supplier<byte[]> window) {
        comeTo(point.rawOffset());
        if (!due && point.rawOffset() > last.rawOffset() && point.byteOffset() > last.byteOffset()) {
            candidate = point;
            candidateWindow = window.get();
            due = point.byteOffset() - last.byteOffset() >= spacingBytes;
        }
    }

    /**
     * Takes the candidate if it is far enough from the last point, or if it is the last one before the next would be
     * too far.
     */
    private void comeTo(long rawOffset) {
        boolean tooFar = rawOffset - last.rawOffset() > MAX_SPAN_BYTES;
        // never one behind which nothing comes
        if ((due || tooFar) && candidate.rawOffset() > last.rawOffset() && rawOffset > candidate.rawOffset()) {
            if (writer.isFull()) {
                throw new IllegalArgumentException("with places " + spacingBytes
                        + " bytes apart the index of this file would be too large: take a larger spacing");
            }
            writer.add(candidate, candidateWindow);
            last = candidate;
            due = false;
        }
    }

    /** A stream that keeps its first and last bytes. */
    private static final class SampledInput extends BulkInputStream {
        private final InputStream source;
        private final byte[] head = new byte[GzipIndex.SAMPLE_BYTES];
        private final byte[] ring = new byte[GzipIndex.SAMPLE_BYTES];
        private long offset;

        SampledInput(InputStream source) {
            this.source = source;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            int count = source.read(target, start, length);
            for (int i = Math.max(0, count - ring.length); i < count; i++) {
                ring[(int) ((offset + i) % ring.length)] = target[start + i];
            }
            if (count > 0) {
                if (offset < head.length) {
                    System.arraycopy(target, start, head, (int) offset, (int) Math.min(count, head.length - offset));
                }
                offset += count;
            }
            return count;
        }

        byte[] head() {
            return Arrays.copyOf(head, (int) Math.min(offset, head.length));
        }

        byte[] tail() {
            byte[] tail = new byte[(int) Math.min(offset, ring.length)];
            for (int i = 0; i < tail.length; i++) {
                tail[i] = ring[(int) ((offset - tail.length + i) % ring.length)];
            }
            return tail;
        }
    }
}
