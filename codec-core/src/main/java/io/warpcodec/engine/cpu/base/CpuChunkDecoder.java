package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import java.nio.ByteBuffer;

/**
 * Decodes whole chunks of one format and framing, one after the other. Not thread-safe; used by one thread at a time.
 */
public interface CpuChunkDecoder extends AutoCloseable {
    /**
     * Decodes one chunk into fresh leases.
     *
     * @param budgetBytes most raw bytes to produce
     * @param target memory to decode into where the output fits, as
     *     {@link io.warpcodec.engine.Batch#take(int, ByteBuffer)} has it; null for none
     * @return DONE, NEEDS_OUTPUT or UNDECODABLE with the reason; after any of them the decoder is ready for the next
     *     chunk
     */
    DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer target);

    @Override
    void close();
}
