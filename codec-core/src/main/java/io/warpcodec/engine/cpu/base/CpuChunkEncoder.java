package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Chunk;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;

/** Encodes whole chunks of one format at one level, one after the other. Not thread-safe. */
public interface CpuChunkEncoder extends AutoCloseable {
    /** Encodes one chunk; its body lies in a fresh lease that {@link EncodedChunk#release} gives back. */
    EncodedChunk encode(Chunk chunk) throws IOException;

    @Override
    void close();
}
