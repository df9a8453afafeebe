package io.warpcodec.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What became of one chunk that was to be decoded. The caller that takes it releases its leases and closes its source.
 *
 * @param status the outcome
 * @param outputs decoded bytes in order, empty unless {@link Status#DONE}
 * @param source the decoded bytes where the engine still holds them, instead of outputs; else null
 * @param reason why not, null when done
 */
public record DecodedChunk(Status status, List<Output> outputs, Source source, String reason) {

    /** Outcome of a chunk. */
    public enum Status {
        /** Decoded, checksums verified. */
        DONE,
        /** It decodes to more than the output budget: stream it through a session. */
        NEEDS_OUTPUT,
        /** The bytes are not one whole valid unit: damaged, or cut at the wrong place by a lying hint. */
        UNDECODABLE,
        /** The engine failed, not the data: do it again on the CPU. */
        ENGINE_FAILED
    }

    /**
     * @param lease memory that holds decoded bytes from its index 0
     * @param bytes how many
     */
    public record Output(Lease lease, int bytes) {}

    /**
     * Decoded and verified bytes that an engine holds, to be copied straight to where they are wanted. The chunk's
     * input stays held until it is closed: an engine that needs the memory for others decodes the rest again. Not
     * thread-safe.
     */
    public interface Source extends AutoCloseable {
        /** Bytes not read yet. */
        int remaining();

        /**
         * Copies the next bytes, as many as fit.
         *
         * @param target a buffer, on the heap or direct, filled from its position on
         * @throws IOException if the engine lost them and cannot get them again
         */
        void read(ByteBuffer target) throws IOException;

        /** Gives everything back. Idempotent. */
        @Override
        void close();
    }

    /** A chunk that was decoded into leases, in their order; the receiver releases them. */
    public static DecodedChunk done(List<Output> outputs) {
        return new DecodedChunk(Status.DONE, outputs, null, null);
    }

    /** A chunk whose bytes are read from a source; the receiver closes it. */
    public static DecodedChunk done(Source source) {
        return new DecodedChunk(Status.DONE, List.of(), source, null);
    }

    /** A chunk that was not decoded, for a reason that a message can end with. Nothing is held. */
    public static DecodedChunk failed(Status status, String reason) {
        return new DecodedChunk(status, List.of(), null, reason);
    }

    /** Decoded bytes that are not read yet. */
    public long rawBytes() {
        long rawBytes = source == null ? 0 : source.remaining();
        for (Output output : outputs) {
            rawBytes += output.bytes();
        }
        return rawBytes;
    }

    /** Releases every output and closes the source. */
    public void release() {
        if (source != null) {
            source.close();
        }
        for (Output output : outputs) {
            output.lease().release();
        }
    }
}
