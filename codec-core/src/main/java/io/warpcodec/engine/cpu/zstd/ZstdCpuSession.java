package io.warpcodec.engine.cpu.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.cpu.base.HeapView;
import io.warpcodec.engine.zstd.ZstdHandOver;
import io.warpcodec.engine.zstd.ZstdSegmentDecoder;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.format.zstd.ZstdFrameTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes one zstd frame, or passes one skippable frame. The frame's header and its blocks' are read here first, so
 * that exactly the frame's bytes go to libzstd and what RFC 8878 forbids is refused whatever its version; tables,
 * sequences and the checksum are libzstd's. Memory is the frame's window, at most 128 MiB; none is taken before a
 * header has been accepted. libzstd works from and into the caller's arrays; only buffers without one are copied, a
 * step at a time.
 *
 * <p>A {@link ZstdSegmentDecoder}, if there is one, decodes blocks until it goes no further. libzstd goes on there.
 */
final class ZstdCpuSession implements DecodeSession {
    /** Where in the unit the session stands. */
    private enum Phase {
        MAGIC,
        HEADER,
        SEGMENTS,
        BODY,
        CHECKSUM,
        SKIPPABLE_SIZE,
        SKIPPABLE_BODY,
        FINISHED
    }

    /** Most bytes on either side of one call of libzstd: of a bad frame, what the call before has made is delivered. */
    private static final int STEP_BYTES = 64 << 10;

    private final int budgetBytes;
    private final ZstdFrameTracker tracker = new ZstdFrameTracker();
    private final ByteBuffer gathered = ByteBuffer.allocate(MAX_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private long startOffset;
    private Phase phase;
    private int wantedBytes;
    private long skipLeft;
    private ZstdFrameHeader header;
    private boolean boundedByBudget;
    private ZstdStream stream;
    private final ZstdSegmentDecoder segments;
    private final ZstdSegmentReader reader;
    /** Open where libzstd does not have all of the content, and the frame has a checksum. */
    private final ZstdContentHash hash = new ZstdContentHash();

    private boolean frameEnded;
    /** Bytes at the front of the input that are followed and not yet taken by libzstd. */
    private int followedBytes;
    /** A full output may mean that libzstd holds more for it. */
    private boolean mayHoldMore;

    private long rawBytes;
    private final HeapView bytes = new HeapView();
    /** Output of a step where the caller's has no array; made when it is needed. */
    private ByteBuffer aside;

    /**
     * @param budgetBytes content size up to which any window is accepted
     * @param segments decodes what it can; null if this session decodes all by itself
     */
    ZstdCpuSession(int budgetBytes, ZstdSegmentDecoder segments) {
        this.budgetBytes = budgetBytes;
        this.segments = segments;
        this.reader = segments == null ? null : new ZstdSegmentReader(segments);
        reset(0);
    }

    @Override
    public void reset(long offset) {
        close();
        startOffset = offset;
        gathered.clear();
        enter(Phase.MAGIC, LEAST_HEADER_BYTES);
        frameEnded = false;
        followedBytes = 0;
        mayHoldMore = false;
        rawBytes = 0;
    }

    private void enter(Phase next, int untilBytes) {
        phase = next;
        wantedBytes = untilBytes;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.ZSTD, startOffset, "in the frame that starts here, " + reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        while (true) {
            switch (phase) {
                case MAGIC, HEADER, SKIPPABLE_SIZE, CHECKSUM -> {
                    if (!gather(input)) {
                        return State.NEEDS_INPUT;
                    }
                    gatheredAll();
                }
                case SKIPPABLE_BODY -> {
                    int count = (int) Math.min(skipLeft, input.remaining());
                    input.position(input.position() + count);
                    skipLeft -= count;
                    if (skipLeft > 0) {
                        return State.NEEDS_INPUT;
                    }
                    phase = Phase.FINISHED;
                }
                case SEGMENTS -> {
                    State state = segment(input, output);
                    if (state != null) {
                        return state;
                    }
                }
                case BODY -> {
                    State state = body(input, output);
                    if (state != State.FINISHED) {
                        return state;
                    }
                    endBlocks();
                }
                case FINISHED -> {
                    return State.FINISHED;
                }
            }
        }
    }

    private boolean gather(ByteBuffer input) {
        while (gathered.position() < wantedBytes && input.hasRemaining()) {
            gathered.put(input.get());
            if (gathered.position() == MAGIC_BYTES && SkippableFrames.isMagic(gathered.getInt(0))) {
                enter(Phase.SKIPPABLE_SIZE, SkippableFrames.HEADER_BYTES);
            }
        }
        return gathered.position() == wantedBytes;
    }

    private void gatheredAll() throws IOException {
        switch (phase) {
            case MAGIC -> {
                if (gathered.getInt(0) != MAGIC) {
                    throw corrupt(WRONG_MAGIC);
                }
                enter(Phase.HEADER, ZstdFrameHeader.bytes(gathered.get(MAGIC_BYTES)));
            }
            case HEADER -> {
                header = ZstdFrameHeader.at(new BufferWindow(gathered.flip(), startOffset), 0);
                startFrame();
            }
            case CHECKSUM -> {
                if (!hash.matches(gathered.getInt(0))) {
                    throw corrupt("the data is invalid: Restored data doesn't match checksum");
                }
                phase = Phase.FINISHED;
            }
            default -> {
                skipLeft = gathered.getInt(SkippableFrames.SIZE_AT) & 0xffff_ffffL;
                phase = Phase.SKIPPABLE_BODY;
            }
        }
    }

    private void startFrame() throws IOException {
        String refusal = header.refusal(budgetBytes);
        if (refusal != null) {
            throw corrupt(refusal);
        }
        boundedByBudget = header.windowIsTooLarge() && !header.singleSegment();
        if (boundedByBudget) {
            // the content must fit a window of the budget's size, so no reference can tell the difference
            gathered.put(ZstdFrameHeader.WINDOW_DESCRIPTOR_AT, ZstdFrameHeader.windowDescriptor(budgetBytes));
        } else if (segments != null) {
            segments.begin(header);
            reader.begin(header.windowBytes());
            tracker.startBlocks(header);
            if (header.checksum()) {
                hash.open();
            }
            phase = Phase.SEGMENTS;
            return;
        }
        startStream();
    }

    /** Has libzstd decode the frame from its begin. */
    private void startStream() {
        long windowBytes = boundedByBudget ? 2L * budgetBytes : header.windowBytes();
        if (header.declaresAtMost(windowBytes)) {
            windowBytes = header.contentBytes();
        }
        hash.close();
        tracker.start(header);
        stream = new ZstdStream(windowBytes);
        phase = Phase.BODY;
    }

    /** Has libzstd go on behind the last segment. */
    private void resumeStream() throws IOException {
        long windowBytes = header.windowBytes();
        gathered.clear()
                .put(ZstdHandOver.header(segments.position(), windowBytes))
                .flip();
        stream = ZstdStream.at(segments.position(), windowBytes);
        phase = Phase.BODY;
    }

    /** All blocks are decoded. */
    private void endBlocks() {
        if (hash.isOpen()) {
            gathered.clear();
            enter(Phase.CHECKSUM, CHECKSUM_BYTES);
        } else {
            phase = Phase.FINISHED;
        }
    }

    /** Takes what the segments give. Tells what is needed, or null if another phase has begun. */
    private State segment(ByteBuffer input, ByteBuffer output) throws IOException {
        // a full output ends this only once it was filled here: the rest of a frame may make no more bytes
        boolean hadCapacity = output.hasRemaining();
        while (true) {
            boolean took = reader.remaining() > 0 && takeSegment(input, output);
            if (reader.remaining() > 0) {
                return State.NEEDS_OUTPUT;
            }
            if (segments.position().ended()) {
                frameEnded = true;
                check();
                endBlocks();
                return null;
            }
            // the next segment is a long one only if much input is at hand, which was kept by this one until now
            if (took || hadCapacity && !output.hasRemaining()) {
                return took || input.hasRemaining() ? State.NEEDS_OUTPUT : State.NEEDS_INPUT;
            }
            // a source that has been sought in may not know yet that more is at hand: that is no reason to go on alone
            if (!input.hasRemaining()) {
                return State.NEEDS_INPUT;
            }
            int from = input.position();
            if (!reader.advance(input)) {
                if (segments.position().isBegin()) {
                    startStream();
                } else {
                    resumeStream();
                }
                return null;
            }
            passed(input, from);
        }
    }

    /** Returns whether there were bytes to take, and space for them. */
    private boolean takeSegment(ByteBuffer input, ByteBuffer output) throws IOException {
        int from = input.position();
        int start = output.position();
        reader.take(input, output);
        int count = output.position() - start;
        hash.update(output.slice(start, count));
        rawBytes += count;
        passed(input, from);
        check();
        return count > 0;
    }

    /** Follows the blocks that a segment has passed. */
    private void passed(ByteBuffer input, int from) throws IOException {
        tracker.follow(input.slice(from, input.position() - from));
        if (tracker.defect() != null) {
            throw corrupt(tracker.defect());
        }
    }

    private State body(ByteBuffer input, ByteBuffer output) throws IOException {
        while (!frameEnded) {
            if (mayHoldMore && !output.hasRemaining()) {
                return State.NEEDS_OUTPUT;
            }
            if (!mayHoldMore && !gathered.hasRemaining() && followedBytes == 0 && !follow(input)) {
                return State.NEEDS_INPUT;
            }
            step(input, output);
        }
        return State.FINISHED;
    }

    /**
     * Follows the frame's bytes at the front of the input; libzstd may have them then. Returns whether there are any.
     */
    private boolean follow(ByteBuffer input) throws IOException {
        if (tracker.defect() == null && tracker.ended()) {
            throw corrupt("the blocks end before the data does");
        }
        if (tracker.defect() == null) {
            ByteBuffer front = input.duplicate();
            tracker.follow(front);
            // of a block with a defect libzstd gets nothing: what came before it is delivered first
            int badBytes = tracker.defect() == null ? 0 : tracker.defectBytes();
            followedBytes = Math.max(0, front.position() - input.position() - badBytes);
        }
        if (tracker.defect() != null && followedBytes == 0) {
            throw corrupt(tracker.defect());
        }
        return followedBytes > 0;
    }

    /** One call of libzstd, from the header or the followed input into the output. */
    private void step(ByteBuffer input, ByteBuffer output) throws IOException {
        int targetBytes = Math.min(output.remaining(), STEP_BYTES);
        ByteBuffer target = output.hasArray()
                ? ByteBuffer.wrap(output.array(), output.arrayOffset() + output.position(), targetBytes)
                : aside(targetBytes);
        int targetStart = target.position();
        long start = segments == null ? 0 : System.nanoTime();
        if (gathered.hasRemaining()) {
            call(gathered, target);
        } else {
            int sourceBytes = Math.min(followedBytes, STEP_BYTES);
            bytes.of(input.slice(input.position(), sourceBytes));
            ByteBuffer source = ByteBuffer.wrap(bytes.array(), bytes.start(), sourceBytes);
            call(source, target);
            int taken = sourceBytes - source.remaining();
            input.position(input.position() + taken);
            followedBytes -= taken;
        }
        int produced = target.position() - targetStart;
        hash.update(target.slice(targetStart, produced));
        if (!output.hasArray()) {
            output.put(output.position(), target, 0, produced);
        }
        output.position(output.position() + produced);
        mayHoldMore = !target.hasRemaining();
        rawBytes += produced;
        if (segments != null) {
            segments.sessionDid(produced, System.nanoTime() - start);
        }
        check();
    }

    private ByteBuffer aside(int limitBytes) {
        if (aside == null) {
            aside = ByteBuffer.allocate(STEP_BYTES);
        }
        return aside.clear().limit(limitBytes);
    }

    private void call(ByteBuffer source, ByteBuffer target) throws IOException {
        try {
            frameEnded = stream.decode(source, target);
        } catch (ZstdIOException bad) {
            if (bad.getErrorCode() == Zstd.errMemoryAllocation()) {
                throw new IOException("no native memory for a zstd window of " + header.windowBytes() + " bytes", bad);
            }
            throw corrupt(ZstdRefusal.reason(bad.getErrorCode(), bad.getMessage()));
        }
    }

    private void check() throws IOException {
        if (frameEnded && (!tracker.ended() || followedBytes > 0)) {
            throw corrupt("the data ends before its blocks do");
        }
        if (boundedByBudget && rawBytes > budgetBytes) {
            throw corrupt(header.windowRefusal());
        }
        if (header.hasContentSize()
                && (Long.compareUnsigned(rawBytes, header.contentBytes()) > 0
                        || frameEnded && rawBytes != header.contentBytes())) {
            throw corrupt("the content is not the " + Long.toUnsignedString(header.contentBytes())
                    + " bytes that the header declares");
        }
    }

    @Override
    public String missing() {
        return switch (phase) {
            case SEGMENTS, BODY -> tracker.place();
            case CHECKSUM -> "inside a frame's checksum";
            case SKIPPABLE_SIZE, SKIPPABLE_BODY -> "inside a skippable frame";
            default -> "inside a frame header";
        };
    }

    @Override
    public int leastInputBytes() {
        return isHelped() ? segments.leastInputBytes() + MAX_HEADER_BYTES : 1;
    }

    @Override
    public int usefulInputBytes() {
        return isHelped() ? segments.usefulInputBytes() : 1;
    }

    /** Whether segments come, or may come. */
    private boolean isHelped() {
        return switch (phase) {
            case MAGIC, HEADER -> segments != null;
            case SEGMENTS -> !segments.position().ended();
            default -> false;
        };
    }

    @Override
    public void close() {
        hash.close();
        if (segments != null) {
            segments.close();
        }
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }
}
