package io.warpcodec.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Lays encoded chunks into one legal stream: header, chunks in order with their index, trailer. One object per
 * stream, not thread-safe. Nothing is written before the first {@link #append} or {@link #finish}.
 */
public interface Assembler {
    /** Writes the container of one chunk and its body. Does not release the chunk. */
    void append(EncodedChunk chunk, OutputStream out) throws IOException;

    /** Ends the stream; an empty stream is legal too. Afterwards the object stands at the start of a new stream. */
    void finish(OutputStream out) throws IOException;

    /**
     * What is written behind a stream that has failed, so that no reader takes it for a whole one: the start of a
     * unit of which no more follows, as in a file that was cut short. Without it a stream of independent units, cut
     * between two of them, would be a whole stream of less.
     *
     * @param openBytes most bytes of a chunk that may be missing before it, because its {@link #append} failed. Where
     *     bodies have no checksum, what is written here is longer and no unit, so that it cannot complete the chunk
     *     unseen
     */
    byte[] tornEnd(int openBytes);

    /**
     * How many raw bytes before a chunk its encoder may refer to, because the format is one stream; 0 where chunks are
     * independent.
     */
    default int historyBytes() {
        return 0;
    }

    /**
     * Most raw bytes of a chunk: those of the setting, unless the format can say when a unit is full.
     *
     * @param chunkBytes of the setting
     */
    default int mostChunkBytes(int chunkBytes) {
        return chunkBytes;
    }

    /**
     * Raw bytes of a chunk: as many as there are, unless the format can say that a unit is full before.
     *
     * @param raw bytes, indexed from 0
     * @param from the chunk's first byte
     * @param most how many there are, at most {@link #mostChunkBytes}
     * @return at least 1
     */
    default int chunkBytes(ByteBuffer raw, int from, int most) {
        return most;
    }

    /** Forgets the stream so far. */
    void reset();
}
