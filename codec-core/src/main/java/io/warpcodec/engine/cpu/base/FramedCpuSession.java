package io.warpcodec.engine.cpu.base;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;

/**
 * Decodes one outer block of Hadoop's framing, or one block of a xerial stream, body by body: a body is gathered, decoded
 * whole, and handed out. Memory is one body and its raw bytes, both within the budget, and the gathering array grows only as
 * bytes arrive.
 *
 * <p>The lenient reading follows what stock Hadoop's stream does with damaged files: the end of input anywhere, an outer size
 * of 0, and chunks that make more than their outer block promised each end the data without an error. Only a body that does not
 * decode is one.
 */
public final class FramedCpuSession implements DecodeSession {
    private static final int LENGTH_BYTES = 4;
    private static final int FIRST_BODY_BYTES = 16 << 10;

    /** Where in the unit the session stands. */
    private enum Part {
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

    private long offset;
    private boolean firstUnit;
    private Part part;
    private int number;
    private int numberBytes;

    private int bodyBytes;
    private byte[] body = new byte[0];
    private int gathered;

    private long rawLeft;
    private byte[] raw = new byte[0];
    private int rawAt;
    private int rawLimit;

    /**
     * @param outerLength whether the unit starts with its raw size (Hadoop's framing)
     * @param lenient read damaged data as stock Hadoop does
     * @param budgetBytes most raw bytes of one body
     */
    public FramedCpuSession(
            Format format, RawBodyDecoder decoder, boolean outerLength, boolean lenient, int budgetBytes) {
        this.format = format;
        this.decoder = decoder;
        this.outerLength = outerLength;
        this.lenient = lenient;
        this.budgetBytes = budgetBytes;
        reset(0);
    }

    @Override
    public void reset(long startOffset) {
        offset = startOffset;
        firstUnit = startOffset == 0;
        part = outerLength ? Part.OUTER_LENGTH : Part.INNER_LENGTH;
        number = 0;
        numberBytes = 0;
        rawLeft = budgetBytes;
        rawAt = 0;
        rawLimit = 0;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(format, offset, reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        while (true) {
            if (rawAt < rawLimit) {
                int count = Math.min(rawLimit - rawAt, output.remaining());
                output.put(raw, rawAt, count);
                rawAt += count;
                if (rawAt < rawLimit) {
                    return State.NEEDS_OUTPUT;
                }
            }
            switch (part) {
                case OUTER_LENGTH, INNER_LENGTH -> {
                    if (!gatherNumber(input)) {
                        return State.NEEDS_INPUT;
                    }
                    if (part == Part.OUTER_LENGTH) {
                        outer(number);
                    } else {
                        inner(number);
                    }
                    number = 0;
                    numberBytes = 0;
                }
                case BODY -> {
                    if (!body(input)) {
                        return State.NEEDS_INPUT;
                    }
                }
                case FINISHED -> {
                    return State.FINISHED;
                }
                case IGNORED -> {
                    input.position(input.limit());
                    return State.NEEDS_INPUT;
                }
            }
        }
    }

    private boolean gatherNumber(ByteBuffer input) {
        while (numberBytes < LENGTH_BYTES && input.hasRemaining()) {
            number = number << 8 | input.get() & 0xff;
            numberBytes++;
        }
        return numberBytes == LENGTH_BYTES;
    }

    private void outer(int rawBytes) throws IOException {
        if (!lenient && rawBytes < 0) {
            throw corrupt("an outer block of " + rawBytes + " bytes");
        }
        offset += LENGTH_BYTES;
        rawLeft = rawBytes;
        if (rawBytes > 0 || rawBytes < 0 && firstUnit) {
            part = Part.INNER_LENGTH;
        } else {
            part = lenient ? Part.IGNORED : Part.FINISHED;
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
        gathered = 0;
        part = bytes == 0 ? Part.INNER_LENGTH : Part.BODY;
    }

    /** Decodes the body if all of it is there, straight from the input where it can. */
    private boolean body(ByteBuffer input) throws IOException {
        if (gathered == 0 && input.hasArray() && input.remaining() >= bodyBytes) {
            decodeBody(input.array(), input.arrayOffset() + input.position());
            input.position(input.position() + bodyBytes);
            return true;
        }
        int count = Math.min(bodyBytes - gathered, input.remaining());
        if (gathered + count > body.length) {
            int wanted = Math.max(FIRST_BODY_BYTES, Math.max(gathered + count, 2 * body.length));
            body = Arrays.copyOf(body, Math.min(wanted, Math.max(bodyBytes, FIRST_BODY_BYTES)));
        }
        input.get(body, gathered, count);
        gathered += count;
        if (gathered < bodyBytes) {
            return false;
        }
        decodeBody(body, 0);
        return true;
    }

    private void decodeBody(byte[] array, int start) throws IOException {
        long limit = lenient ? budgetBytes : Math.min(rawLeft, budgetBytes);
        try {
            int room = decoder.roomFor(array, start, bodyBytes, (int) limit);
            if (raw.length < room) {
                raw = new byte[room];
            }
            rawLimit = decoder.decode(array, start, bodyBytes, raw, 0, room);
        } catch (DataFormatException bad) {
            throw corrupt("in the chunk that starts here, " + bad.getMessage());
        }
        offset += bodyBytes;
        rawAt = 0;
        rawLeft -= rawLimit;
        if (!outerLength || rawLeft == 0) {
            part = Part.FINISHED;
        } else {
            part = rawLeft < 0 && rawLimit > 0 ? Part.IGNORED : Part.INNER_LENGTH;
        }
    }

    @Override
    public boolean mayEndHere() {
        return lenient;
    }

    @Override
    public String missing() {
        return switch (part) {
            case OUTER_LENGTH -> "inside an outer block's size";
            case INNER_LENGTH ->
                numberBytes == 0 && outerLength
                        ? "before an outer block has all its " + rawLeft + " further bytes"
                        : "inside a chunk's length";
            default -> "inside a chunk of " + bodyBytes + " bytes";
        };
    }

    @Override
    public void close() {
        body = new byte[0];
        raw = new byte[0];
    }
}
