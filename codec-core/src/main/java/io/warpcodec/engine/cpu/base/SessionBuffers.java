package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Lease;
import java.nio.ByteBuffer;

/**
 * The memory of a session that decodes block by block: gathers a header or a block that arrives in several buffers,
 * and keeps decoded bytes until the output takes them. Not thread-safe.
 *
 * <p>Memory: one block as it is and one decoded, taken when needed and given back at the end of the unit. What
 * arrives sizes the first: it doubles as bytes come, a claimed length allocates nothing.
 */
public final class SessionBuffers {
    /** The longest header that can be gathered. */
    private static final int MOST_HEADER_BYTES = 32;

    private static final int SMALLEST_BYTES = 4 << 10;

    private final HeapLeases leases;
    private final String owner;

    private final ByteBuffer head = ByteBuffer.allocate(MOST_HEADER_BYTES);
    private Lease gathered;
    private int gatheredBytes;
    private Lease scratch;
    /** Decoded bytes that the output had no capacity for, from position to limit; in {@link #scratch}. */
    private ByteBuffer pending;

    /** @param owner the format, for the names of leases: {@code lz4} */
    public SessionBuffers(HeapLeases leases, String owner) {
        this.leases = leases;
        this.owner = owner;
    }

    /**
     * The next bytes of the input as one header of up to 32 bytes, gathered.
     *
     * @return null when there are not enough yet
     */
    public ByteBuffer header(ByteBuffer input, int bytes) {
        while (head.position() < bytes && input.hasRemaining()) {
            head.put(input.get());
        }
        return head.position() < bytes ? null : head.slice(0, bytes);
    }

    /** Whether a header has arrived in part. */
    public boolean headerBegun() {
        return head.position() > 0;
    }

    /** Done with the header; the next starts afresh. */
    public void headerDone() {
        head.clear();
    }

    /**
     * So many next bytes of the input, from position to limit: where they lie if all are there, else gathered. Valid
     * until the next call.
     *
     * @return null when there are not enough yet
     */
    public ByteBuffer body(ByteBuffer input, int bytes) {
        if (gatheredBytes == 0 && input.remaining() >= bytes) {
            ByteBuffer whole = input.duplicate().limit(input.position() + bytes);
            input.position(input.position() + bytes);
            return whole;
        }
        // of this block perhaps only a little has come: what the last one was gathered in may be much larger
        releaseIdleInput();
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
        Lease larger = leases.lease(Math.max(bytes, Math.min(wanted, mostBytes)), owner + " input");
        if (gathered != null) {
            larger.memory().put(0, gathered.memory(), 0, gatheredBytes);
            gathered.release();
        }
        gathered = larger;
    }

    /** Memory to decode into, at least so many bytes; what it held up to {@code keptBytes} stays. */
    public ByteBuffer scratch(int bytes, int keptBytes) {
        if (scratch == null || scratch.capacity() < bytes) {
            Lease larger = leases.lease(bytes, owner + " block");
            if (scratch != null) {
                larger.memory().put(0, scratch.memory(), 0, keptBytes);
                scratch.release();
            }
            scratch = larger;
        }
        return scratch.memory();
    }

    /** Hands out bytes of the scratch memory, now or by {@link #drain} as the output takes them. */
    public void deliver(int start, int bytes, ByteBuffer output) {
        pending = scratch.memory().slice(start, bytes);
        drain(output);
    }

    /** Hands out what waits. Returns whether nothing waits any more. */
    public boolean drain(ByteBuffer output) {
        if (pending == null) {
            return true;
        }
        int count = Math.min(pending.remaining(), output.remaining());
        output.put(pending.slice(pending.position(), count));
        pending.position(pending.position() + count);
        if (pending.hasRemaining()) {
            return false;
        }
        pending = null;
        return true;
    }

    /** Gives the memory of gathered input back, if it holds none. */
    public void releaseIdleInput() {
        if (gatheredBytes == 0 && gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    /** Gives all memory back and forgets gathered and decoded bytes, but not a header. Idempotent. */
    public void release() {
        gatheredBytes = 0;
        releaseIdleInput();
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
        pending = null;
    }
}
