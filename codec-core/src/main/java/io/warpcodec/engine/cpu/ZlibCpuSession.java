package io.warpcodec.engine.cpu;

import static io.warpcodec.format.zlib.ZlibFormat.HEADER_BYTES;
import static io.warpcodec.format.zlib.ZlibFormat.TRAILER_BYTES;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.zlib.ZlibFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import java.util.zip.DataFormatException;

/** Decodes one zlib stream (RFC 1950): two header bytes, the body by the JDK's Inflater, the Adler-32 of what came out. */
final class ZlibCpuSession implements DecodeSession {
    /** Where in the stream the session stands. */
    private enum Part {
        HEADER,
        BODY,
        TRAILER,
        FINISHED
    }

    private final InflateBody body = new InflateBody();
    private final Adler32 adler = new Adler32();
    private long startOffset;
    private Part part;
    /** Big-endian number being gathered, and how many of its bytes are there. */
    private int number;

    private int numberBytes;

    ZlibCpuSession() {
        reset(0);
    }

    @Override
    public void reset(long offset) {
        startOffset = offset;
        body.reset();
        adler.reset();
        enter(Part.HEADER);
    }

    private void enter(Part next) {
        part = next;
        number = 0;
        numberBytes = 0;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.ZLIB, startOffset, "in the zlib stream that starts here, " + reason);
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
                    adler.update(output.slice(outputStart, produced));
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
        number = number << 8 | value;
        numberBytes++;
        if (part == Part.HEADER && numberBytes == HEADER_BYTES) {
            String defect = ZlibFormat.headerDefect(number >> 8, number & 0xff);
            if (defect != null) {
                throw corrupt(defect);
            }
            enter(Part.BODY);
        } else if (part == Part.TRAILER && numberBytes == TRAILER_BYTES) {
            if (number != (int) adler.getValue()) {
                throw corrupt("the Adler-32 is wrong");
            }
            enter(Part.FINISHED);
        }
    }

    @Override
    public String missing() {
        return switch (part) {
            case BODY -> "inside a zlib stream's DEFLATE data";
            case TRAILER -> "inside a zlib stream's Adler-32";
            default -> "inside a zlib stream's header";
        };
    }

    @Override
    public void close() {
        body.close();
    }
}
