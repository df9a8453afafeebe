package io.warpcodec.engine.gpu.zstd;

/**
 * A block of a frame, as its headers tell (RFC 8878 §3.1.1.2, §3.1.1.3). Places are counted from the first byte of the
 * block's content unless another is named.
 *
 * @param at content, from the frame's first byte
 * @param bytes of the content
 * @param literalsAt literals: raw bytes, one byte that is repeated, or the tree or the streams
 * @param literalsEnd behind them
 * @param literalCount when decoded
 * @param literalKind one of {@link ZstdRecord}'s
 * @param treeBlock number of the block that describes the tree of the literals
 * @param sequenceCount 0 if it has none
 * @param modes two bits for each table of the sequences
 * @param tablesAt descriptions of the tables, which the sequences' bits follow
 * @param tableBlocks numbers of the blocks that describe the tables
 */
record ZstdBlock(
        int at,
        int bytes,
        int literalsAt,
        int literalsEnd,
        int literalCount,
        int literalKind,
        int treeBlock,
        int sequenceCount,
        int modes,
        int tablesAt,
        int[] tableBlocks) {
    private static final int[] NO_TABLES = new int[3];

    /** A block of nothing but literals. */
    static ZstdBlock ofLiterals(int at, int bytes, int literalKind, int literalCount) {
        return new ZstdBlock(at, bytes, 0, bytes, literalCount, literalKind, 0, 0, 0, 0, NO_TABLES);
    }
}
