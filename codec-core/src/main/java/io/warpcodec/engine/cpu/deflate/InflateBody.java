package io.warpcodec.engine.cpu.deflate;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * One raw DEFLATE stream through the JDK's Inflater, for a session: from its start, or from any bit of it
 * ({@link #resume}). The Inflater cannot tell with a full output whether the stream has ended, so one spare byte is
 * inflated aside and handed out first next time.
 */
final class InflateBody implements AutoCloseable {
    private final Inflater inflater = new Inflater(true);
    private final byte[] spare = new byte[1];
    private boolean spareFull;
    /** What the Inflater reads before any input, once its last byte is whole; null when it has been read. */
    private ByteBuffer front;
    /**
     * Bits of the last byte of {@link #front} that are its own; the others are those of the first byte of input. 0:
     * all are.
     */
    private int frontBits;

    /** Inflates as much as both buffers allow. Returns whether the stream has ended and all of it is in outputs. */
    boolean inflate(ByteBuffer input, ByteBuffer output) throws DataFormatException {
        if (front != null) {
            if (frontBits > 0) {
                if (!input.hasRemaining()) {
                    return false;
                }
                int last = front.limit() - 1;
                front.put(last, (byte) (front.get(last) | input.get() & -1 << frontBits));
                frontBits = 0;
            }
            boolean ended = inflateFrom(front, output);
            if (ended || front.hasRemaining()) {
                return ended;
            }
            front = null;
        }
        return inflateFrom(input, output);
    }

    private boolean inflateFrom(ByteBuffer input, ByteBuffer output) throws DataFormatException {
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
        front = null;
        frontBits = 0;
    }

    /**
     * Forgets everything and goes on in the middle of a stream, where a block begins.
     *
     * @param bit of the first byte of input, 0 to 7, at which the block's header begins
     * @param window the last bytes of output before it, 32 KiB or, if the stream has fewer, all: how far back a
     *     distance may lead is judged by it
     */
    void resume(int bit, byte[] window) {
        resume(bit, window, new byte[0], 0);
    }

    /**
     * Forgets everything and goes on in the middle of a stream, inside a block.
     *
     * @param bit of the first byte of input, 0 to 7, at which the next token of the block begins
     * @param window the last bytes of output before it, 32 KiB or, if the stream has fewer, all
     * @param header the bits of the block's header, from the lowest of its first byte on
     * @param headerBits how many; 0 if no block is open
     */
    void resume(int bit, byte[] window, byte[] header, int headerBits) {
        // The Inflater begins at whole bytes. So it is given empty blocks first, as many bits of them as bring it to
        // the right bit of a byte, whose upper bits are then the stream's. An empty block adds nothing to the output
        // and
        // leaves the window as it is.
        reset();
        if (window.length > 0) {
            inflater.setDictionary(window);
        }
        BitPadding blocks = BitPadding.endingAtBit(bit - headerBits);
        int bits = blocks.bitCount() + headerBits;
        byte[] bytes = Arrays.copyOf(blocks.bytes(), bits + 7 >>> 3);
        for (int i = 0, at = blocks.bitCount(); i < headerBits; i++, at++) {
            bytes[at >>> 3] |= (byte) ((header[i >>> 3] >> (i & 7) & 1) << (at & 7));
        }
        front = bits == 0 ? null : ByteBuffer.wrap(bytes);
        frontBits = bits & 7;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
