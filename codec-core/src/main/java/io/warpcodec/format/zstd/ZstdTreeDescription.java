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
    private static final int TREELESS_LITERALS = 3;
    private static final int FIRST_DIRECT_HEADER = 128;

    private ZstdTreeDescription() {}

    /** Whether a compressed block that begins so describes a tree. */
    static boolean isThere(ByteBuffer prefix) {
        return literals(prefix) == COMPRESSED_LITERALS;
    }

    /** Whether a compressed block that begins so has literals by the tree of an earlier one. */
    static boolean isRepeated(ByteBuffer prefix) {
        return literals(prefix) == TREELESS_LITERALS;
    }

    private static int literals(ByteBuffer prefix) {
        return prefix.limit() == 0 ? 0 : prefix.get(0) & 3;
    }

    /**
     * Whether a compressed block describes a tree whose weights lack bits for their initial states.
     *
     * @param prefix the block's first bytes, from index 0 to its limit: all of it or {@link #MAX_PREFIX_BYTES}
     */
    static boolean isTruncated(ByteBuffer prefix) {
        if (!isThere(prefix)) {
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
        return lacksStates(prefix, at, at + treeBytes);
    }

    private static boolean lacksStates(ByteBuffer bytes, int from, int limit) {
        ZstdTableDescription table = ZstdTableDescription.at(bytes, from, limit);
        if (table == null) {
            return false;
        }
        int startByte = from + table.bytes();
        int lastByte = limit - 1;
        if (startByte > lastByte || bytes.get(lastByte) == 0) {
            return false;
        }
        // the highest set bit of the last byte only marks the end
        int endMark = 31 - Integer.numberOfLeadingZeros(bytes.get(lastByte) & 0xff);
        return (lastByte - startByte) * 8 + endMark < 2 * table.accuracyLog();
    }
}
