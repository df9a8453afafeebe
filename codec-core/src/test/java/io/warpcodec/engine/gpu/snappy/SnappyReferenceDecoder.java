package io.warpcodec.engine.gpu.snappy;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * Decodes one Snappy block, plainly, as format_description.txt says: the raw length as a varint, then literals and
 * copies with offsets of 11, 16 or 32 bits.
 */
final class SnappyReferenceDecoder {
    private final byte[] block;
    private int position;

    private SnappyReferenceDecoder(byte[] block) {
        this.block = block;
    }

    /** The block's bytes, or nothing if it has a defect or decodes to more than {@code outputLimit}. */
    static Optional<byte[]> decode(byte[] block, int outputLimit) {
        try {
            return new SnappyReferenceDecoder(block).decode(outputLimit);
        } catch (ArrayIndexOutOfBoundsException truncated) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> decode(int outputLimit) {
        long length = 0;
        int group;
        int shift = 0;
        do {
            if (shift > 28) {
                return Optional.empty();
            }
            group = next();
            length |= (long) (group & 0x7F) << shift;
            shift += 7;
        } while (group >= 0x80);
        if (length > outputLimit) {
            return Optional.empty();
        }
        Output output = new Output();
        while (position < block.length) {
            int tag = next();
            long count = (tag >> 2) + 1L;
            if ((tag & 3) == 0) {
                if (count > 60) {
                    count = number((int) count - 60) + 1;
                }
                if (count > length - output.size()) {
                    return Optional.empty();
                }
                for (long i = 0; i < count; i++) {
                    output.write(next());
                }
                continue;
            }
            long offset;
            if ((tag & 3) == 1) {
                count = 4L + (tag >> 2 & 7);
                offset = (long) (tag >> 5) << 8 | next();
            } else {
                offset = number((tag & 3) == 2 ? 2 : 4);
            }
            if (offset == 0 || offset > output.size() || count > length - output.size()) {
                return Optional.empty();
            }
            for (long i = 0; i < count; i++) {
                output.write(output.back((int) offset));
            }
        }
        return output.size() == length ? Optional.of(output.toByteArray()) : Optional.empty();
    }

    private long number(int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) next() << (8 * i);
        }
        return value;
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
