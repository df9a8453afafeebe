package io.warpcodec.engine.cpu;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;

/** Decodes whole chunks of one format and framing, one after the other. Not thread-safe; used by one thread at a time. */
interface CpuChunkDecoder extends AutoCloseable {
    /**
     * Decodes one chunk into fresh leases.
     *
     * @param budgetBytes most raw bytes to produce
     * @return DONE, NEEDS_ROOM or UNDECODABLE with the reason; after any of them the decoder is ready for the next chunk
     */
    DecodedChunk decode(Chunk chunk, int budgetBytes);

    @Override
    void close();
}
