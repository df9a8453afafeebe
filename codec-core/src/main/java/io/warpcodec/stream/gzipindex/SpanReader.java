package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.gzip.GzipSeeking;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.format.gzip.GzipIndexException.Defect;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.UnitSessions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Decodes a gzip file from one point of its index to the end of the last member, span by span. A span lies between
 * two points. Only where it begins does it use the point's bit and window. Behind that the index only says where
 * spans end and what their CRC-32 is.
 *
 * <p>A span that fits the output budget is handed out when all of it is decoded and its CRC-32 is right. If it ends
 * with a member, the member's trailer has to be right, too. A larger span is handed out in pieces, before that is
 * known. Memory: one span or piece.
 *
 * <p>Devices decode ahead to the end of this reader's split and one span more, in which the split's last line may
 * end. So tasks of small splits do not all decode each other's bytes. A reader that goes on gets span after span.
 *
 * <p>Not thread-safe.
 */
final class SpanReader implements AutoCloseable {
    private static final int LEAST_HOLD_BYTES = 64 << 10;
    private static final int PIECE_BYTES = 1 << 20;
    private static final ByteBuffer NO_ROOM = ByteBuffer.allocate(0);

    private final UnitSessions sessions;
    private final CodecOptions options;
    private final GzipIndex index;
    private final SourceWindow input;
    private final int splitLimit;
    private final CRC32 crc = new CRC32();
    private DecodeSession session;
    private long sessionOffset;
    private ByteBuffer held = ByteBuffer.allocate(0);
    private int span;
    /** Bytes of the span that have been handed out. */
    private long spanDone;

    private boolean begun;
    /** Set when a span needs more input than it has by the index. */
    private boolean spansAreLonger;

    /**
     * @param input stands at the byte that the first point lies in
     * @param first number of the point to begin at
     * @param window of that point
     * @param splitLimit number of the first span that is another split's
     */
    SpanReader(
            EngineSelector engines,
            CodecOptions options,
            GzipIndex index,
            SourceWindow input,
            int first,
            byte[] window,
            int splitLimit)
            throws IOException {
        this.sessions = new UnitSessions(Format.GZIP, options, engines);
        this.options = options;
        this.index = index;
        this.input = input;
        this.splitLimit = splitLimit;
        this.span = first;
        GzipSeekPoint point = index.point(first);
        if (!point.startsMember()) {
            sessionOffset = input.offset();
            Engine engine = engines.chooseForSession(Format.GZIP, options, expectedBytes());
            session = resumed(engine, options, point, window);
            if (session == null) {
                session = resumed(engines.cpu(), options, point, window);
            }
        }
    }

    private static DecodeSession resumed(Engine engine, CodecOptions options, GzipSeekPoint point, byte[] window) {
        return engine instanceof GzipSeeking gzip ? gzip.resumeSession(options, point, window) : null;
    }

    /** Number of the span that {@link #next} last gave bytes of. */
    int span() {
        return span;
    }

    /** Whether bytes of the current span have been handed out. */
    boolean isInsideSpan() {
        return spanDone > 0;
    }

    /**
     * Decodes on.
     *
     * @return bytes of one span, valid until the next call; null after the last span, when the input stands behind
     *     the last member
     * @throws GzipIndexException if what comes out is not what the index says; so that the span's bytes are wrong, or
     *     the index is
     * @throws io.warpcodec.CorruptDataException as that of a gzip file, which may be the index's fault too
     */
    ByteBuffer next() throws IOException {
        if (begun && spanDone == index.spanBytes(span)) {
            span++;
            begun = false;
        }
        if (span == index.count()) {
            return null;
        }
        if (!begun) {
            begun = true;
            spanDone = 0;
            crc.reset();
        }
        long left = index.spanBytes(span) - spanDone;
        boolean whole = spanDone == 0 && left <= options.outputBudgetBytes();
        fill(whole ? (int) left : (int) Math.min(left, PIECE_BYTES));
        crc.update(held.duplicate());
        if (held.remaining() == left) {
            endSpan();
        }
        spanDone += held.remaining();
        return held;
    }

    private void endSpan() throws IOException {
        if (index.point(span + 1).startsMember() || span + 1 == index.count()) {
            decode(NO_ROOM, true);
        }
        if ((int) crc.getValue() != index.spanCrc(span)) {
            throw new GzipIndexException(Defect.LYING, "the bytes from point " + span + " on have another CRC32");
        }
    }

    /** Decodes so many bytes, from wherever the file stands, into {@link #held}. */
    private void fill(int bytes) throws IOException {
        // the number comes from the index: memory grows with what really comes out
        held.clear();
        while (true) {
            held.limit(Math.min(bytes, held.capacity()));
            decode(held, false);
            if (held.position() == bytes) {
                held.flip();
                return;
            }
            int capacity = (int) Math.min(bytes, Math.max(LEAST_HOLD_BYTES, 4L * held.capacity()));
            held = ByteBuffer.allocate(capacity).put(held.flip());
        }
    }

    /**
     * Decodes until there is no space left, or to the end of the member.
     *
     * @param toEnd whether the member has to end before there is need for output space
     */
    private void decode(ByteBuffer target, boolean toEnd) throws IOException {
        while (toEnd ? session != null : target.hasRemaining()) {
            if (session == null) {
                openMember();
            }
            if (session.leastInputBytes() > 1) {
                input.gather(wanted(session.leastInputBytes()), wanted(session.usefulInputBytes()));
            }
            ByteBuffer bytes = input.view(0, wanted(input.buffered()));
            boolean all = bytes.remaining() == input.buffered();
            DecodeSession.State state;
            try {
                state = session.decode(bytes, target);
            } finally {
                input.consume(bytes.position());
            }
            if (state == DecodeSession.State.FINISHED) {
                close();
                sessions.ended(input.offset() - sessionOffset);
            } else if (state == DecodeSession.State.NEEDS_INPUT) {
                // with a full target it may have all that it needs for now
                boolean goesOn = toEnd || target.hasRemaining();
                if (goesOn && !all) {
                    spansAreLonger = true;
                } else if (goesOn && !input.require(input.buffered() + 1)) {
                    throw new TruncatedDataException(
                            Format.GZIP, input.offset() + input.buffered(), "the stream ends " + session.missing());
                }
                input.topUp(wanted(session.usefulInputBytes()));
            } else if (toEnd) {
                throw new GzipIndexException(Defect.LYING, "the member goes on behind point " + (span + 1));
            }
        }
    }

    /** So many bytes of input, or as many as lie before the end of what is decoded ahead. */
    private int wanted(int bytes) {
        return spansAreLonger ? bytes : (int) Math.min(bytes, expectedBytes());
    }

    /** Bytes of input that lie before that end by the index. */
    private long expectedBytes() {
        // the byte that a point lies in belongs to both sides
        long end = index.point(Math.min(index.count(), Math.max(splitLimit, span) + 1))
                        .byteOffset()
                + 1;
        return Math.max(0, end - input.offset());
    }

    private void openMember() throws IOException {
        if (!input.require(1) || input.u8(0) == 0) {
            throw new GzipIndexException(Defect.LYING, "the file ends before point " + (span + 1));
        }
        sessionOffset = input.offset();
        session = sessions.open(options, sessionOffset, expectedBytes());
    }

    /** Frees what it holds but the input. Idempotent. */
    @Override
    public void close() {
        if (session != null) {
            session.close();
            session = null;
        }
    }
}
