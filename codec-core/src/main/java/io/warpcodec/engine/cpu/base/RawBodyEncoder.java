package io.warpcodec.engine.cpu.base;

import java.io.IOException;

/** Encodes bodies that carry no container: raw Snappy. Not thread-safe. */
public interface RawBodyEncoder extends AutoCloseable {
    /** Most bytes of a body for this many raw bytes. */
    int maxBodyBytes(int rawBytes);

    /**
     * Encodes; from {@code targetStart} on the target holds at least {@link #maxBodyBytes}. Returns the length of the
     * body.
     */
    int encode(byte[] raw, int start, int bytes, byte[] target, int targetStart) throws IOException;

    @Override
    default void close() {}
}
