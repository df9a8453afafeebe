package io.warpcodec.engine.gpu.segment;

import io.warpcodec.device.lease.DeviceLease;
import java.nio.ByteBuffer;

/**
 * What a segment decoded to, while it is taken: from page-locked memory, where a device put it,
 * or from a copy on the heap. The former saves a copy of each byte; the latter leaves the memory to others. Not
 * thread-safe.
 */
final class SegmentOutput implements AutoCloseable {
    /** Has the bytes, if they were not copied; null if they were, or there are none. */
    private DeviceLease lease;

    private byte[] copy = {};
    /** Bytes of the results in front of the output. */
    private int headBytes;

    private int bytes;
    private int at;

    /** Takes over a lease whose results are there. What was left of the segment before is forgotten. */
    void open(DeviceLease results, int resultHeadBytes, int rawBytes) {
        close();
        lease = results;
        headBytes = resultHeadBytes;
        bytes = rawBytes;
        endLease();
    }

    /** Copies all of it, and gives the lease back. If the results are gone, that is told by {@link #take}. */
    void copyAll(int mostRawBytes) {
        if (lease == null) {
            return;
        }
        if (copy.length < bytes) {
            copy = new byte[mostRawBytes];
        }
        if (lease.read(results -> results.get(headBytes, copy, 0, bytes))) {
            lease.close();
            lease = null;
        }
    }

    /** Bytes that are left. */
    int remaining() {
        return bytes - at;
    }

    /**
     * Copies to a buffer's position, which moves, as many bytes as are left or fit.
     *
     * @return false if they are gone: their memory was lent to others. Then none is left.
     */
    boolean take(ByteBuffer target) {
        int count = Math.min(remaining(), target.remaining());
        if (count == 0) {
            return true;
        }
        boolean there = true;
        if (lease == null) {
            target.put(copy, at, count);
        } else {
            there = lease.read(results -> {
                target.put(target.position(), results, headBytes + at, count);
                target.position(target.position() + count);
            });
        }
        if (!there) {
            close();
            return false;
        }
        at += count;
        endLease();
        return true;
    }

    private void endLease() {
        if (at == bytes && lease != null) {
            lease.close();
            lease = null;
        }
    }

    /** Forgets what is left, and gives the lease back. */
    @Override
    public void close() {
        at = 0;
        bytes = 0;
        endLease();
    }
}
