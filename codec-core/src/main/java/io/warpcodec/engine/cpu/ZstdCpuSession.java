package io.warpcodec.engine.cpu;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.format.zstd.ZstdFrameTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes one zstd frame, or passes one skippable frame. The header is parsed and the blocks are followed by ourselves, so that
 * exactly the frame's bytes go to libzstd and what RFC 8878 forbids is refused whatever its version; tables, sequences and
 * the checksum are libzstd's. Memory is the frame's window, at most 128 MiB, and two buffers; none is taken before a header has
 * been accepted.
 */
final class ZstdCpuSession implements DecodeSession {
    /** Where in the unit the session stands. */
    private enum Part {
        MAGIC,
        HEADER,
        BODY,
        SKIPPABLE_SIZE,
        SKIPPABLE_BODY,
        FINISHED
    }

    private static final int MAGIC_BYTES = 4;
    private static final int MAGIC_AND_DESCRIPTOR_BYTES = 5;

    private final int budgetBytes;
    private final ZstdFrameTracker tracker = new ZstdFrameTracker();
    private final ByteBuffer gathered = ByteBuffer.allocate(MAX_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private long startOffset;
    private Part part;
    private int wantedBytes;
    private long skipLeft;
    private ZstdFrameHeader header;
    private boolean boundedByBudget;
    private ZstdStream stream;
    private boolean frameEnded;
    /** A full output may mean that libzstd holds more for it. */
    private boolean mayHoldMore;

    private long rawBytes;

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
        enter(Part.MAGIC, MAGIC_AND_DESCRIPTOR_BYTES);
        frameEnded = false;
        mayHoldMore = false;
        rawBytes = 0;
    }

    private void enter(Part next, int untilBytes) {
        part = next;
        wantedBytes = untilBytes;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.ZSTD, startOffset, "in the frame that starts here, " + reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        while (true) {
            switch (part) {
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
                    part = Part.FINISHED;
                }
                case BODY -> {
                    State state = body(input, output);
                    if (state != State.FINISHED) {
                        return state;
                    }
                    part = Part.FINISHED;
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
            if (gathered.position() == MAGIC_BYTES && isSkippable(gathered.getInt(0))) {
                enter(Part.SKIPPABLE_SIZE, SKIPPABLE_HEADER_BYTES);
            }
        }
        return gathered.position() == wantedBytes;
    }

    private void gatheredAll() throws IOException {
        switch (part) {
            case MAGIC -> {
                if (gathered.getInt(0) != MAGIC) {
                    throw corrupt("the magic is wrong");
                }
                enter(Part.HEADER, ZstdFrameHeader.bytes(gathered.get(4)));
            }
            case HEADER -> {
                header = ZstdFrameHeader.at(new BufferWindow(gathered.flip(), startOffset), 0);
                startFrame();
            }
            default -> {
                skipLeft = gathered.getInt(4) & 0xffff_ffffL;
                part = Part.SKIPPABLE_BODY;
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
        stream.input().clear().put(gathered).flip();
        part = Part.BODY;
    }

    private State body(ByteBuffer input, ByteBuffer output) throws IOException {
        ByteBuffer decoded = stream.output();
        while (true) {
            if (decoded.hasRemaining()) {
                int count = Math.min(decoded.remaining(), output.remaining());
                output.put(output.position(), decoded, decoded.position(), count);
                output.position(output.position() + count);
                decoded.position(decoded.position() + count);
                if (decoded.hasRemaining()) {
                    return State.NEEDS_ROOM;
                }
            }
            if (frameEnded) {
                return State.FINISHED;
            }
            if (!stream.input().hasRemaining() && !mayHoldMore && !feed(input)) {
                return State.NEEDS_INPUT;
            }
            if (output.isDirect() && output.hasRemaining()) {
                step(output);
                if (mayHoldMore && !frameEnded) {
                    return State.NEEDS_ROOM;
                }
            } else {
                try {
                    step(decoded.clear());
                } finally {
                    decoded.flip();
                }
            }
        }
    }

    /** Moves bytes of the frame to libzstd's side. Returns whether there were any. */
    private boolean feed(ByteBuffer input) throws IOException {
        if (tracker.defect() != null) {
            throw corrupt(tracker.defect());
        }
        if (tracker.ended()) {
            throw corrupt("the blocks end before the data does");
        }
        if (!input.hasRemaining()) {
            return false;
        }
        ByteBuffer target = stream.input().clear();
        ByteBuffer part = input.slice(input.position(), Math.min(input.remaining(), target.capacity()));
        tracker.follow(part);
        int followed = part.position();
        input.position(input.position() + followed);
        // of a block with a defect libzstd gets nothing: what came before it is delivered first
        int good = tracker.defect() == null ? followed : Math.max(0, followed - tracker.defectBytes());
        target.put(part.flip().limit(good)).flip();
        return true;
    }

    private void step(ByteBuffer target) throws IOException {
        int before = target.position();
        try {
            frameEnded = stream.decode(target);
        } catch (ZstdException bad) {
            if (bad.getErrorCode() == Zstd.errMemoryAllocation()) {
                throw new IOException("no native memory for a zstd window of " + header.windowBytes() + " bytes", bad);
            }
            throw corrupt("the data is invalid: " + bad.getMessage());
        }
        rawBytes += target.position() - before;
        mayHoldMore = !target.hasRemaining();
        if (frameEnded && (!tracker.ended() || stream.input().hasRemaining())) {
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
    public ByteBuffer preferredOutput() {
        return stream == null || stream.output().hasRemaining()
                ? null
                : stream.output().duplicate().clear();
    }

    @Override
    public String missing() {
        return switch (part) {
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
