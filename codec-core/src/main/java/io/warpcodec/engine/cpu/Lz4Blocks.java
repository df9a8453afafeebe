package io.warpcodec.engine.cpu;

import io.warpcodec.format.lz4.Lz4Format;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Decodes LZ4 blocks through lz4-java, so that what comes out does not depend on its version. Thread-safe.
 *
 * <p>Match offset 0 is illegal, but liblz4 decodes it, as zero bytes; some of lz4-java's Java decoders leave in place what the
 * output held before. Refusing it takes a walk over the block's tokens, which costs as much as decoding (2026, Xeon, 64 KiB
 * blocks of four corpora: decoding 2.0 to 3.2 GB/s, walking 2.0 to 3.8). So the walk is made only
 *
 * <ul>
 *   <li>where no checksum covers the content: with one, zeros must be what the writer meant, on every library;
 *   <li>and where the output holds four zero bytes in a row, as it must if an offset of 0 was decoded;
 *   <li>always, before anything is decoded, when the library at hand does not write zeros.
 * </ul>
 */
final class Lz4Blocks {
    private static final LZ4SafeDecompressor LIBRARY =
            LZ4Factory.fastestInstance().safeDecompressor();

    /** The library's decoder, told by trial how it takes offset 0. */
    static final Lz4Blocks FASTEST = new Lz4Blocks(LIBRARY);

    private final LZ4SafeDecompressor library;
    private final boolean zerosForOffsetZero;

    Lz4Blocks(LZ4SafeDecompressor library) {
        this.library = library;
        this.zerosForOffsetZero = writesZerosForOffsetZero(library);
    }

    /** Decodes one literal and 40 bytes from offset 0 over an output full of ones. */
    private static boolean writesZerosForOffsetZero(LZ4SafeDecompressor library) {
        byte[] block = {0x1f, 'a', 0, 0, 21, 0x50, 'b', 'c', 'd', 'e', 'f'};
        byte[] raw = new byte[64];
        java.util.Arrays.fill(raw, (byte) -1);
        try {
            if (library.decompress(block, 0, block.length, raw, 0, raw.length) != 46) {
                return false;
            }
        } catch (LZ4Exception refused) {
            return true;
        }
        for (int at = 1; at <= 40; at++) {
            if (raw[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Decodes one block.
     *
     * @param in holds the block; indices are absolute in the buffer
     * @param maxRawBytes room at {@code outAt}, and the most that the block may decode to
     * @param covered whether a checksum of the content is verified before anyone relies on it
     * @return bytes written
     * @throws DataFormatException if the block is invalid or decodes to more
     */
    int decode(ByteBuffer in, int inAt, int inBytes, ByteBuffer out, int outAt, int maxRawBytes, boolean covered)
            throws DataFormatException {
        if (!zerosForOffsetZero && holdsOffsetZero(in, inAt, inBytes)) {
            throw new DataFormatException("a match offset is 0");
        }
        int rawBytes;
        try {
            rawBytes = library.decompress(in, inAt, inBytes, out, outAt, maxRawBytes);
        } catch (LZ4Exception bad) {
            throw new DataFormatException("an LZ4 block is invalid or decodes to more than " + maxRawBytes + " bytes");
        }
        if (!covered && zerosForOffsetZero && holdsZeros(out, outAt, rawBytes) && holdsOffsetZero(in, inAt, inBytes)) {
            throw new DataFormatException("a match offset is 0");
        }
        return rawBytes;
    }

    /** Whether four bytes in a row are zero: looks at every fourth, and around it where it is. */
    static boolean holdsZeros(ByteBuffer bytes, int start, int length) {
        int limit = start + length;
        for (int at = start + 3; at < limit; at += 4) {
            if (bytes.get(at) == 0) {
                int first = at;
                while (first > start && first > at - 3 && bytes.get(first - 1) == 0) {
                    first--;
                }
                int end = at + 1;
                while (end < limit && end < first + 4 && bytes.get(end) == 0) {
                    end++;
                }
                if (end - first >= 4) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a valid block has a match with offset 0; on an invalid one, no promise but to end. */
    static boolean holdsOffsetZero(ByteBuffer block, int start, int length) {
        int limit = start + length;
        int at = start;
        while (at < limit) {
            int token = block.get(at++);
            int literals = token >>> 4 & 0xf;
            if (literals == 15) {
                int more;
                do {
                    if (at >= limit) {
                        return false;
                    }
                    more = block.get(at++) & 0xff;
                    literals += more;
                } while (more == 255);
            }
            if (literals > limit - at - 2) {
                return false;
            }
            at += literals;
            if ((block.get(at) | block.get(at + 1)) == 0) {
                return true;
            }
            at += 2;
            if ((token & 0xf) == 15) {
                while (at < limit && block.get(at++) == -1) {
                    // one more length byte
                }
            }
        }
        return false;
    }

    /**
     * Turns a block that refers to the bytes before it into one that does not: those bytes become the first literals of its
     * first sequence; everything behind is as it was.
     *
     * @param target gets the block from index 0; room for {@link #mergedBytes}
     * @return length of the merged block
     * @throws DataFormatException if the block ends in its first sequence's length
     */
    static int merge(
            ByteBuffer history,
            int historyAt,
            int historyBytes,
            ByteBuffer in,
            int inAt,
            int inBytes,
            ByteBuffer target)
            throws DataFormatException {
        int at = inAt;
        int limit = inAt + inBytes;
        int token = in.get(at++);
        int literals = token >>> 4 & 0xf;
        if (literals == 15) {
            int more;
            do {
                if (at >= limit) {
                    throw new DataFormatException("an LZ4 block ends inside a length");
                }
                more = in.get(at++) & 0xff;
                literals += more;
            } while (more == 255);
        }
        if (literals > limit - at) {
            throw new DataFormatException("an LZ4 block ends inside its literals");
        }
        int out = 0;
        int length = literals + historyBytes;
        target.put(out++, (byte) (Math.min(length, 15) << 4 | token & 0xf));
        if (length >= 15) {
            int rest = length - 15;
            for (; rest >= 255; rest -= 255) {
                target.put(out++, (byte) 255);
            }
            target.put(out++, (byte) rest);
        }
        target.put(out, history, historyAt, historyBytes);
        out += historyBytes;
        target.put(out, in, at, limit - at);
        return out + limit - at;
    }

    /** Room for a merged block. */
    static int mergedBytes(int historyBytes, int blockBytes) {
        return (int) Lz4Format.maxBlockBytes(historyBytes) + blockBytes;
    }
}
