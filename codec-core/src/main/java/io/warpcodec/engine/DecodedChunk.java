package io.warpcodec.engine;

import java.util.List;

/**
 * What became of one chunk that was to be decoded. Whoever takes it releases its leases.
 *
 * @param status the outcome
 * @param outputs decoded bytes in order, empty unless {@link Status#DONE}
 * @param reason why not, null when done
 */
public record DecodedChunk(Status status, List<Output> outputs, String reason) {

    /** Outcome of a chunk. */
    public enum Status {
        /** Decoded, checksums verified. */
        DONE,
        /** It decodes to more than the output budget: stream it through a session. */
        NEEDS_ROOM,
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

    public static DecodedChunk done(List<Output> outputs) {
        return new DecodedChunk(Status.DONE, outputs, null);
    }

    public static DecodedChunk failed(Status status, String reason) {
        return new DecodedChunk(status, List.of(), reason);
    }

    /** Releases every output. */
    public void release() {
        for (Output output : outputs) {
            output.lease().release();
        }
    }
}
