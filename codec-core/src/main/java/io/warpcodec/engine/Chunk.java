package io.warpcodec.engine;

import io.warpcodec.format.UnitDetail;
import java.nio.ByteBuffer;

/**
 * One chunk handed to an engine: a range of a lease. To decode it is a whole wire unit (a gzip member with header and
 * trailer, an LZ4 frame with the marker before it, the bytes that a bzip2 block touches); to encode it is raw bytes.
 *
 * <p>The caller that submits a chunk holds its lease until the batch is closed: an engine may work from it at any
 * time until then, and a failed device's work is redone from it.
 *
 * @param input memory that holds the chunk
 * @param start first byte in {@code input}
 * @param bytes length in bytes
 * @param offset absolute offset of the chunk in its stream, in bytes, for messages
 * @param rawBytes size when decoded as a hint, or -1; never trusted
 * @param detail to decode: what the format's scanner knows besides, null for most formats
 * @param historyBytes to encode: how many raw bytes right before {@code start} precede the chunk in its stream and
 *     may be referred to
 */
public record Chunk(Lease input, int start, int bytes, long offset, int rawBytes, UnitDetail detail, int historyBytes) {

    /** A chunk to decode. */
    public static Chunk encoded(Lease input, int start, int bytes, long offset, int rawBytes, UnitDetail detail) {
        return new Chunk(input, start, bytes, offset, rawBytes, detail, 0);
    }

    /** A chunk to encode. */
    public static Chunk raw(Lease input, int start, int bytes, long offset, int historyBytes) {
        return new Chunk(input, start, bytes, offset, bytes, null, historyBytes);
    }

    /** A fresh read-only view of the bytes. */
    public ByteBuffer view() {
        return input.memory().asReadOnlyBuffer().slice(start, bytes);
    }

    /** A fresh view that shows the backing array where there is one. Treat as read-only. */
    public ByteBuffer bytesView() {
        return input.memory().slice(start, bytes);
    }
}
