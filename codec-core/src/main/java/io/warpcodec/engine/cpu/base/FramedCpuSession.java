package io.warpcodec.engine.cpu.base;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes one outer block of Hadoop's framing, or one block of a xerial stream, body by body: a body is gathered, decoded
 * whole, and handed out. Memory: {@link SessionBuffers}, one body and its raw bytes, both within the budget. Not thread-safe.
 *
 * <p>The lenient reading follows what stock Hadoop's stream does with damaged files: the end of input anywhere, an outer size
 * of 0, and chunks that make more than their outer block promised each end the data without an error. Only a body that does not
 * decode is one.
 */
public final class FramedCpuSession implements DecodeSession {
    private static final int LENGTH_BYTES = 4;

    /** Where in the unit the session stands. */
    private enum Phase {
        OUTER_LENGTH,
        INNER_LENGTH,
        BODY,
        FINISHED,
        /** Lenient: the data is over, whatever follows. */
        IGNORED
    }

    private final Format format;
    private final RawBodyDecoder decoder;
    private final boolean outerLength;
    private final boolean lenient;
    private final int budgetBytes;
    private final SessionBuffers buffers;
    private final HeapView view = new HeapView();

    private long offset;
    private boolean firstUnit;
    private Phase phase;
    private int bodyBytes;
    private long rawLeft;

    /**
     * @param decoder of the bodies of this format
     * @param outerLength whether the unit starts with its raw size (Hadoop's framing)
     * @param lenient read damaged data as stock Hadoop does
     * @param budgetBytes most raw bytes of one body
     */
    public FramedCpuSession(
            Format format,
            RawBodyDecoder decoder,
            boolean outerLength,
            boolean lenient,
            int budgetBytes,
            HeapLeases leases) {
        this.format = format;
        this.decoder = decoder;
        this.outerLength = outerLength;
        this.lenient = lenient;
        this.budgetBytes = budgetBytes;
        buffers = new SessionBuffers(leases, format.word());
        reset(0);
    }

    @Override
    public void reset(long startOffset) {
        offset = startOffset;
        firstUnit = startOffset == 0;
        phase = outerLength ? Phase.OUTER_LENGTH : Phase.INNER_LENGTH;
        rawLeft = budgetBytes;
        buffers.release();
        buffers.headerDone();
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(format, offset, reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        State state = steps(input, output);
        buffers.releaseIdleInput();
        return state;
    }

    private State steps(ByteBuffer input, ByteBuffer output) throws IOException {
        while (buffers.drain(output)) {
            switch (phase) {
                case OUTER_LENGTH, INNER_LENGTH -> {
                    ByteBuffer length = buffers.header(input, LENGTH_BYTES);
                    if (length == null) {
                        return State.NEEDS_INPUT;
                    }
                    buffers.headerDone();
                    if (phase == Phase.OUTER_LENGTH) {
                        outer(length.getInt(0));
                    } else {
                        inner(length.getInt(0));
                    }
                }
                case BODY -> {
                    ByteBuffer body = buffers.body(input, bodyBytes);
                    if (body == null) {
                        return State.NEEDS_INPUT;
                    }
                    body(body, output);
                }
                case FINISHED -> {
                    buffers.release();
                    return State.FINISHED;
                }
                case IGNORED -> {
                    input.position(input.limit());
                    return State.NEEDS_INPUT;
                }
            }
        }
        return State.NEEDS_OUTPUT;
    }

    private void outer(int rawBytes) throws IOException {
        if (!lenient && rawBytes < 0) {
            throw corrupt("an outer block of " + rawBytes + " bytes");
        }
        offset += LENGTH_BYTES;
        rawLeft = rawBytes;
        if (rawBytes > 0 || rawBytes < 0 && firstUnit) {
            phase = Phase.INNER_LENGTH;
        } else {
            phase = lenient ? Phase.IGNORED : Phase.FINISHED;
        }
    }

    private void inner(int bytes) throws IOException {
        if (bytes < 0 || bytes == 0 && !lenient) {
            throw corrupt("a chunk of " + bytes + " bytes");
        }
        if (bytes > budgetBytes) {
            throw corrupt("a chunk of " + bytes + " bytes, over the memory budget of " + budgetBytes);
        }
        offset += LENGTH_BYTES;
        bodyBytes = bytes;
        phase = bytes == 0 ? Phase.INNER_LENGTH : Phase.BODY;
    }

    private void body(ByteBuffer body, ByteBuffer output) throws IOException {
        long limit = lenient ? budgetBytes : Math.min(rawLeft, budgetBytes);
        view.of(body);
        int rawBytes;
        try {
            int capacity = decoder.capacityFor(view.array(), view.start(), bodyBytes, (int) limit);
            ByteBuffer raw = buffers.scratch(capacity, 0);
            rawBytes = decoder.decode(view.array(), view.start(), bodyBytes, raw.array(), raw.arrayOffset(), capacity);
        } catch (DataFormatException bad) {
            throw corrupt("in the chunk that starts here, " + bad.getMessage());
        }
        buffers.deliver(0, rawBytes, output);
        offset += bodyBytes;
        rawLeft -= rawBytes;
        if (!outerLength || rawLeft == 0) {
            phase = Phase.FINISHED;
        } else {
            phase = rawLeft < 0 && rawBytes > 0 ? Phase.IGNORED : Phase.INNER_LENGTH;
        }
    }

    @Override
    public boolean mayEndHere() {
        return lenient;
    }

    @Override
    public String missing() {
        return switch (phase) {
            case OUTER_LENGTH -> "inside an outer block's size";
            case INNER_LENGTH ->
                !buffers.headerBegun() && outerLength
                        ? "before an outer block has all its " + rawLeft + " further bytes"
                        : "inside a chunk's length";
            default -> "inside a chunk of " + bodyBytes + " bytes";
        };
    }

    @Override
    public void close() {
        buffers.release();
    }
}
