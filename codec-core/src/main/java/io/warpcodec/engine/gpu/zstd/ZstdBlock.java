package io.warpcodec.engine.gpu.zstd;

/**
 * A block of a frame, as its headers tell (RFC 8878 §3.1.1.2, §3.1.1.3).
 *
 * @param at content, from the frame's first byte
 * @param bytes of the content
 * @param treeBlock number of the block that describes the tree of the literals
 * @param tableBlocks numbers of the blocks that describe the tables of the sequences
 */
record ZstdBlock(int at, int bytes, ZstdLiterals literals, int treeBlock, ZstdSequences sequences, int[] tableBlocks) {
    private static final int[] NO_TABLES = new int[ZstdSequences.TABLES];

    /** A block of raw bytes. */
    static ZstdBlock raw(int at, int bytes) {
        return ofLiterals(at, bytes, new ZstdLiterals(ZstdLiterals.RAW, 0, bytes, bytes, false));
    }

    /** A block of one byte that is repeated. */
    static ZstdBlock oneByte(int at, int count) {
        return ofLiterals(at, 1, new ZstdLiterals(ZstdLiterals.ONE_BYTE, 0, 1, count, false));
    }

    private static ZstdBlock ofLiterals(int at, int bytes, ZstdLiterals literals) {
        return new ZstdBlock(at, bytes, literals, 0, ZstdSequences.NONE, NO_TABLES);
    }
}
