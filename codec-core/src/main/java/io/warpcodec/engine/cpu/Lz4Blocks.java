package io.warpcodec.engine.cpu;

import io.warpcodec.format.lz4.Lz4Format;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Decodes LZ4 blocks through lz4-java, so that what comes out does not depend on its version. Thread-safe.
 *
 * <p>Match offset 0 is illegal, but liblz4, and with it the lz4 tool and stock Hadoop, decodes it as zero bytes, while some of
 * lz4-java's Java decoders leave in place what the output held before. Here it is zero bytes, everywhere: where the library at
 * hand does not write them by itself, which a trial tells, the output is cleared first. (Refusing it would take a walk over
 * the tokens of every block, which costs as much as decoding: 2.0 to 3.8 GB/s against 2.0 to 3.2 on blocks of 64 KiB of four
 * corpora, 2026-11, 2 cores of a Xeon.)
 */
final class Lz4Blocks {
    /** One literal, 40 bytes from offset 0, five literals. */
    private static final byte[] OFFSET_ZERO = {0x1f, 'a', 0, 0, 21, 0x50, 'b', 'c', 'd', 'e', 'f'};

    private static final int OFFSET_ZERO_RAW_BYTES = 46;
    private static final byte[] ZEROS = new byte[4 << 10];

    /** The fastest decoder that the library at hand has. */
    static final Lz4Blocks FASTEST = new Lz4Blocks(LZ4Factory.fastestInstance().safeDecompressor());

    private final LZ4SafeDecompressor library;
    private final boolean clearsFirst;

    Lz4Blocks(LZ4SafeDecompressor library) {
        this.library = library;
        this.clearsFirst = showsOldBytes(library);
    }

    private static boolean showsOldBytes(LZ4SafeDecompressor library) {
        byte[] raw = new byte[OFFSET_ZERO_RAW_BYTES];
        Arrays.fill(raw, (byte) -1);
        try {
            library.decompress(OFFSET_ZERO, 0, OFFSET_ZERO.length, raw, 0, raw.length);
        } catch (LZ4Exception refused) {
            return false;
        }
        for (byte value : raw) {
            if (value == -1) {
                return true;
            }
        }
        return false;
    }

    /**
     * Decodes one block.
     *
     * @param in holds the block; indices are absolute in the buffer
     * @param maxRawBytes room at {@code outAt}, and the most that the block may decode to
     * @return bytes written
     * @throws DataFormatException if the block is invalid or decodes to more
     */
    int decode(ByteBuffer in, int inAt, int inBytes, ByteBuffer out, int outAt, int maxRawBytes)
            throws DataFormatException {
        if (clearsFirst) {
            for (int at = 0; at < maxRawBytes; at += ZEROS.length) {
                out.put(outAt + at, ZEROS, 0, Math.min(ZEROS.length, maxRawBytes - at));
            }
        }
        try {
            return library.decompress(in, inAt, inBytes, out, outAt, maxRawBytes);
        } catch (LZ4Exception bad) {
            throw new DataFormatException("an LZ4 block is invalid or decodes to more than " + maxRawBytes + " bytes");
        }
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
