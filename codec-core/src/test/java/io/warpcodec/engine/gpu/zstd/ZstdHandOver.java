package io.warpcodec.engine.gpu.zstd;

import java.io.ByteArrayOutputStream;

/**
 * Lets libzstd go on at the border between two blocks of a frame: a dictionary holds the state there, and a frame that
 * needs it holds the blocks behind.
 */
final class ZstdHandOver {
    private static final int DICTIONARY_MAGIC = 0xEC30A437;
    private static final int FRAME_MAGIC = 0xFD2FB528;
    private static final int DICTIONARY_ID = 1;
    /** The description of a code with two symbols, for frames that have had none. */
    private static final byte[] TWO_SYMBOLS = {(byte) 128, 0x10};

    private ZstdHandOver() {}

    /**
     * The dictionary; null where none can say the state.
     *
     * @param contentBytes how much of the last content may be referred to
     * @param modes of the next block that has sequences, or 0: which tables it repeats
     */
    static byte[] dictionary(ZstdReferenceDecoder state, int contentBytes, int modes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        le32(out, DICTIONARY_MAGIC);
        le32(out, DICTIONARY_ID);
        out.writeBytes(state.tree == null ? TWO_SYMBOLS : state.tree.description());
        for (int kind :
                new int[] {ZstdReferenceDecoder.OFFSETS, ZstdReferenceDecoder.MATCHES, ZstdReferenceDecoder.LITERALS}) {
            ZstdFse table = state.tables[kind];
            boolean hasOneSymbol = table != null && table.counts() == null;
            if (hasOneSymbol && (modes >> 6 - 2 * kind & 3) == 3) {
                return null;
            }
            out.writeBytes(
                    table == null || hasOneSymbol
                            ? ZstdFse.description(
                                    ZstdReferenceDecoder.PREDEFINED_LOG[kind], ZstdReferenceDecoder.PREDEFINED[kind])
                            : ZstdFse.description(table.log(), table.counts()));
        }
        for (int offset : state.repeated) {
            if (offset > contentBytes) {
                return null;
            }
            le32(out, offset);
        }
        out.write(state.content, state.contentBytes - contentBytes, contentBytes);
        return out.toByteArray();
    }

    /** A frame of the blocks from a border on, to the end of the last one. */
    static byte[] frame(byte[] file, int from, int to, long windowBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        le32(out, FRAME_MAGIC);
        out.write(1);
        int windowLog = Math.max(10, 64 - Long.numberOfLeadingZeros(windowBytes - 1));
        out.write(windowLog - 10 << 3);
        out.write(DICTIONARY_ID);
        out.write(file, from, to - from);
        return out.toByteArray();
    }

    private static void le32(ByteArrayOutputStream out, int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.write(value >>> shift);
        }
    }
}
