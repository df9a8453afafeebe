package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.stream.BulkInputStream;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Decodes single spans of a gzip file by zlib, each from a stream of its own: from a point of the index, with what
 * the index says of it, up to the next. A span whose bytes are not what the index says is a
 * {@link io.warpcodec.format.gzip.GzipIndexException}. Safe for use by several threads.
 */
final class SpanDecoder {
    // zlib's word counts
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.CPU);

    private final EngineSelector engines;
    private final GzipIndexer.Opener file;
    private final GzipIndex index;

    SpanDecoder(EngineSelector engines, GzipIndexer.Opener file, GzipIndex index) {
        this.engines = engines;
        this.file = file;
        this.index = index;
    }

    /** Daemon threads for this work. */
    static ExecutorService workers(int threads) {
        return Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "warpcodec index");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Takes decoded bytes, which are valid until it returns. */
    @FunctionalInterface
    interface Sink {
        void take(ByteBuffer bytes);
    }

    /** Decodes span {@code i}, and checks it; what is larger than the output budget comes in pieces, before that. */
    void decode(int i, byte[] window, Sink sink) throws IOException {
        try (InputStream source = file.open()) {
            long from = index.point(i).byteOffset();
            source.skipNBytes(from);
            // the byte that the next point lies in belongs to both
            InputStream only = new FirstBytes(source, index.point(i + 1).byteOffset() + 1 - from);
            SourceWindow input = SourceWindows.reading(only, from, engines, OPTIONS);
            try (SpanReader reader = new SpanReader(engines, OPTIONS, index, input, i, window, i)) {
                for (long left = index.spanBytes(i); left > 0; ) {
                    ByteBuffer bytes = reader.next();
                    left -= bytes.remaining();
                    sink.take(bytes);
                }
            } finally {
                input.release();
            }
        }
    }

    /** The first bytes of a stream, no more than which are taken from it. */
    private static final class FirstBytes extends BulkInputStream {
        private final InputStream source;
        private long left;

        FirstBytes(InputStream source, long left) {
            this.source = source;
            this.left = left;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            int count = left > 0 ? source.read(target, start, (int) Math.min(length, left)) : -1;
            left -= Math.max(0, count);
            return count;
        }
    }
}
