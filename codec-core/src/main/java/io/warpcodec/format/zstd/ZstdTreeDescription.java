package io.warpcodec.format.zstd;

import java.nio.ByteBuffer;

/**
 * The description of a Huffman tree at the start of a compressed block (RFC 8878 §4.2.1). It is looked at for the one
 * defect that libzstd before 1.5.6 does not see. That is a bitstream of FSE-coded weights that is too short for the
 * two initial states. Whatever else may be wrong is libzstd's to find.
 */
final class ZstdTreeDescription {
    /**
     * Literals_Section_Header of at most 5 bytes, the description's own length, and at most 127 bytes of description.
     */
    static final int MAX_PREFIX_BYTES = 5 + 1 + 127;

    private static final int COMPRESSED_LITERALS = 2;
    private static final int FIRST_DIRECT_HEADER = 128;
    private static final int MIN_ACCURACY_LOG = 5;
    private static final int MAX_SYMBOLS = 256;

    private final ByteBuffer bytes;
    private final int limitBits;
    private int atBits;

    private ZstdTreeDescription(ByteBuffer bytes, int startByte, int limitByte) {
        this.bytes = bytes;
        this.atBits = startByte * 8;
        this.limitBits = limitByte * 8;
    }

    /**
     * Whether a compressed block describes a tree whose weights lack bits for their initial states.
     *
     * @param prefix the block's first bytes, from index 0 to its limit: all of it or {@link #MAX_PREFIX_BYTES}
     */
    static boolean isTruncated(ByteBuffer prefix) {
        if (prefix.limit() == 0 || (prefix.get(0) & 3) != COMPRESSED_LITERALS) {
            return false;
        }
        int sizeFormat = prefix.get(0) >> 2 & 3;
        int at = Math.max(3, 2 + sizeFormat);
        if (at >= prefix.limit()) {
            return false;
        }
        int treeBytes = prefix.get(at++) & 0xff;
        if (treeBytes == 0 || treeBytes >= FIRST_DIRECT_HEADER || at + treeBytes > prefix.limit()) {
            return false;
        }
        return new ZstdTreeDescription(prefix, at, at + treeBytes).lacksStates();
    }

    private boolean lacksStates() {
        int accuracyLog = MIN_ACCURACY_LOG + bits(4);
        if (!skipProbabilities(1 << accuracyLog)) {
            return false;
        }
        int startByte = (atBits + 7) / 8;
        int lastByte = limitBits / 8 - 1;
        if (startByte > lastByte || bytes.get(lastByte) == 0) {
            return false;
        }
        // the highest set bit of the last byte only marks the end
        int endMark = 31 - Integer.numberOfLeadingZeros(bytes.get(lastByte) & 0xff);
        return (lastByte - startByte) * 8 + endMark < 2 * accuracyLog;
    }

    /** Reads past the normalised probabilities of RFC 8878 §4.1.1. Returns whether they are well-formed. */
    private boolean skipProbabilities(int sum) {
        int remaining = sum;
        int symbols = 0;
        while (remaining > 0 && symbols < MAX_SYMBOLS && atBits < limitBits) {
            int count = 32 - Integer.numberOfLeadingZeros(remaining + 1);
            int value = bits(count);
            int lowMask = (1 << count - 1) - 1;
            int threshold = (1 << count) - 2 - remaining;
            if ((value & lowMask) < threshold) {
                atBits--;
                value &= lowMask;
            } else if (value > lowMask) {
                value -= threshold;
            }
            int probability = value - 1;
            remaining -= Math.abs(probability);
            symbols++;
            if (probability == 0) {
                int repeat;
                do {
                    repeat = bits(2);
                    symbols += repeat;
                } while (repeat == 3 && atBits < limitBits);
            }
        }
        return remaining == 0 && atBits <= limitBits;
    }

    /** The next bits, lowest first; zeros beyond the end. */
    private int bits(int count) {
        int value = 0;
        for (int i = 0; i < count; i++, atBits++) {
            if (atBits < limitBits) {
                value |= (bytes.get(atBits >> 3) >> (atBits & 7) & 1) << i;
            }
        }
        return value;
    }
}
