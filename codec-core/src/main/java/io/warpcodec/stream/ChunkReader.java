package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineSelector;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Unit;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The machine under every decoder: window, scanner, engine, in order. {@link #advance} gives the next event; the stream on
 * top turns events into reads, the bare Decompressor into its protocol.
 *
 * <p>The scanner cuts units from the front of the window. Chunks go to an engine in batches, and where it works by itself
 * some are in flight while one is read; skipped bytes wait in line between them; a unit that needs a session stops the
 * cutting until the session has ended. An error of the scanner waits until everything before it is delivered.
 *
 * <p>A chunk is a hint. When it proves undecodable or larger than the budget, everything from it on is pushed back into the
 * window, the scanner goes back, and the unit is decoded by a session (or as the scanner says): that verdict is final. When
 * the engine failed instead, the chunk is decoded again by the CPU from the input that is still held. What false hints may cost
 * is bounded by {@link HintTrust}.
 *
 * <p>Many open streams are never read further than their first bytes, or not soon. So where no engine works ahead, the first unit of a whole stream is named
 * by {@link Scanner#first}, the window is frugal, and pieces are small, until the consumer comes back for more.
 *
 * <p>Not thread-safe; may move between threads.
 */
final class ChunkReader implements UnitReader {
    /** What {@link #advance} came to. */
    enum Event {
        /** {@link #bytes} holds decoded bytes of the current unit. */
        BYTES,
        /** A unit has ended: {@link #endedBoundary}. */
        UNIT_END,
        /** Push mode only: more input, please. */
        NEEDS_INPUT,
        /** The stream has ended where it may. */
        END
    }

    /** Memory for what is decoded and handed out at once, where the caller gives no room for it: for the first bytes of a stream. */
    private static final int FIRST_PIECE_BYTES = 16 << 10;

    private static final int PIECE_BYTES = 64 << 10;
    /** A session or a source writes straight into a caller's room of at least this size: smaller ones cost more calls than they save. */
    private static final int LEAST_ROOM_BYTES = 16 << 10;

    private static final int MAX_BATCH_CHUNKS = 4096;
    /** Batches in flight at most, for the bound of what a false hint throws away. */
    private static final int MOST_BATCHES = 4;

    private final Format format;
    private final CodecOptions options;
    private final EngineSelector engines;
    private final UnitSessions sessions;
    private final HintTrust trust;
    private final SourceWindow window;
    private final Scanner scanner;
    private final SyncPoints syncPoints;
    private final long splitEnd;

    private final Deque<InFlight> batches = new ArrayDeque<>();
    private Iterator<DecodedChunk.Output> outputs;
    private DecodedChunk.Source source;
    private boolean batchConsumed;
    /** Whether the first unit with content has not been named yet, and is to be read with little memory. */
    private boolean first;
    /** Whether bytes have been handed out. */
    private boolean begun;

    private Lease outputLease;
    private ByteBuffer bytes;
    private ByteBuffer room;
    private boolean bytesInRoom;
    private CutUnit unitInTurn;
    private DecodeSession session;
    private Unit sessionUnit;
    private boolean sessionPosition;
    private long sessionOffset;
    private boolean sessionEnded;
    /** What the session threw when it had decoded something in the same call, which is delivered first. */
    private IOException sessionError;

    private boolean ended;
    /** Where the first sync point from the split's end on lies, once it has been found: still true when an earlier unit is gone back to. */
    private long seamOffset = Long.MAX_VALUE;

    private IOException error;
    private boolean closed;
    private boolean counted;

    private long unitOffset;
    private boolean unitMovesPosition;
    /** A chunk that was gone back to and is a marker, now skipped, and a frame: for a split the frame has the chunk's place. */
    private long markerOffset;

    private long markedOffset = -1;
    private boolean markerMovesPosition;
    private boolean endedBoundary;
    private Unit.Kind endedKind;

    /** The chunks of one submission and the skipped bytes between them. */
    private static final class InFlight {
        final Batch<DecodedChunk> batch;
        final Deque<CutUnit> units;
        int nextChunk;

        InFlight(Batch<DecodedChunk> batch, Deque<CutUnit> units) {
            this.batch = batch;
            this.units = units;
        }
    }

    /**
     * @param syncPoints the split rule, or null when the stream is not a split
     * @param splitEnd absolute offset at which the next split begins; Long.MAX_VALUE for none
     */
    ChunkReader(
            Format format,
            CodecOptions options,
            EngineSelector engines,
            SourceWindow window,
            Scanner scanner,
            SyncPoints syncPoints,
            long splitEnd) {
        this.format = format;
        this.options = options;
        this.engines = engines;
        this.sessions = new UnitSessions(format, options, engines);
        this.trust = new HintTrust(MOST_BATCHES * ((long) options.readAheadBytes() + CodecOptions.MAX_CHUNK_BYTES));
        this.window = window;
        this.scanner = scanner;
        this.syncPoints = syncPoints;
        this.splitEnd = splitEnd;
        if (!window.isPushed() && !engines.worksAhead(format, Direction.DECODE, options)) {
            window.frugal();
            // a split's units are named as all its readers name them
            first = syncPoints == null;
        }
    }

    /** This reader, as a part of a stream that has been counted. */
    ChunkReader ofCountedStream() {
        counted = true;
        return this;
    }

    @Override
    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public boolean bytesInRoom() {
        return bytesInRoom;
    }

    /** Absolute offset of the unit that the last BYTES or UNIT_END belongs to. */
    @Override
    public long unitOffset() {
        return unitOffset == markedOffset ? markerOffset : unitOffset;
    }

    @Override
    public boolean unitMovesPosition() {
        return unitMovesPosition;
    }

    /** After UNIT_END: whether a complete stream ended with that unit. */
    boolean endedBoundary() {
        return endedBoundary;
    }

    /** After UNIT_END: what that unit was. */
    Unit.Kind endedKind() {
        return endedKind;
    }

    /** Goes on to the next event. An error is sticky. */
    Event advance() throws IOException {
        return advance(null);
    }

    /**
     * Goes on to the next event, decoding straight into the caller's memory where that saves a copy.
     *
     * @param callersRoom a heap buffer from position 0 to its capacity, or null
     */
    @Override
    public Event advance(ByteBuffer callersRoom) throws IOException {
        if (closed) {
            throw new IOException("stream is closed");
        }
        room = callersRoom;
        if (begun) {
            window.consumerReadsOn();
        }
        try {
            Event event = step();
            if (event == Event.BYTES && !begun) {
                begun = true;
                window.trim();
            }
            return event;
        } catch (IOException thrown) {
            error = thrown;
            releaseAll();
            throw thrown;
        } catch (RuntimeException | LinkageError thrown) {
            // a LinkageError: a library of another version than those that were tried
            error = new IOException(
                    "decoder of " + format.word() + " failed at offset " + window.offset() + ": " + thrown, thrown);
            releaseAll();
            throw error;
        } finally {
            room = null;
        }
    }

    private Event step() throws IOException {
        if (!counted) {
            // the CPU is asked whatever engine reads: it does what that one leaves
            engines.cpu().requireLibrary(format);
            counted = true;
            Metrics.countStream(Direction.DECODE, format);
        }
        releaseOutput();
        while (true) {
            if (outputs != null) {
                if (outputs.hasNext()) {
                    DecodedChunk.Output output = outputs.next();
                    outputLease = output.lease();
                    bytes = output.lease().memory().slice(0, output.bytes());
                    bytesInRoom = output.lease().memory() == room;
                    return Event.BYTES;
                }
                outputs = null;
                return unitEnd(unitInTurn);
            }
            if (source != null) {
                if (source.remaining() > 0) {
                    return readSource();
                }
                closeSource();
                return unitEnd(unitInTurn);
            }
            if (session != null) {
                return runSession();
            }
            InFlight head = batches.peekFirst();
            if (head != null && head.units.isEmpty()) {
                batches.removeFirst();
                head.batch.close();
                batchConsumed = true;
                continue;
            }
            if (head != null) {
                keepBusy();
                CutUnit planned = head.units.peekFirst();
                if (planned.unit().kind() == Unit.Kind.SKIP) {
                    head.units.removeFirst();
                    planned.lease().release();
                    return unitEnd(planned);
                }
                deliver(head, planned, head.batch.take(head.nextChunk, room));
                continue;
            }
            if (error != null) {
                throw error;
            }
            if (ended) {
                return Event.END;
            }
            if (!plan(true)) {
                return Event.NEEDS_INPUT;
            }
        }
    }

    private Event readSource() throws IOException {
        boolean direct = room != null && room.capacity() >= LEAST_ROOM_BYTES;
        ByteBuffer target = direct ? room.duplicate() : pieceOfOutput("source", 1);
        source.read(target);
        bytes = target.flip();
        bytesInRoom = direct;
        return Event.BYTES;
    }

    /** Memory for decoded bytes that the caller gave no room for. */
    private ByteBuffer pieceOfOutput(String owner, int leastBytes) {
        if (outputLease == null) {
            int pieceBytes = begun ? PIECE_BYTES : Math.max(leastBytes, FIRST_PIECE_BYTES);
            outputLease = engines.cpu().tryLease(pieceBytes, owner);
        }
        return outputLease.memory().duplicate();
    }

    private void closeSource() {
        if (source != null) {
            source.close();
            source = null;
            unitInTurn.lease().release();
        }
    }

    private Event unitEnd(CutUnit planned) {
        unitOffset = planned.offset();
        endedBoundary = planned.unit().boundary();
        endedKind = planned.unit().kind();
        return Event.UNIT_END;
    }

    /** Puts more batches in flight where the engine works on its own: a second one at any time, others when the first is begun. */
    private void keepBusy() throws IOException {
        int planned = 0;
        while (batches.size() != planned
                && (batches.size() < 2 || batches.peekFirst().nextChunk == 0)
                && !window.isPushed()
                && window.buffered() > 0
                && error == null
                && !ended
                && session == null
                && trust.allowsReadingAhead()
                && batches.size() < engines.batchesInFlight(format, options)) {
            planned = batches.size();
            plan(false);
        }
    }

    private void deliver(InFlight head, CutUnit planned, DecodedChunk result) throws IOException {
        if (result.status() == DecodedChunk.Status.ENGINE_FAILED) {
            Metrics.countFallback(Direction.DECODE, format, FallbackReason.ENGINE_FAILED);
            result = decodeOnCpu(planned);
        }
        if (result.status() == DecodedChunk.Status.DONE) {
            head.units.removeFirst();
            head.nextChunk++;
            unitInTurn = planned;
            source = result.source();
            if (source == null) {
                planned.lease().release();
                outputs = result.outputs().iterator();
            }
            unitOffset = planned.offset();
            unitMovesPosition = planned.newPosition();
            trust.proved(result.rawBytes());
            return;
        }
        Metrics.countFallback(
                Direction.DECODE,
                format,
                result.status() == DecodedChunk.Status.NEEDS_OUTPUT
                        ? FallbackReason.OVER_BUDGET
                        : FallbackReason.CHUNK_UNDECODABLE);
        goBack(planned);
        if (result.status() == DecodedChunk.Status.UNDECODABLE && trust.lied()) {
            scanner.ignoreHints();
        }
        Unit unit = result.status() == DecodedChunk.Status.NEEDS_OUTPUT
                ? scanner.inPieces(window, planned.unit())
                : scanner.again(window, planned.unit(), result.reason());
        if (unit.kind() == Unit.Kind.SESSION) {
            openSession(unit, planned.newPosition());
        } else if (unit.kind() == Unit.Kind.CHUNK || unit.kind() == Unit.Kind.SKIP) {
            if (unit.kind() == Unit.Kind.SKIP) {
                markerOffset = planned.offset();
                markedOffset = planned.offset() + unit.advance();
                markerMovesPosition = planned.newPosition();
            }
            Deque<CutUnit> units = new ArrayDeque<>(1);
            cut(unit, planned.stateBefore(), planned.newPosition(), units);
            scanner.passed(unit);
            List<Chunk> chunks = unit.kind() == Unit.Kind.SKIP
                    ? List.of()
                    : List.of(units.peekFirst().chunk());
            batches.add(new InFlight(engines.cpu().decode(format, asked(), chunks), units));
        } else if (unit.kind() != Unit.Kind.NEEDS_INPUT) {
            throw new IllegalStateException("a scanner answers an undecodable chunk with " + unit.kind());
        }
    }

    private DecodedChunk decodeOnCpu(CutUnit planned) throws IOException {
        try (Batch<DecodedChunk> again = engines.cpu().decode(format, asked(), List.of(planned.chunk()))) {
            return again.take(0);
        }
    }

    /** Pushes everything from this unit on back into the window. */
    private void goBack(CutUnit first) {
        long endOffset = window.offset();
        int restoredBytes = Math.toIntExact(endOffset - first.offset());
        Lease restored = engines.cpu().tryLease(restoredBytes + 1, "push back");
        for (InFlight inFlight : batches) {
            for (CutUnit planned : inFlight.units) {
                int at = Math.toIntExact(planned.offset() - first.offset());
                int count = Math.min(planned.unit().bytes(), restoredBytes - at);
                restored.memory().put(at, planned.lease().memory(), planned.start(), count);
            }
        }
        dropBatches();
        window.pushBack(first.offset(), restored, restoredBytes);
        restored.release();
        scanner.restore(first.stateBefore());
        error = null;
        ended = false;
    }

    private void dropBatches() {
        for (InFlight inFlight : batches) {
            inFlight.batch.close();
            inFlight.units.forEach(planned -> planned.lease().release());
        }
        batches.clear();
    }

    private CodecOptions asked() {
        return scanner.framing(options.framing()) == options.framing()
                ? options
                : options.withFraming(scanner.framing(options.framing()));
    }

    /**
     * Cuts what the window gives into one batch and submits it, or opens a session.
     *
     * @param patient whether to block for the first unit
     * @return false when there is not enough input for anything
     */
    private boolean plan(boolean patient) throws IOException {
        Deque<CutUnit> units = new ArrayDeque<>();
        List<Chunk> chunks = new ArrayList<>();
        try {
            cutUnits(patient, units, chunks);
        } catch (IOException thrown) {
            error = thrown;
        }
        if (!units.isEmpty()) {
            Engine engine;
            try {
                // one chunk that is waited for at once is no work for a device
                engine = chunks.isEmpty() || !trust.allowsReadingAhead()
                        ? engines.cpu()
                        : engines.choose(format, Direction.DECODE, options);
            } catch (IOException refused) {
                units.forEach(planned -> planned.lease().release());
                throw refused;
            }
            batches.add(new InFlight(engine.decode(format, asked(), chunks), units));
            return true;
        }
        return session != null || ended || error != null;
    }

    private void cutUnits(boolean patient, Deque<CutUnit> units, List<Chunk> chunks) throws IOException {
        // pushed input may not belong to this stream beyond its first boundary: nothing is cut there
        boolean unitByUnit = window.isPushed();
        boolean ahead =
                !unitByUnit && trust.allowsReadingAhead() && engines.worksAhead(format, Direction.DECODE, options);
        int wanted = ahead ? MAX_BATCH_CHUNKS : 1;
        long rawBytes = 0;
        window.beginBatch(batchConsumed);
        batchConsumed = false;
        while (chunks.size() < wanted && rawBytes < options.readAheadBytes()) {
            window.setPatient(patient && units.isEmpty());
            ScannerState before = scanner.state();
            Unit unit = first ? scanner.first(window) : scanner.next(window);
            switch (unit.kind()) {
                case END -> {
                    ended = true;
                    return;
                }
                case NEEDS_INPUT -> {
                    return;
                }
                case SESSION -> {
                    if (units.isEmpty() && batches.isEmpty()) {
                        first = false;
                        openSession(unit, movesPosition());
                    }
                    return;
                }
                case SKIP -> {
                    // a marker that is passed over may be the sync point of the unit behind it
                    movesPosition();
                    cut(unit, before, false, units);
                    scanner.passed(unit);
                    if (unitByUnit && unit.boundary()) {
                        return;
                    }
                }
                case CHUNK -> {
                    boolean moves = movesPosition();
                    CutUnit planned = cut(unit, before, moves, units);
                    first = false;
                    chunks.add(planned.chunk());
                    rawBytes += Math.max(unit.bytes(), unit.rawBytes());
                    scanner.passed(unit);
                }
            }
        }
    }

    private CutUnit cut(Unit unit, ScannerState stateBefore, boolean moves, Deque<CutUnit> units) {
        CutUnit planned =
                new CutUnit(unit, stateBefore, window.shareLease(), window.position(), window.offset(), moves);
        window.consume(unit.advance());
        units.add(planned);
        return planned;
    }

    /**
     * Whether the unit at the front of the window moves a split's position. Before the split's end it makes no difference to
     * any reader whether a unit is a sync point; from there on exactly the first sync point ends the split.
     */
    private boolean movesPosition() throws IOException {
        if (syncPoints == null) {
            return false;
        }
        if (window.offset() == markedOffset) {
            return markerMovesPosition;
        }
        if (window.offset() < splitEnd || window.offset() >= seamOffset) {
            return true;
        }
        window.setPatient(true);
        if (!syncPoints.isSyncPoint(window)) {
            return false;
        }
        seamOffset = window.offset();
        return true;
    }

    private void openSession(Unit unit, boolean moves) throws IOException {
        session = sessions.open(asked(), window.offset(), window.expectedBytes());
        sessionUnit = unit;
        sessionPosition = moves;
        sessionOffset = window.offset();
        sessionEnded = false;
    }

    private Event runSession() throws IOException {
        unitOffset = sessionOffset;
        unitMovesPosition = sessionPosition;
        while (true) {
            if (sessionError != null) {
                throw sessionError;
            }
            if (sessionEnded) {
                session.close();
                session = null;
                sessions.ended(window.offset() - sessionOffset);
                scanner.passed(sessionUnit);
                endedBoundary = sessionUnit.boundary();
                endedKind = Unit.Kind.SESSION;
                return Event.UNIT_END;
            }
            if (session.leastInputBytes() > 1 && !window.isPushed()) {
                window.gather(session.leastInputBytes(), session.usefulInputBytes());
            }
            ByteBuffer input = window.view(0, window.buffered());
            ByteBuffer output = session.preferredOutput();
            boolean direct = output == null && room != null && room.capacity() >= LEAST_ROOM_BYTES;
            if (direct) {
                output = room.duplicate();
            } else if (output == null) {
                output = pieceOfOutput("session", session.leastOutputBytes());
            }
            DecodeSession.State state = null;
            try {
                state = session.decode(input, output);
            } catch (IOException bad) {
                // how much one call decodes before the error depends on how much input was at hand: all of it is
                // delivered
                if (output.position() == 0) {
                    throw bad;
                }
                sessionError = bad;
            } finally {
                window.consume(input.position());
            }
            sessionEnded = state == DecodeSession.State.FINISHED;
            if (output.position() > 0) {
                bytes = output.flip();
                bytesInRoom = direct;
                return Event.BYTES;
            }
            if (state == DecodeSession.State.NEEDS_INPUT) {
                window.setPatient(true);
                if (!window.require(window.buffered() + 1)) {
                    if (window.ended() && session.mayEndHere()) {
                        sessionEnded = true;
                        continue;
                    }
                    if (window.ended()) {
                        throw new TruncatedDataException(
                                format, window.offset() + window.buffered(), "the stream ends " + session.missing());
                    }
                    return Event.NEEDS_INPUT;
                }
                window.topUp(session.usefulInputBytes());
            }
        }
    }

    private void releaseOutput() {
        if (outputLease != null) {
            outputLease.release();
            outputLease = null;
        }
        bytes = null;
        bytesInRoom = false;
    }

    private void releaseAll() {
        releaseOutput();
        if (outputs != null) {
            outputs.forEachRemaining(output -> output.lease().release());
            outputs = null;
        }
        closeSource();
        if (session != null) {
            session.close();
            session = null;
        }
        dropBatches();
        window.release();
        // a closed stream that is still referred to must not hold the memory that its last unit lay in
        unitInTurn = null;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            releaseAll();
        }
    }
}
