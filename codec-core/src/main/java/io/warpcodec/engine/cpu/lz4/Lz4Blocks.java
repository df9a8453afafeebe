package io.warpcodec.engine.cpu.lz4;

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
 * <p>Match offset 0 is illegal. But liblz4, and with it the lz4 tool and stock Hadoop, decodes it as zero bytes. The
 * Java decoders of lz4-java leave there what they had copied too far or what the output held before. Version 1.7 of
 * lz4-java takes them under any class loader but the system's. Here it is zero bytes, everywhere. A trial shows
 * whether the library at hand writes them. If it does not, the tokens of every block are walked, and a block with an
 * offset of 0 is decoded again. The walk costs as much as native decoding: 2.0 to 3.8 GB/s against 2.0 to 3.2. That
 * was measured on blocks of 64 KiB of four corpora (2026-11, 2 cores of an EPYC).
 */
final class Lz4Blocks {
    /** The fastest decoder that the library at hand has. */
    static final Lz4Blocks FASTEST = new Lz4Blocks(LZ4Factory.fastestInstance().safeDecompressor());

    private final LZ4SafeDecompressor library;
    private final boolean writesZeros;

    Lz4Blocks(LZ4SafeDecompressor library) {
        this.library = library;
        this.writesZeros = writesZerosForOffsetZero(library);
    }

    /**
     * Tries literal runs and match lengths on either side of the sizes in which decoders copy, with spare bytes
     * behind and without.
     */
    private static boolean writesZerosForOffsetZero(LZ4SafeDecompressor library) {
        for (int literalBytes : new int[] {0, 1, 4, 8, 14, 15, 17, 40}) {
            for (int matchBytes : new int[] {4, 8, 17, 18, 19, 25, 40, 70}) {
                for (int tailBytes : new int[] {5, 8, 12, 14}) {
                    for (int spareBytes : new int[] {0, 14, 1 << 10}) {
                        if (!writesZeros(library, literalBytes, matchBytes, tailBytes, spareBytes)) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    }

    private static boolean writesZeros(
            LZ4SafeDecompressor library, int literalBytes, int matchBytes, int tailBytes, int spareBytes) {
        byte[] block = offsetZero(literalBytes, matchBytes, tailBytes);
        byte[] raw = new byte[literalBytes + matchBytes + tailBytes + spareBytes];
        Arrays.fill(raw, (byte) -1);
        try {
            library.decompress(block, 0, block.length, raw, 0, raw.length);
        } catch (LZ4Exception refused) {
            // a match too near the end is refused for another reason
            return true;
        }
        for (int at = literalBytes; at < literalBytes + matchBytes; at++) {
            if (raw[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /** A block of literals, a match with offset 0, and up to 14 literals. */
    static byte[] offsetZero(int literalBytes, int matchBytes, int tailBytes) {
        ByteBuffer block = ByteBuffer.allocate(literalBytes + 32);
        block.put((byte) (Math.min(15, literalBytes) << 4 | Math.min(15, matchBytes - 4)));
        if (literalBytes >= 15) {
            block.put((byte) (literalBytes - 15));
        }
        for (int at = 0; at < literalBytes; at++) {
            block.put((byte) 'a');
        }
        block.putShort((short) 0);
        if (matchBytes >= 19) {
            block.put((byte) (matchBytes - 19));
        }
        block.put((byte) (tailBytes << 4));
        for (int at = 0; at < tailBytes; at++) {
            block.put((byte) 'z');
        }
        return Arrays.copyOf(block.array(), block.position());
    }

    /**
     * Decodes one block.
     *
     * @param in holds the block; indices are absolute in the buffer
     * @param maxRawBytes output capacity from {@code outAt} on, and the most that the block may decode to
     * @return bytes written
     * @throws DataFormatException if the block is invalid or decodes to more
     */
    int decode(ByteBuffer in, int inAt, int inBytes, ByteBuffer out, int outAt, int maxRawBytes)
            throws DataFormatException {
        int rawBytes;
        try {
            rawBytes = library.decompress(in, inAt, inBytes, out, outAt, maxRawBytes);
        } catch (LZ4Exception bad) {
            throw new DataFormatException("an LZ4 block is invalid or decodes to more than " + maxRawBytes + " bytes");
        }
        if (!writesZeros && walk(in, inAt, inBytes, null, 0)) {
            walk(in, inAt, inBytes, out, outAt);
        }
        return rawBytes;
    }

    /**
     * Goes through the sequences of a valid block.
     *
     * @param out gets what they decode to; null to look only
     * @return whether there is an offset of 0; looking only, at the first
     */
    private static boolean walk(ByteBuffer block, int start, int length, ByteBuffer out, int outAt) {
        boolean found = false;
        int limit = start + length;
        int at = start;
        int to = outAt;
        while (true) {
            int token = block.get(at++);
            int literals = token >>> 4 & 0xf;
            if (literals == 15) {
                int more;
                do {
                    more = block.get(at++) & 0xff;
                    literals += more;
                } while (more == 255);
            }
            if (out != null) {
                out.put(to, block, at, literals);
            }
            to += literals;
            at += literals;
            if (at >= limit) {
                return found;
            }
            int offset = block.get(at) & 0xff | (block.get(at + 1) & 0xff) << 8;
            at += 2;
            found |= offset == 0;
            if (found && out == null) {
                return true;
            }
            int match = 4 + (token & 0xf);
            if (match == 19) {
                int more;
                do {
                    more = block.get(at++) & 0xff;
                    match += more;
                } while (more == 255);
            }
            for (int limitTo = to + match; out != null && to < limitTo; to++) {
                out.put(to, offset == 0 ? 0 : out.get(to - offset));
            }
        }
    }

    /**
     * Turns a block that refers to the bytes before it into a block that does not. Those bytes become the first
     * literals of its first sequence; everything behind is as it was.
     *
     * @param target gets the block from index 0; holds at least {@link #mergedBytes}
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

    /** Most bytes of a merged block. */
    static int mergedBytes(int historyBytes, int blockBytes) {
        return (int) Lz4Format.maxBlockBytes(historyBytes) + blockBytes;
    }
}
