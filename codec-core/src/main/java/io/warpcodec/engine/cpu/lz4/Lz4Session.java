package io.warpcodec.engine.cpu.lz4;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.SessionBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * The common part of the sessions of LZ4's three containers. They go on by a header or a block at a time. A block
 * that surely fits is decoded straight into the output. The rest of a block that does not fit is handed out later.
 * Memory: {@link SessionBuffers}, bounded by the container.
 */
abstract class Lz4Session implements DecodeSession {
    protected final HeapLeases leases;
    protected long startOffset;

    private final SessionBuffers buffers;

    Lz4Session(HeapLeases leases) {
        this.leases = leases;
        buffers = new SessionBuffers(leases, "lz4");
    }

    /**
     * Goes on by one header, one block or one trailer.
     *
     * @return false when more input is needed for it
     */
    abstract boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException;

    /** Whether the unit is complete. */
    abstract boolean isFinished();

    /** Forgets the unit. */
    abstract void restart();

    /** What the unit is called: "frame". */
    abstract String unitWord();

    @Override
    public final State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        State state = steps(input, output);
        buffers.releaseIdleInput();
        return state;
    }

    private State steps(ByteBuffer input, ByteBuffer output) throws IOException {
        try {
            while (true) {
                if (!buffers.drain(output)) {
                    return State.NEEDS_OUTPUT;
                }
                if (isFinished()) {
                    buffers.release();
                    return State.FINISHED;
                }
                if (!step(input, output)) {
                    return State.NEEDS_INPUT;
                }
            }
        } catch (DataFormatException bad) {
            throw corrupt(bad.getMessage());
        }
    }

    protected final CorruptDataException corrupt(String reason) {
        return new CorruptDataException(
                Format.LZ4, startOffset, "in the " + unitWord() + " that starts here, " + reason);
    }

    /** See {@link SessionBuffers#deliver}. */
    protected final void deliver(int start, int bytes, ByteBuffer output) {
        buffers.deliver(start, bytes, output);
    }

    /** See {@link SessionBuffers#scratch}. */
    protected final ByteBuffer scratch(int bytes, int keptBytes) {
        return buffers.scratch(bytes, keptBytes);
    }

    /** See {@link SessionBuffers#header}. */
    protected final ByteBuffer header(ByteBuffer input, int bytes) {
        return buffers.header(input, bytes);
    }

    /** See {@link SessionBuffers#headerBegun}. */
    protected final boolean headerBegun() {
        return buffers.headerBegun();
    }

    /** See {@link SessionBuffers#headerDone}. */
    protected final void headerDone() {
        buffers.headerDone();
    }

    /** See {@link SessionBuffers#body}. */
    protected final ByteBuffer body(ByteBuffer input, int bytes) {
        return buffers.body(input, bytes);
    }

    @Override
    public final void reset(long offset) {
        startOffset = offset;
        buffers.release();
        buffers.headerDone();
        restart();
    }

    @Override
    public void close() {
        buffers.release();
    }
}
