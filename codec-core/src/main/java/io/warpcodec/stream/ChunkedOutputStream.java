package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.EngineSelector;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Encodes a stream chunk by chunk. Nothing is written or allocated before data arrives; {@link #flush} passes on what is
 * encoded but cuts nothing. An empty stream, once finished, is a legal file. Not thread-safe; may move between threads.
 */
public final class ChunkedOutputStream extends OutputStream {
    private final OutputStream sink;
    private final Format format;
    private final CodecOptions options;
    private ChunkWriter writer;
    private boolean finished;
    private boolean closed;
    private byte[] one;

    public ChunkedOutputStream(OutputStream sink, Format format, CodecOptions options) {
        this.sink = Objects.requireNonNull(sink, "sink");
        this.format = format;
        this.options = options;
    }

    @Override
    public void write(int value) throws IOException {
        if (one == null) {
            one = new byte[1];
        }
        one[0] = (byte) value;
        write(one, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        Objects.checkFromIndexSize(start, length, bytes.length);
        if (closed || finished) {
            throw new IOException(closed ? "stream is closed" : "stream is finished");
        }
        writer().write(bytes, start, length, sink);
    }

    private ChunkWriter writer() {
        if (writer == null) {
            EngineSelector engines = Engines.selector();
            writer = new ChunkWriter(format, options, engines);
            Abandoned.onAbandon(this, engines.mayUseAccelerator(options), writer::reset);
        }
        return writer;
    }

    @Override
    public void flush() throws IOException {
        if (!closed) {
            sink.flush();
        }
    }

    /** Ends the compressed stream without closing the sink. Idempotent until {@link #restart}. */
    public void finish() throws IOException {
        if (!finished) {
            writer().finish(sink);
            finished = true;
        }
    }

    /** Starts a new compressed stream behind what was finished; unfinished data is dropped. Writes nothing. */
    public void restart() {
        finished = false;
        if (writer != null) {
            writer.reset();
        }
    }

    /** Finishes, then closes the sink. Idempotent. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        try (sink) {
            finish();
        } finally {
            closed = true;
            if (writer != null) {
                writer.reset();
            }
        }
    }
}
