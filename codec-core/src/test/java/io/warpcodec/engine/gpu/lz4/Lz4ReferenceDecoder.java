package io.warpcodec.engine.gpu.lz4;

import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes one LZ4 block, plainly, as lz4_Block_format.md says: sequences of a token, literals, a 16-bit offset and a
 * match. The last sequence ends with its literals. The document's end-of-block rules hold, measured as liblz4 does at
 * the end of the room for the output. Every match is followed by a token and five bytes at least, leaves room for five,
 * and begins where there is room for twelve.
 */
public final class Lz4ReferenceDecoder {
    private final byte[] block;
    private final byte[] window;
    private final int outputLimit;
    private byte[] output = new byte[1024];
    private int size;
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

    /**
     * As {@link #decode(byte[], int)}, but of a block whose matches may reach into {@code window}, the bytes in front
     * of the block.
     */
    public static Optional<byte[]> decode(byte[] block, byte[] window, int outputLimit) {
        try {
            return new Lz4ReferenceDecoder(block, window, outputLimit).decode();
        } catch (ArrayIndexOutOfBoundsException truncated) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> decode() {
        while (true) {
            int token = next();
            long literals = length(token >> 4);
            if (literals > outputLimit - size || literals > block.length - position) {
                return Optional.empty();
            }
            makeRoom((int) literals);
            System.arraycopy(block, position, output, size, (int) literals);
            position += (int) literals;
            size += (int) literals;
            if (position == block.length) {
                return Optional.of(Arrays.copyOf(output, size));
            }
            int offset = next() | next() << 8;
            long match = length(token & 15) + 4;
            if (offset == 0 || offset > window.length + size || match > outputLimit - size) {
                return Optional.empty();
            }
            if (block.length - position < 1 + 5 || outputLimit - size < 12 || outputLimit - size - match < 5) {
                return Optional.empty();
            }
            makeRoom((int) match);
            for (int end = size + (int) match; size < end; size++) {
                output[size] = offset > size ? window[window.length + size - offset] : output[size - offset];
            }
        }
    }

    private void makeRoom(int bytes) {
        if (bytes > output.length - size) {
            output = Arrays.copyOf(output, Math.max(size + bytes, (int) Math.min(outputLimit, 2L * output.length)));
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
}
