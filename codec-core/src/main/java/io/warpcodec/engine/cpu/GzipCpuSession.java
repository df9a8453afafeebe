package io.warpcodec.engine.cpu;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Decodes one gzip member: header byte by byte as RFC 1952 §2.3 lays it out, body by the JDK's Inflater, trailer checked
 * against what came out. Header fields of any length pass through without being stored; the header's CRC16 is verified where
 * it is present.
 */
final class GzipCpuSession implements DecodeSession {
    /** Where in the member the session stands. */
    private enum Part {
        FIXED_HEADER,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_CRC,
        BODY,
        TRAILER,
        FINISHED
    }

    private final InflateBody body = new InflateBody();
    private final CRC32 headerCrc = new CRC32();
    private final CRC32 bodyCrc = new CRC32();
    private long startOffset;
    private Part part;
    private int flags;
    /** Little-endian number being gathered, and how many of its bytes are there. */
    private long number;

    private int numberBytes;
    private int extraLeft;
    private long rawBytes;

    GzipCpuSession() {
        reset(0);
    }

    @Override
    public void reset(long offset) {
        startOffset = offset;
        body.reset();
        headerCrc.reset();
        bodyCrc.reset();
        flags = 0;
        rawBytes = 0;
        enter(Part.FIXED_HEADER);
    }

    private void enter(Part next) {
        part = next;
        number = 0;
        numberBytes = 0;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.GZIP, startOffset, "in the member that starts here, " + reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        while (part != Part.FINISHED) {
            if (part == Part.BODY) {
                int outputStart = output.position();
                boolean ended;
                try {
                    ended = body.inflate(input, output);
                } catch (DataFormatException bad) {
                    throw corrupt("the DEFLATE data is invalid: " + bad.getMessage());
                }
                int produced = output.position() - outputStart;
                if (produced > 0) {
                    bodyCrc.update(output.slice(outputStart, produced));
                    rawBytes += produced;
                }
                if (!ended) {
                    return body.holdsOutput() || !output.hasRemaining() && input.hasRemaining()
                            ? State.NEEDS_ROOM
                            : State.NEEDS_INPUT;
                }
                enter(Part.TRAILER);
            } else if (!input.hasRemaining()) {
                return State.NEEDS_INPUT;
            } else {
                container(input.get() & 0xff);
            }
        }
        return State.FINISHED;
    }

    /** Takes one byte outside the body. */
    private void container(int value) throws IOException {
        switch (part) {
            case FIXED_HEADER -> {
                headerCrc.update(value);
                fixedHeader(value);
            }
            case EXTRA_LENGTH -> {
                headerCrc.update(value);
                if (gather(value, 2)) {
                    extraLeft = (int) number;
                    enter(extraLeft > 0 ? Part.EXTRA : afterExtra());
                }
            }
            case EXTRA -> {
                headerCrc.update(value);
                if (--extraLeft == 0) {
                    enter(afterExtra());
                }
            }
            case NAME -> {
                headerCrc.update(value);
                if (value == 0) {
                    enter(afterName());
                }
            }
            case COMMENT -> {
                headerCrc.update(value);
                if (value == 0) {
                    enter(afterComment());
                }
            }
            case HEADER_CRC -> {
                if (gather(value, 2)) {
                    if (number != (headerCrc.getValue() & 0xffff)) {
                        throw corrupt("the header's CRC16 is wrong");
                    }
                    enter(Part.BODY);
                }
            }
            case TRAILER -> {
                if (gather(value, TRAILER_BYTES)) {
                    if ((number & 0xffff_ffffL) != bodyCrc.getValue()) {
                        throw corrupt("the CRC32 is wrong");
                    }
                    if (number >>> 32 != (rawBytes & 0xffff_ffffL)) {
                        throw corrupt("ISIZE is wrong");
                    }
                    enter(Part.FINISHED);
                }
            }
            default -> throw new IllegalStateException(part.name());
        }
    }

    private void fixedHeader(int value) throws IOException {
        int index = numberBytes++;
        if (index == 0 && value != ID1 || index == 1 && value != ID2) {
            throw corrupt("the magic is not 1f 8b");
        }
        if (index == 2 && value != CM_DEFLATE) {
            throw corrupt("the compression method is " + value + ", not 8");
        }
        if (index == 3) {
            if ((value & FLG_RESERVED) != 0) {
                throw corrupt("reserved header flags are set");
            }
            flags = value;
        }
        if (numberBytes == HEADER_BYTES) {
            enter((flags & FEXTRA) != 0 ? Part.EXTRA_LENGTH : afterExtra());
        }
    }

    private boolean gather(int value, int bytes) {
        number |= (long) value << 8 * numberBytes;
        return ++numberBytes == bytes;
    }

    private Part afterExtra() {
        return (flags & FNAME) != 0 ? Part.NAME : afterName();
    }

    private Part afterName() {
        return (flags & FCOMMENT) != 0 ? Part.COMMENT : afterComment();
    }

    private Part afterComment() {
        return (flags & FHCRC) != 0 ? Part.HEADER_CRC : Part.BODY;
    }

    @Override
    public String missing() {
        return switch (part) {
            case BODY -> "inside a member's DEFLATE data";
            case TRAILER -> "inside a member's trailer";
            default -> "inside a member's header";
        };
    }

    @Override
    public void close() {
        body.close();
    }
}
