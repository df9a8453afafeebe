package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Encodes a stream chunk by chunk. Nothing is written or allocated before data arrives; {@link #flush} passes on what
 * is encoded but cuts nothing. An empty stream, once finished, is a legal file.
 *
 * <p>A stream that has failed stays failed: after an exception every later write, flush and finish throws an
 * IOException with the first one as its cause, and close does not finish. It writes the start of a unit instead and
 * closes the sink, so that what lies there cannot be taken for a whole stream, also where the failure was between two
 * units.
 *
 * <p>One thread at a time writes, which may change between calls; a second one gets an IOException. Any thread may
 * close the stream at any moment, and does not wait for a write. If a call of another thread is going on, the stream
 * has failed: close says so with an IOException, that call throws an IOException too, and gives the buffers back and
 * closes the sink when it leaves. A sink is never closed under a write: what it has would then end without a sign
 * that more should follow, and could be a whole stream of less. A close while another one is going on does nothing.
 */
public final class ChunkedOutputStream extends OutputStream {
    private final OutputStream sink;
    private final Format format;
    private final CodecOptions options;
    private final boolean isFile;
    private final LeakCleaner abandoned = new LeakCleaner();
    private final CallGuard calls = new CallGuard(this::tearAndClose);
    private ChunkWriter writer;
    private boolean finished;
    /** Whether bytes have been written since the last end. */
    private boolean unfinished;

    private byte[] one;

    /**
     * Encodes a file to where the sink stands.
     *
     * @param sink closed with this stream
     */
    public ChunkedOutputStream(OutputStream sink, Format format, CodecOptions options) {
        this(sink, format, options, true);
    }

    /**
     * Encodes to where the sink stands.
     *
     * @param sink closed with this stream
     * @param isFile whether the stream is a file of its own, which others may split, join to another one or meet with
     *     a reader that is not ours; if not, a stream of less than a chunk is written without what we add to the
     *     format
     */
    public ChunkedOutputStream(OutputStream sink, Format format, CodecOptions options, boolean isFile) {
        this.sink = Objects.requireNonNull(sink, "sink");
        this.format = format;
        this.options = options;
        this.isFile = isFile;
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
        calls.run(() -> {
            if (finished) {
                throw new IOException("stream is finished");
            }
            unfinished |= length > 0;
            writer().write(bytes, start, length, sink);
            return 0;
        });
    }

    private ChunkWriter writer() {
        if (writer == null) {
            writer =
                    new ChunkWriter(format, options, abandoned.watched(this, Engines.selector(), options), assembler());
            abandoned.releasedBy(writer::reset);
        }
        return writer;
    }

    private Assembler assembler() {
        Container container = Containers.of(format);
        return isFile ? container.assembler(options) : container.recordAssembler(options);
    }

    @Override
    public void flush() throws IOException {
        if (!calls.isClosed()) {
            calls.run(() -> {
                writer().flush(sink);
                return 0;
            });
        }
    }

    /** Ends the compressed stream without closing the sink. Idempotent until {@link #restart}. */
    public void finish() throws IOException {
        if (!finished) {
            calls.run(() -> {
                end();
                return 0;
            });
        }
    }

    private void end() throws IOException {
        writer().finish(sink);
        finished = true;
        unfinished = false;
    }

    /**
     * Starts a new compressed stream behind what was finished. Writes nothing. A stream that has failed stays so, and
     * a closed one closed.
     *
     * @throws IOException if bytes were written since the last {@link #finish}, which would be a hole that no reader
     *     sees: the stream goes on as if this had not been called; or if another thread is inside a call
     */
    public void restart() throws IOException {
        if (!calls.isClosed()) {
            calls.run(() -> {
                beginAnew();
                return 0;
            });
        }
    }

    private void beginAnew() throws IOException {
        if (!writer().hasFailed()) {
            if (unfinished) {
                throw new IOException("the stream has bytes that are not finished: finish it before it is reset");
            }
            writer().reset();
            finished = false;
        }
    }

    /** Finishes, unless the stream has failed, then closes the sink, whatever fails. Idempotent. */
    @Override
    public void close() throws IOException {
        switch (calls.close()) {
            case CLOSED_BEFORE -> {
                // there is nothing to do
            }
            case CALLER_RELEASES -> {
                try (sink) {
                    finishOrTear();
                } finally {
                    writer().reset();
                }
            }
            case CALL_RELEASES ->
                throw new IOException("stream was closed while another thread was writing to it: it has no end");
        }
    }

    private void finishOrTear() throws IOException {
        boolean torn = writer().hasFailed();
        try {
            if (!finished && !torn) {
                torn = true;
                end();
                torn = false;
            }
        } finally {
            if (torn) {
                tear();
            }
        }
    }

    private void tearAndClose() throws IOException {
        try (sink) {
            // what a torn end must hold depends on what the writer has sent, which it then forgets
            tear();
        } finally {
            writer().reset();
        }
    }

    /** Writes a torn end, if the sink takes it: the sink may be what failed. */
    private void tear() {
        ChunkWriter chunks = writer;
        try {
            sink.write(chunks != null ? chunks.tornEnd() : assembler().tornEnd(0));
        } catch (IOException | RuntimeException alsoFailed) {
            // the failure that counts has been thrown, or is about to be
        }
    }
}
