package io.warpcodec.engine.cpu;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * One raw DEFLATE stream through the JDK's Inflater, for a session. The Inflater cannot tell with a full
 * output whether the stream has ended, so one spare byte is inflated aside and handed out first next time.
 */
final class InflateBody implements AutoCloseable {
    private final Inflater inflater = new Inflater(true);
    private final byte[] spare = new byte[1];
    private boolean spareFull;

    /** Inflates as much as both buffers allow. Returns whether the stream has ended and all of it is in outputs. */
    boolean inflate(ByteBuffer input, ByteBuffer output) throws DataFormatException {
        if (spareFull) {
            if (!output.hasRemaining()) {
                return false;
            }
            output.put(spare[0]);
            spareFull = false;
        }
        inflater.setInput(input.duplicate());
        try {
            while (output.hasRemaining() && !inflater.finished()) {
                if (inflater.inflate(output) == 0) {
                    break;
                }
            }
            if (!output.hasRemaining() && !inflater.finished()) {
                spareFull = inflater.inflate(spare) == 1;
            }
            if (inflater.needsDictionary()) {
                throw new DataFormatException("a preset dictionary is required");
            }
        } finally {
            input.position(input.limit() - inflater.getRemaining());
        }
        return inflater.finished() && !spareFull;
    }

    /** Whether output is needed before anything else can go on. */
    boolean holdsOutput() {
        return spareFull;
    }

    void reset() {
        inflater.reset();
        spareFull = false;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
