package io.warpcodec.engine.cpu;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;

/**
 * What a gzip member and a zlib stream have in common: a header taken byte by byte, one DEFLATE stream decoded by the JDK's
 * Inflater, a trailer with the checksum of what came out. Subclasses know header and trailer.
 */
abstract class DeflateSession implements DecodeSession {
    /** Where in the unit the session stands. */
    private enum Part {
        HEADER,
        BODY,
        TRAILER,
        FINISHED
    }

    private final Format format;
    private final String unitWord;
    private final Checksum checksum;
    private final InflateBody body = new InflateBody();
    private long startOffset;
    private Part part;
    private long rawBytes;

    /**
     * @param unitWord what messages call the unit: {@code member}
     * @param checksum of the raw bytes; this session's own
     */
    DeflateSession(Format format, String unitWord, Checksum checksum) {
        this.format = format;
        this.unitWord = unitWord;
        this.checksum = checksum;
    }

    /** Forgets the header and trailer. */
    abstract void restart();

    /** Takes one byte of the header; returns whether it was the last one. */
    abstract boolean header(int value) throws IOException;

    /** Takes one byte of the trailer; returns whether it was the last one, and all of it is right. */
    abstract boolean trailer(int value) throws IOException;

    /** The trailer's name in messages. */
    abstract String trailerWord();

    /** The checksum of the raw bytes so far. */
    final long checksum() {
        return checksum.getValue();
    }

    final long rawBytes() {
        return rawBytes;
    }

    final CorruptDataException corrupt(String reason) {
        return new CorruptDataException(format, startOffset, "in the " + unitWord + " that starts here, " + reason);
    }

    @Override
    public final void reset(long offset) {
        startOffset = offset;
        part = Part.HEADER;
        rawBytes = 0;
        body.reset();
        checksum.reset();
        restart();
    }

    @Override
    public final State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        while (part != Part.FINISHED) {
            if (part == Part.BODY) {
                if (!body(input, output)) {
                    return body.holdsOutput() || !output.hasRemaining() && input.hasRemaining()
                            ? State.NEEDS_ROOM
                            : State.NEEDS_INPUT;
                }
                part = Part.TRAILER;
            } else if (!input.hasRemaining()) {
                return State.NEEDS_INPUT;
            } else if (part == Part.HEADER) {
                part = header(input.get() & 0xff) ? Part.BODY : Part.HEADER;
            } else {
                part = trailer(input.get() & 0xff) ? Part.FINISHED : Part.TRAILER;
            }
        }
        return State.FINISHED;
    }

    /** Inflates what both buffers allow. Returns whether the body has ended. */
    private boolean body(ByteBuffer input, ByteBuffer output) throws IOException {
        int outputStart = output.position();
        boolean ended;
        try {
            ended = body.inflate(input, output);
        } catch (DataFormatException bad) {
            throw corrupt("the DEFLATE data is invalid: " + bad.getMessage());
        }
        int produced = output.position() - outputStart;
        if (produced > 0) {
            checksum.update(output.slice(outputStart, produced));
            rawBytes += produced;
        }
        return ended;
    }

    @Override
    public final String missing() {
        return "inside a " + unitWord + "'s "
                + switch (part) {
                    case BODY -> "DEFLATE data";
                    case TRAILER -> trailerWord();
                    default -> "header";
                };
    }

    @Override
    public final void close() {
        body.close();
    }
}
