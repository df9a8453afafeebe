package io.warpcodec.stream.zstd;

import java.io.ByteArrayOutputStream;

/** Builds zstd streams field by field, legal and illegal ones. Numbers are little-endian. */
final class ZstdForge {
    static final int RAW = 0;
    static final int RLE = 1;
    static final int COMPRESSED = 2;
    static final int RESERVED = 3;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] bytes() {
        return bytes.toByteArray();
    }

    ZstdForge number(long value, int count) {
        for (int i = 0; i < count; i++) {
            bytes.write((int) (value >>> 8 * i));
        }
        return this;
    }

    ZstdForge raw(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    ZstdForge magic() {
        return number(0xfd2fb528L, 4);
    }

    /** Magic, descriptor without flags, window. */
    ZstdForge header(int windowLog) {
        return magic().number(0, 1).number(windowLog - 10 << 3, 1);
    }

    /** Magic, descriptor with a content size of 8 bytes, window. */
    ZstdForge header(int windowLog, long contentBytes) {
        return magic().number(0xc0, 1).number(windowLog - 10 << 3, 1).number(contentBytes, 8);
    }

    /** Magic, descriptor, content size of 4 bytes that is the window too. */
    ZstdForge singleSegment(long contentBytes) {
        return magic().number(0xa0, 1).number(contentBytes, 4);
    }

    ZstdForge blockHeader(int type, int size, boolean last) {
        return number((last ? 1 : 0) | type << 1 | size << 3, 3);
    }

    ZstdForge rawBlock(byte[] content, boolean last) {
        return blockHeader(RAW, content.length, last).raw(content);
    }

    ZstdForge rleBlock(int value, int count, boolean last) {
        return blockHeader(RLE, count, last).number(value, 1);
    }

    ZstdForge skippable(int magicLow, byte[] content) {
        return number(0x184d2a50L | magicLow, 4).number(content.length, 4).raw(content);
    }
}
