package io.warpcodec.forge;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * A frame of one compressed block, section by section (RFC 8878 §3.1.1.3). As it comes it is sound: eight literals, and
 * a sequence whose three tables have one symbol each.
 */
public final class ZstdBlockForge {
    /** Literal lengths, offsets and match lengths have a table of one symbol. */
    public static final int ONE_SYMBOL = 0x54;

    /** What the block decodes to as it comes. */
    public static final byte[] CONTENT = "abcdabcdaefgh".getBytes(StandardCharsets.US_ASCII);

    /** A block may decode to 128 KiB. */
    private static final int WINDOW_LOG = 17;

    private static final int CODED = 2;
    private static final int TREELESS = 3;

    private byte[] literals = rawLiterals("abcdefgh".getBytes(StandardCharsets.US_ASCII));
    private byte[] sequences = sequences(1, ONE_SYMBOL, new byte[] {4, 2, 2}, bits(3, 2));
    private long contentBytes = CONTENT.length;
    private int windowLog = WINDOW_LOG;
    private byte[] before = {};

    public ZstdBlockForge literals(byte[] section) {
        literals = section;
        return this;
    }

    public ZstdBlockForge sequences(byte[] section) {
        sequences = section;
        return this;
    }

    public ZstdBlockForge contentBytes(long bytes) {
        contentBytes = bytes;
        return this;
    }

    public ZstdBlockForge windowLog(int log) {
        windowLog = log;
        return this;
    }

    /** A block in front of this one, with its header. */
    public ZstdBlockForge behind(byte[] block) {
        before = block;
        return this;
    }

    /** The block alone, with its header. */
    public byte[] block(boolean last) {
        return new ZstdForge()
                .blockHeader(ZstdForge.COMPRESSED, literals.length + sequences.length, last)
                .put(literals)
                .put(sequences)
                .toArray();
    }

    public byte[] frame() {
        return new ZstdForge()
                .header(windowLog, contentBytes)
                .put(before)
                .put(block(true))
                .toArray();
    }

    /** A sequence with the lengths of {@link #CONTENT}'s, and this offset. */
    public static byte[] sequenceFrom(int distance) {
        int value = distance + 3;
        int code = 31 - Integer.numberOfLeadingZeros(value);
        return sequences(1, ONE_SYMBOL, new byte[] {4, (byte) code, 2}, bits(value - (1 << code), code));
    }

    /** Raw literals, fewer than 4,096. */
    public static byte[] rawLiterals(byte[] bytes) {
        return new ZstdForge().little(bytes.length << 4 | 1 << 2, 2).put(bytes).toArray();
    }

    /** A byte that is said to be there so often. */
    public static byte[] oneByteLiterals(int value, int count) {
        return new ZstdForge()
                .little((long) count << 4 | 3 << 2 | 1, 3)
                .u8(value)
                .toArray();
    }

    /** Literals in one stream, behind the description of their tree. */
    public static byte[] codedLiterals(int count, byte[] tree, byte[] stream) {
        return coded(CODED, 0, count, Bytes.concat(tree, stream));
    }

    /** Literals in one stream, by the tree of an earlier block. */
    public static byte[] treelessLiterals(int count, byte[] stream) {
        return coded(TREELESS, 0, count, stream);
    }

    /** Literals in four streams, of which the first three are said to have these lengths. */
    public static byte[] fourStreams(int count, byte[] tree, int[] lengths, byte[] streams) {
        ZstdForge content = new ZstdForge().put(tree);
        for (int length : lengths) {
            content.little(length, 2);
        }
        return coded(CODED, 1, count, content.put(streams).toArray());
    }

    private static byte[] coded(int type, int format, int count, byte[] content) {
        return new ZstdForge()
                .little(type | format << 2 | (long) count << 4 | (long) content.length << 14, 3)
                .put(content)
                .toArray();
    }

    /** A tree by weights of four bits each; the last symbol's follows from them. */
    public static byte[] weights(int... weights) {
        ZstdForge tree = new ZstdForge().u8(127 + weights.length);
        for (int at = 0; at < weights.length; at += 2) {
            tree.u8(weights[at] << 4 | (at + 1 < weights.length ? weights[at + 1] : 0));
        }
        return tree.toArray();
    }

    /** Sequences: how many, modes of their tables, the tables' descriptions, and the bits. */
    public static byte[] sequences(int count, int modes, byte[] tables, byte[] bits) {
        ZstdForge section = new ZstdForge();
        if (count < 128) {
            section.u8(count);
        } else if (count < 0x7f00) {
            section.u8(128 + (count >> 8)).u8(count & 0xff);
        } else {
            section.u8(255).little(count - 0x7f00, 2);
        }
        return section.u8(modes).put(tables).put(bits).toArray();
    }

    /** No sequences. */
    public static byte[] noSequences() {
        return new byte[] {0};
    }

    /** A stream that is read from its end: values and their widths in turn, in the order in which they are read. */
    public static byte[] bits(int... valuesAndWidths) {
        BigInteger all = BigInteger.ONE;
        for (int at = 0; at < valuesAndWidths.length; at += 2) {
            all = all.shiftLeft(valuesAndWidths[at + 1]).or(BigInteger.valueOf(valuesAndWidths[at]));
        }
        byte[] little = new byte[(all.bitLength() + Byte.SIZE - 1) / Byte.SIZE];
        for (int at = 0; at < little.length; at++) {
            little[at] = all.shiftRight(Byte.SIZE * at).byteValue();
        }
        return little;
    }

    /** Fields from the lowest bit on: values and their widths in turn. */
    public static byte[] fields(int... valuesAndWidths) {
        BigInteger all = BigInteger.ZERO;
        int at = 0;
        for (int k = 0; k < valuesAndWidths.length; k += 2) {
            all = all.or(BigInteger.valueOf(valuesAndWidths[k]).shiftLeft(at));
            at += valuesAndWidths[k + 1];
        }
        byte[] little = new byte[(at + Byte.SIZE - 1) / Byte.SIZE];
        for (int k = 0; k < little.length; k++) {
            little[k] = all.shiftRight(Byte.SIZE * k).byteValue();
        }
        return little;
    }
}
