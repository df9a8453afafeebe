package io.warpcodec.forge;

/** zstd streams, built field by field, legal and illegal ones (RFC 8878). */
public final class ZstdForge extends Fields<ZstdForge> {
    public static final long MAGIC = 0xFD2FB528L;
    public static final long SKIPPABLE_MAGIC = 0x184D2A50L;

    public static final int RAW = 0;
    public static final int RLE = 1;
    public static final int COMPRESSED = 2;
    public static final int RESERVED_TYPE = 3;

    /** A skippable frame that says that it has so many bytes. */
    public static byte[] skippable(int nibble, long declaredBytes, byte[] data) {
        return new ZstdForge()
                .le32(SKIPPABLE_MAGIC + nibble)
                .le32(declaredBytes)
                .put(data)
                .toArray();
    }

    /** A frame behind the marker that 0.1.0 wrote. */
    public static byte[] marked(byte[] frame, int rawBytes) {
        return new ZstdForge()
                .le32(0x184D2A5BL)
                .le32(20)
                .le64(0x5be7_c40d_92a1_7f9cL)
                .le32(0)
                .le32(28 + frame.length)
                .le32(rawBytes)
                .put(frame)
                .toArray();
    }

    @Override
    ZstdForge self() {
        return this;
    }

    public ZstdForge magic() {
        return le32(MAGIC);
    }

    /** Magic, descriptor without flags, window. */
    public ZstdForge header(int windowLog) {
        return magic().u8(0).u8(windowLog - 10 << 3);
    }

    /** Magic, descriptor with a content size of 8 bytes, window. */
    public ZstdForge header(int windowLog, long contentBytes) {
        return magic().u8(0xc0).u8(windowLog - 10 << 3).le64(contentBytes);
    }

    /** Magic, descriptor, content size of 4 bytes that is the window too. */
    public ZstdForge singleSegment(long contentBytes) {
        return magic().u8(0xa0).le32(contentBytes);
    }

    public ZstdForge blockHeader(int type, int size, boolean last) {
        return little((last ? 1 : 0) | type << 1 | (long) size << 3, 3);
    }

    public ZstdForge rawBlock(byte[] content, boolean last) {
        return blockHeader(RAW, content.length, last).put(content);
    }

    public ZstdForge rleBlock(int value, int count, boolean last) {
        return blockHeader(RLE, count, last).u8(value);
    }

    public ZstdForge skippable(int nibble, byte[] content) {
        return put(skippable(nibble, content.length, content));
    }
}
