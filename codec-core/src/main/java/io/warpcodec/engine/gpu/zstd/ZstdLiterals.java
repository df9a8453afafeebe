package io.warpcodec.engine.gpu.zstd;

import java.nio.ByteBuffer;

/**
 * The literals of a block, as their header tells (RFC 8878 §3.1.1.3.1). Places are counted from the first byte of the
 * block's content.
 *
 * @param kind raw bytes, one byte that is repeated, or one or four streams
 * @param at the bytes, the byte, or the tree or the streams
 * @param end behind them
 * @param count when decoded
 * @param hasTree whether a tree is described in front of the streams
 */
record ZstdLiterals(int kind, int at, int end, int count, boolean hasTree) {
    static final int RAW = 0;
    static final int ONE_BYTE = 1;
    static final int ONE_STREAM = 2;
    static final int FOUR_STREAMS = 3;

    /** A table of three lengths, and a byte for each stream. */
    private static final int LEAST_FOUR_STREAM_BYTES = 6 + 4;

    private static final int LEAST_CODED_TYPE = 2;
    private static final int WITH_TREE = 2;

    /** Whether streams of bits have them. */
    boolean isCoded() {
        return kind >= ONE_STREAM;
    }

    /** Those at the front of a compressed block's content; null if they are not what they should be. */
    static ZstdLiterals of(ByteBuffer content) {
        int first = content.limit() == 0 ? 0 : content.get(0) & 0xff;
        int type = first & 3;
        int format = first >> 2 & 3;
        boolean isCoded = type >= LEAST_CODED_TYPE;
        int headerBytes = isCoded ? Math.max(3, format + 2) : format == 1 ? 2 : format == 3 ? 3 : 1;
        if (content.limit() <= headerBytes) {
            return null;
        }
        long header = 0;
        for (int i = 0; i < headerBytes; i++) {
            header |= (content.get(i) & 0xffL) << Byte.SIZE * i;
        }
        ZstdLiterals literals = isCoded
                ? coded(header, headerBytes, format, type == WITH_TREE)
                : plain((int) (header >> (headerBytes == 1 ? 3 : 4)), headerBytes, type == RAW);
        return literals != null && literals.end <= content.limit() ? literals : null;
    }

    private static ZstdLiterals plain(int count, int headerBytes, boolean isRaw) {
        return new ZstdLiterals(isRaw ? RAW : ONE_BYTE, headerBytes, headerBytes + (isRaw ? count : 1), count, false);
    }

    private static ZstdLiterals coded(long header, int headerBytes, int format, boolean hasTree) {
        int width = format < 2 ? 10 : format == 2 ? 14 : 18;
        int count = (int) (header >> 4) & (1 << width) - 1;
        int bytes = (int) (header >> 4 + width) & (1 << width) - 1;
        boolean isOneStream = format == 0;
        return count == 0 || bytes < (isOneStream ? 1 : LEAST_FOUR_STREAM_BYTES)
                ? null
                : new ZstdLiterals(
                        isOneStream ? ONE_STREAM : FOUR_STREAMS, headerBytes, headerBytes + bytes, count, hasTree);
    }
}
