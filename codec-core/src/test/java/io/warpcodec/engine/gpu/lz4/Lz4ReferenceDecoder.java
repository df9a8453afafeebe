package io.warpcodec.engine.gpu.lz4;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * Decodes one LZ4 block, plainly, as lz4_Block_format.md says: sequences of a token, literals, a 16-bit offset and a match; the last one ends
 * with its literals. The document's end-of-block rules hold, measured as liblz4 does at the end of the room for the output: every match is
 * followed by a token and five bytes at least, leaves room for five, and begins where there is room for twelve.
 */
public final class Lz4ReferenceDecoder {
    private final byte[] block;
    private final byte[] window;
    private final int outputLimit;
    private int position;

    private Lz4ReferenceDecoder(byte[] block, byte[] window, int outputLimit) {
        this.block = block;
        this.window = window;
        this.outputLimit = outputLimit;
    }

    /** The block's bytes, or nothing if it has a defect or decodes to more than {@code outputLimit}. */
    public static Optional<byte[]> decode(byte[] block, int outputLimit) {
        return decode(block, new byte[0], outputLimit);
    }

    /** The same, of a block whose matches may reach into the bytes of {@code window}, which stand in front of it. */
    public static Optional<byte[]> decode(byte[] block, byte[] window, int outputLimit) {
        try {
            return new Lz4ReferenceDecoder(block, window, outputLimit).decode();
        } catch (ArrayIndexOutOfBoundsException truncated) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> decode() {
        Output output = new Output();
        while (true) {
            int token = next();
            long literals = length(token >> 4);
            if (literals > outputLimit - output.size()) {
                return Optional.empty();
            }
            for (long i = 0; i < literals; i++) {
                output.write(next());
            }
            if (position == block.length) {
                return Optional.of(output.toByteArray());
            }
            int offset = next() | next() << 8;
            long match = length(token & 15) + 4;
            if (offset == 0 || offset > window.length + output.size() || match > outputLimit - output.size()) {
                return Optional.empty();
            }
            if (block.length - position < 1 + 5
                    || outputLimit - output.size() < 12
                    || outputLimit - output.size() - match < 5) {
                return Optional.empty();
            }
            for (long i = 0; i < match; i++) {
                output.write(
                        offset > output.size() ? window[window.length + output.size() - offset] : output.back(offset));
            }
        }
    }

    private long length(int nibble) {
        long length = nibble;
        if (nibble == 15) {
            int more;
            do {
                more = next();
                length += more;
            } while (more == 255);
        }
        return length;
    }

    private int next() {
        return block[position++] & 0xFF;
    }

    private static final class Output extends ByteArrayOutputStream {
        int back(int offset) {
            return buf[count - offset];
        }
    }
}
