package io.warpcodec.format.gzip;

/**
 * A place in a gzip file at which decoding can begin: where a member begins, or the header of a DEFLATE block within
 * one.
 *
 * @param bitOffset from the start of the file: of a member's ID1, or of the block's first header bit; a block's bits
 *     count from the lowest of a byte
 * @param rawOffset bytes that the file decodes to before this place
 * @param rawCrc CRC-32 of those
 * @param memberRawBytes those of them that belong to the member around this place; 0: a member begins here
 * @param memberCrc CRC-32 of those of the member
 */
public record GzipSeekPoint(long bitOffset, long rawOffset, int rawCrc, long memberRawBytes, int memberCrc) {
    /** How far back a DEFLATE distance can lead. */
    public static final int MAX_WINDOW_BYTES = 1 << 15;

    /** The start of every file. */
    public static final GzipSeekPoint START = new GzipSeekPoint(0, 0, 0, 0, 0);

    /** The byte of the file that the bit lies in. */
    public long byteOffset() {
        return bitOffset >>> 3;
    }

    /** The bit in that byte, 0 to 7. */
    public int bit() {
        return (int) bitOffset & 7;
    }

    /** Whether a member begins here, not a block within one. */
    public boolean startsMember() {
        return memberRawBytes == 0;
    }

    /** How many of the bytes before this place a block that begins here may refer to. */
    public int windowBytes() {
        return (int) Math.min(memberRawBytes, MAX_WINDOW_BYTES);
    }
}
