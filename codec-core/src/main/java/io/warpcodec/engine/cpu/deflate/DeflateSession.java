package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;

/**
 * The common part of sessions of gzip members and zlib streams. A unit is a header taken byte by byte, one DEFLATE
 * stream, and a trailer with the checksum of what came out. The JDK's Inflater decodes the DEFLATE stream. Subclasses
 * know header and trailer.
 *
 * <p>A {@link SegmentDecoder}, if there is one, decodes the DEFLATE stream until it goes no further. The Inflater
 * decodes what follows, to the stream's end.
 */
abstract class DeflateSession implements DecodeSession {
    /** Where in the unit the session stands. */
    private enum Phase {
        HEADER,
        BODY,
        TRAILER,
        FINISHED
    }

    /** More than nearly all headers have. */
    private static final int HEADER_BYTES = 1024;

    private final Format format;
    private final String unitWord;
    private final Checksum checksum;
    private final InflateBody body = new InflateBody();
    private final SegmentDecoder segments;
    private final DeflateSegmentReader reader;
    /** Whether {@link #decode} has returned behind a segment, with which it could have gone on. */
    private boolean betweenSegments;
    /** Whether the rest of the body is this session's own. */
    private boolean alone;

    private long startOffset;
    private Phase phase;
    private boolean resumed;
    private long rawBytes;

    /**
     * @param unitWord what messages call the unit: {@code member}
     * @param checksum of the raw bytes; this session's own
     * @param segments decodes what it can; null if this session decodes all by itself
     */
    DeflateSession(Format format, String unitWord, Checksum checksum, SegmentDecoder segments) {
        this.segments = segments;
        this.reader = new DeflateSegmentReader(segments);
        this.format = format;
        this.unitWord = unitWord;
        this.checksum = checksum;
    }

    /** Forgets the header and trailer. */
    abstract void restart();

    /** Takes one byte of the header; returns whether it was the last one. An error says what is wrong with it. */
    abstract boolean header(int value) throws DataFormatException;

    /** Takes one byte of the trailer; returns whether it was the last one, and all of it is right. */
    abstract boolean trailer(int value) throws DataFormatException;

    /** The trailer's name in messages. */
    abstract String trailerWord();

    /** Whether the segments' own CRC-32 is what is wanted, so that their bytes need not be summed up here. */
    abstract boolean takesSegmentsCrc();

    /**
     * The checksum of the raw bytes that came out of this session, but for those of the segments if their CRC-32 is
     * taken.
     */
    final long checksum() {
        return checksum.getValue();
    }

    /** What decoded the first bytes of this body, or null. */
    final SegmentDecoder segments() {
        return segments;
    }

    /** Raw bytes of the unit so far. */
    final long rawBytes() {
        return rawBytes;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(
                format,
                startOffset,
                "in the " + unitWord + (resumed ? " resumed here, " : " that starts here, ") + reason);
    }

    @Override
    public final void reset(long offset) {
        startOffset = offset;
        phase = Phase.HEADER;
        resumed = false;
        rawBytes = 0;
        body.reset();
        checksum.reset();
        alone = segments == null;
        if (segments != null) {
            segments.reset();
            reader.reset();
        }
        restart();
    }

    /**
     * Forgets everything and goes on where a block begins, in the middle of a unit.
     *
     * @param offset of the byte in which the block's header begins: the next byte of input
     * @param bit of that byte
     * @param window the last raw bytes of the unit before it
     * @param rawBytesBefore all of them
     */
    final void resume(long offset, int bit, byte[] window, long rawBytesBefore) {
        reset(offset);
        phase = Phase.BODY;
        resumed = true;
        rawBytes = rawBytesBefore;
        if (segments == null) {
            body.resume(bit, window);
        } else {
            segments.resume(bit, window);
        }
    }

    @Override
    public final State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        betweenSegments = false;
        while (phase != Phase.FINISHED) {
            if (phase == Phase.BODY) {
                if (!(alone ? body(input, output) : segment(input, output))) {
                    return holdsOutput() || !output.hasRemaining() && input.hasRemaining()
                            ? State.NEEDS_OUTPUT
                            : State.NEEDS_INPUT;
                }
                phase = Phase.TRAILER;
            } else if (!input.hasRemaining()) {
                return State.NEEDS_INPUT;
            } else {
                headerOrTrailer(input.get() & 0xff);
            }
        }
        return State.FINISHED;
    }

    /** Takes one byte of the header or the trailer. */
    private void headerOrTrailer(int value) throws CorruptDataException {
        try {
            if (phase == Phase.HEADER) {
                phase = header(value) ? Phase.BODY : Phase.HEADER;
            } else {
                phase = trailer(value) ? Phase.FINISHED : Phase.TRAILER;
            }
        } catch (DataFormatException defect) {
            throw corrupt(defect.getMessage());
        }
    }

    private boolean holdsOutput() {
        return body.holdsOutput() || betweenSegments || segments != null && reader.remaining() > 0;
    }

    /** Takes what the segments give, and goes on alone where they end. Returns whether the body has ended. */
    private boolean segment(ByteBuffer input, ByteBuffer output) throws IOException {
        // a full output ends this only once it was filled here: the rest of a stream may make no more bytes
        boolean hadCapacity = output.hasRemaining();
        while (true) {
            boolean took = reader.remaining() > 0 && takeSegment(input, output);
            if (reader.remaining() > 0) {
                return false;
            }
            if (segments.position().ended()) {
                return true;
            }
            // the next segment is a long one only if much input is at hand, which was kept by this one until now
            if (took || hadCapacity && !output.hasRemaining()) {
                betweenSegments = took;
                return false;
            }
            // a source that has been sought in may not know yet that more is at hand: that is no reason to go on alone
            if (!input.hasRemaining()) {
                return false;
            }
            if (!reader.advance(input)) {
                alone = true;
                StreamPosition position = segments.position();
                if (resumed || !position.isBegin()) {
                    body.resume(position.bit(), position.window(), position.header(), position.headerBits());
                }
                return body(input, output);
            }
        }
    }

    /** Returns whether there were bytes to take, and space for them. */
    private boolean takeSegment(ByteBuffer input, ByteBuffer output) throws IOException {
        int start = output.position();
        reader.take(input, output);
        int count = output.position() - start;
        if (count > 0 && !takesSegmentsCrc()) {
            checksum.update(output.slice(start, count));
        }
        rawBytes += count;
        return count > 0;
    }

    /** Inflates what both buffers allow. Returns whether the body has ended. */
    private boolean body(ByteBuffer input, ByteBuffer output) throws IOException {
        int outputStart = output.position();
        long start = segments == null ? 0 : System.nanoTime();
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
            if (segments != null) {
                segments.sessionDid(produced, System.nanoTime() - start);
            }
        }
        return ended;
    }

    @Override
    public final String missing() {
        return "inside a " + unitWord + "'s "
                + switch (phase) {
                    case BODY -> "DEFLATE data";
                    case TRAILER -> trailerWord();
                    default -> "header";
                };
    }

    @Override
    public final int leastInputBytes() {
        return alone || segments.position().ended()
                ? 1
                : segments.leastInputBytes() + (phase == Phase.HEADER ? HEADER_BYTES : 0);
    }

    @Override
    public final int usefulInputBytes() {
        return alone ? 1 : segments.usefulInputBytes();
    }

    @Override
    public final void close() {
        body.close();
        if (segments != null) {
            segments.close();
        }
    }
}
