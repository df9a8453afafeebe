package io.warpcodec.engine.cpu.base;

import java.nio.ByteBuffer;

/**
 * Shows the bytes of a buffer as an array range, for libraries that take arrays: the buffer's own array where it has
 * one, else a copy in scratch memory that the next call overwrites. Not thread-safe.
 */
public final class HeapView {
    private byte[] scratch = new byte[0];
    private byte[] array;
    private int start;

    /** Looks at a buffer from position to limit; the buffer is not changed. */
    public void of(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            array = buffer.array();
            start = buffer.arrayOffset() + buffer.position();
            return;
        }
        if (scratch.length < buffer.remaining()) {
            scratch = new byte[buffer.remaining()];
        }
        buffer.get(buffer.position(), scratch, 0, buffer.remaining());
        array = scratch;
        start = 0;
    }

    /**
     * The array that holds the bytes, from {@link #start} on; not to be written to, and valid until the next
     * {@link #of}.
     */
    public byte[] array() {
        return array;
    }

    /** Index of the first byte in {@link #array}. */
    public int start() {
        return start;
    }
}
