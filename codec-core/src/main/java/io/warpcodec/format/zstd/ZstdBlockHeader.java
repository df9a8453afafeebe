package io.warpcodec.format.zstd;

/**
 * The header of a block inside a frame (RFC 8878 §3.1.1.2).
 *
 * @param last whether the frame has no more blocks
 * @param type one of the constants
 * @param size Block_Size: length of the content, but for {@link #RLE}, where it is the length when decoded
 */
public record ZstdBlockHeader(boolean last, int type, int size) {
    public static final int RAW = 0;
    public static final int RLE = 1;
    public static final int COMPRESSED = 2;
    static final int RESERVED = 3;

    /** The header whose {@link ZstdFormat#BLOCK_HEADER_BYTES} are this little-endian number. */
    public static ZstdBlockHeader of(int bytes) {
        return new ZstdBlockHeader((bytes & 1) != 0, bytes >> 1 & 3, bytes >> 3);
    }

    /** Bytes of the block behind its header. */
    public int contentBytes() {
        return type == RLE ? 1 : size;
    }
}
