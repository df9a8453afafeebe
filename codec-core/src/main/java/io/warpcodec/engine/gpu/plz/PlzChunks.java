package io.warpcodec.engine.gpu.plz;

import static io.warpcodec.engine.gpu.plz.PlzKernels.*;

import io.warpcodec.engine.gpu.block.ChunkRanges;

/**
 * Chunks that a batch is parsed in. Those of short frames are shorter: a chunk is a chain of places, and a short frame
 * alone would wait for nothing else.
 *
 * @param count of all frames
 * @param numbers up to the last that a chunk may have: as many rows of each unit as the unit with the most chunks has
 */
record PlzChunks(int count, int numbers) {
    static PlzChunks of(ChunkRanges frames) {
        long count = 0;
        int units = 0;
        int rows = 1;
        for (int frame = 0; frame < frames.count(); frame++) {
            long bytes = frames.lengthBytes(frame);
            int chunkBytes = CHUNK_BYTES >> halvings(bytes);
            count += parts(bytes, chunkBytes);
            units += (int) Math.max(1, parts(bytes, UNIT_BYTES));
            rows = bytes == 0 ? rows : Math.max(rows, CHUNK_BYTES / chunkBytes);
        }
        return new PlzChunks(Math.toIntExact(count), Math.multiplyExact(units, UNIT_BYTES / CHUNK_BYTES * rows));
    }

    /** How often the chunks of a frame are halved: by its length alone, so that its bytes are always the same. */
    private static int halvings(long frameBytes) {
        if (frameBytes <= MOST_QUARTERED_BYTES) {
            return MOST_HALVINGS;
        }
        return frameBytes <= MOST_HALVED_BYTES ? 1 : 0;
    }

    private static long parts(long whole, int part) {
        return (whole + part - 1) / part;
    }
}
