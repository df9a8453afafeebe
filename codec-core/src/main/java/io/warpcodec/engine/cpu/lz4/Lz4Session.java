package io.warpcodec.engine.cpu.lz4;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.HeapLeases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * What the sessions of LZ4's three containers share: gathering a header or a block that arrives in pieces, decoding straight
 * into the output where a block surely fits, and handing out the rest of one that does not.
 *
 * <p>Memory: one block as it is and one decoded, both bounded by the container, taken when needed and given back at the end of
 * the unit. What arrives sizes the first: it doubles as bytes come, a claimed length allocates nothing.
 */
abstract class Lz4Session implements DecodeSession {
    private static final int SMALLEST_BYTES = 4 << 10;

    protected final HeapLeases leases;
    protected long startOffset;

    private final ByteBuffer head = ByteBuffer.allocate(32);
    private Lease gathered;
    private int gatheredBytes;
    /** Decoded bytes that found no room, from position to limit; in {@link #scratch}. */
    private ByteBuffer pending;

    private Lease scratch;

    Lz4Session(HeapLeases leases) {
        this.leases = leases;
    }

    /**
     * Goes on by one header, one block or one trailer.
     *
     * @return false when more input is needed for it
     */
    abstract boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException;

    /** Whether the unit is complete. */
    abstract boolean isFinished();

    /** Forgets the unit. */
    abstract void restart();

    /** What the unit is called: "frame". */
    abstract String unitWord();

    @Override
    public final State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        State state = steps(input, output);
        if (gatheredBytes == 0) {
            releaseGathered();
        }
        return state;
    }

    private State steps(ByteBuffer input, ByteBuffer output) throws IOException {
        try {
            while (true) {
                if (pending != null && !drain(output)) {
                    return State.NEEDS_OUTPUT;
                }
                if (isFinished()) {
                    release();
                    return State.FINISHED;
                }
                if (!step(input, output)) {
                    return State.NEEDS_INPUT;
                }
            }
        } catch (DataFormatException bad) {
            throw corrupt(bad.getMessage());
        }
    }

    protected final CorruptDataException corrupt(String reason) {
        return new CorruptDataException(
                Format.LZ4, startOffset, "in the " + unitWord() + " that starts here, " + reason);
    }

    private boolean drain(ByteBuffer output) {
        int count = Math.min(pending.remaining(), output.remaining());
        output.put(pending.slice(pending.position(), count));
        pending.position(pending.position() + count);
        if (pending.hasRemaining()) {
            return false;
        }
        pending = null;
        return true;
    }

    /** Hands out bytes of the scratch memory, now or as room comes. */
    protected final void deliver(int start, int bytes, ByteBuffer output) {
        pending = scratch.memory().slice(start, bytes);
        drain(output);
    }

    /** Memory to decode into, at least so many bytes; what it held up to {@code keptBytes} stays. */
    protected final ByteBuffer scratch(int bytes, int keptBytes) {
        if (scratch == null || scratch.capacity() < bytes) {
            Lease larger = leases.lease(bytes, "lz4 block");
            if (scratch != null) {
                larger.memory().put(0, scratch.memory(), 0, keptBytes);
                scratch.release();
            }
            scratch = larger;
        }
        return scratch.memory();
    }

    /** The next bytes of the input as one header, gathered; null when there are not enough yet. Up to 32 bytes. */
    protected final ByteBuffer header(ByteBuffer input, int bytes) {
        while (head.position() < bytes && input.hasRemaining()) {
            head.put(input.get());
        }
        return head.position() < bytes ? null : head.slice(0, bytes);
    }

    /** Whether a header has arrived in part. */
    protected final boolean headerBegun() {
        return head.position() > 0;
    }

    /** Done with the header; the next starts afresh. */
    protected final void headerDone() {
        head.clear();
    }

    /**
     * The next bytes of the input in one piece, from position to limit: where they lie if all are there, else gathered. Null
     * when there are not enough yet. Valid until the next call.
     */
    protected final ByteBuffer body(ByteBuffer input, int bytes) {
        if (gatheredBytes == 0 && input.remaining() >= bytes) {
            ByteBuffer whole = input.duplicate().limit(input.position() + bytes);
            input.position(input.position() + bytes);
            return whole;
        }
        if (gatheredBytes == 0) {
            // of this block perhaps only a little has come: what the last one was gathered in may be much larger
            releaseGathered();
        }
        int count = Math.min(bytes - gatheredBytes, input.remaining());
        if (count > 0) {
            reserve(gatheredBytes + count, bytes);
            gathered.memory().put(gatheredBytes, input, input.position(), count);
            input.position(input.position() + count);
            gatheredBytes += count;
        }
        if (gatheredBytes < bytes) {
            return null;
        }
        gatheredBytes = 0;
        return gathered.memory().duplicate().clear().limit(bytes);
    }

    private void reserve(int bytes, int mostBytes) {
        if (gathered != null && gathered.capacity() >= bytes) {
            return;
        }
        int wanted = gathered == null ? SMALLEST_BYTES : 2 * gathered.capacity();
        Lease larger = leases.lease(Math.max(bytes, Math.min(wanted, mostBytes)), "lz4 input");
        if (gathered != null) {
            larger.memory().put(0, gathered.memory(), 0, gatheredBytes);
            gathered.release();
        }
        gathered = larger;
    }

    @Override
    public final void reset(long offset) {
        startOffset = offset;
        release();
        head.clear();
        restart();
    }

    private void releaseGathered() {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    private void release() {
        releaseGathered();
        gatheredBytes = 0;
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
        pending = null;
    }

    @Override
    public void close() {
        release();
    }
}
