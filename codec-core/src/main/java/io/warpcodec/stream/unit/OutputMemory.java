package io.warpcodec.stream.unit;

import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.EngineSelector;
import java.nio.ByteBuffer;

/**
 * The decoded bytes that a reader hands out at once, and the memory that they lie in: the caller's target where that
 * saves a copy, else a lease, which is held until {@link #release}. Pieces are small before the first bytes are
 * handed out, since many streams are never read further.
 *
 * <p>Not thread-safe.
 */
final class OutputMemory {
    private static final int FIRST_PIECE_BYTES = 16 << 10;
    private static final int PIECE_BYTES = 64 << 10;
    /**
     * A session or a source writes straight into a target of at least this size: smaller ones cost more calls than
     * they save.
     */
    private static final int LEAST_TARGET_BYTES = 16 << 10;

    private final EngineSelector engines;
    private ByteBuffer target;
    private Lease lease;
    private ByteBuffer bytes;
    private boolean bytesInTarget;
    private boolean pieceIsTarget;
    private boolean begun;

    OutputMemory(EngineSelector engines) {
        this.engines = engines;
    }

    /** The caller's memory from now on, on the heap or not: from position 0 to its capacity; or null. */
    void setTarget(ByteBuffer target) {
        this.target = target;
    }

    /** The caller's memory if it is on the heap, where engines and sessions decode; else null. */
    ByteBuffer heapTarget() {
        return target != null && target.hasArray() ? target : null;
    }

    /** Decoded bytes to consume; null if there are none. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Whether {@link #bytes} lie in the target, from its start. */
    boolean bytesInTarget() {
        return bytesInTarget;
    }

    /** Whether bytes have been handed out ({@link #begin}). */
    boolean hasBegun() {
        return begun;
    }

    /** The first bytes are handed out. */
    void begin() {
        begun = true;
    }

    /**
     * Memory on the heap to decode into: the same until {@link #release}.
     *
     * @param leastBytes what has to fit where it is not the caller's memory
     */
    ByteBuffer piece(String owner, int leastBytes) {
        return piece(heapTarget(), owner, leastBytes);
    }

    /** Memory to copy decoded bytes to: the same until {@link #release}. */
    ByteBuffer pieceOfSource() {
        return piece(target, "source", 1);
    }

    private ByteBuffer piece(ByteBuffer possibleTarget, String owner, int leastBytes) {
        pieceIsTarget = possibleTarget != null && possibleTarget.capacity() >= LEAST_TARGET_BYTES;
        if (pieceIsTarget) {
            return possibleTarget.duplicate();
        }
        if (lease == null) {
            int pieceBytes = begun ? PIECE_BYTES : Math.max(leastBytes, FIRST_PIECE_BYTES);
            lease = engines.cpu().lease(pieceBytes, owner);
        }
        return lease.memory().duplicate();
    }

    /** Hands out what lies before the position of a {@link #piece}. */
    void handOutPiece(ByteBuffer piece) {
        bytes = piece.flip();
        bytesInTarget = pieceIsTarget;
    }

    /** Hands out what lies before the position of memory that is not the reader's. */
    void handOut(ByteBuffer decoded) {
        bytes = decoded.flip();
        bytesInTarget = false;
    }

    /** Hands out an engine's output, and takes its lease. */
    void handOut(DecodedChunk.Output output) {
        lease = output.lease();
        bytes = lease.memory().slice(0, output.bytes());
        bytesInTarget = lease.memory() == target;
    }

    /** Gives back the memory of what was handed out. */
    void release() {
        if (lease != null) {
            lease.release();
            lease = null;
        }
        bytes = null;
        bytesInTarget = false;
    }
}
