package io.warpcodec.format;

/**
 * What a chunk claims for itself, where its first bytes name its size: a link of the chain that
 * {@link ChainedSyncPoints} follow.
 */
public interface SizedChunk {
    /** Claimed size of the whole chunk. */
    int chunkBytes();

    /**
     * How far a chain that begins with this chunk must lead to be believed: further than any chunk or block that
     * could hold such a chain by chance.
     */
    int reachBytes();

    /** Whether the bytes that were seen of this chunk lead that far already, whatever its claim. */
    default boolean reachesAlone() {
        return false;
    }
}
