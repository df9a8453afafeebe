package io.warpcodec.engine.cpu.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.cpu.base.HeapView;
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
 */
final class ZstdCpuSession implements DecodeSession {
    /** Where in the unit the session stands. */
    private enum Phase {
        MAGIC,
        HEADER,
        BODY,
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
    private boolean frameEnded;
    /** Bytes at the front of the input that are followed and not yet taken by libzstd. */
    private int followedBytes;
    /** A full output may mean that libzstd holds more for it. */
    private boolean mayHoldMore;

    private long rawBytes;
    private final HeapView bytes = new HeapView();
    /** Output of a step where the caller's has no array; made when it is needed. */
    private ByteBuffer aside;

    /** @param budgetBytes content size up to which any window is accepted */
    ZstdCpuSession(int budgetBytes) {
        this.budgetBytes = budgetBytes;
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
                case MAGIC, HEADER, SKIPPABLE_SIZE -> {
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
                case BODY -> {
                    State state = body(input, output);
                    if (state != State.FINISHED) {
                        return state;
                    }
                    phase = Phase.FINISHED;
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
        long windowBytes = header.windowBytes();
        boundedByBudget = header.windowIsTooLarge() && !header.singleSegment();
        if (boundedByBudget) {
            // the content must fit a window of the budget's size, so no reference can tell the difference
            gathered.put(ZstdFrameHeader.WINDOW_DESCRIPTOR_AT, ZstdFrameHeader.windowDescriptor(budgetBytes));
            windowBytes = 2L * budgetBytes;
        }
        if (header.declaresAtMost(windowBytes)) {
            windowBytes = header.contentBytes();
        }
        tracker.start(header);
        stream = new ZstdStream(windowBytes);
        phase = Phase.BODY;
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
        if (!output.hasArray()) {
            output.put(output.position(), target, 0, produced);
        }
        output.position(output.position() + produced);
        mayHoldMore = !target.hasRemaining();
        rawBytes += produced;
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
            throw corrupt("the data is invalid: " + bad.getMessage());
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
            case BODY -> tracker.place();
            case SKIPPABLE_SIZE, SKIPPABLE_BODY -> "inside a skippable frame";
            default -> "inside a frame header";
        };
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }
}
