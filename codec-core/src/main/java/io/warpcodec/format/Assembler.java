package io.warpcodec.format;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Lays encoded chunks into one legal stream: header, chunks in order with their index, trailer. One object per stream, not
 * thread-safe. Nothing is written before the first {@link #append} or {@link #finish}.
 */
public interface Assembler {
    /** Writes the container of one chunk and its body. Does not release the chunk. */
    void append(EncodedChunk chunk, OutputStream out) throws IOException;

    /** Ends the stream; an empty stream is legal too. Afterwards the object stands at the start of a new stream. */
    void finish(OutputStream out) throws IOException;

    /**
     * How many raw bytes before a chunk its encoder may refer to, because the format is one stream; 0 where chunks are
     * independent.
     */
    default int historyBytes() {
        return 0;
    }

    /** Forgets the stream so far. */
    void reset();
}
