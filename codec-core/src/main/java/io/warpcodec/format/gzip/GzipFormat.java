package io.warpcodec.format.gzip;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.Window;

/**
 * Constants and header layout of gzip (RFC 1952), of our subfield in it, and of BGZF. Wire layout of a member of
 * ours, which is all that {@code docs/format/gzip.md} adds to the RFC:
 *
 * <pre>
 *  0  ID1 ID2 CM FLG      1f 8b 08 04
 *  4  MTIME XFL OS        0 0 0 0, 0, 255
 * 10  XLEN                u16, length of all subfields
 * 12  SI1 SI2             'W' 'C'
 * 14  LEN                 u16, 18 or more
 * 16  VERSION             u8, 1
 * 17  FLAGS               u8, 0
 * 18  SIGNATURE           8 bytes
 * 26  MEMBER_BYTES        u32, whole member, header and trailer included
 * 30  RAW_BYTES           u32, size when decoded
 * 34  segment table       LEN - 18 bytes, none in versions 0 and 1
 * </pre>
 */
public final class GzipFormat {
    static final int ID1 = 0x1f;
    static final int ID2 = 0x8b;
    static final int CM_DEFLATE = 8;

    static final int FHCRC = 2;
    static final int FEXTRA = 4;
    static final int FNAME = 8;
    static final int FCOMMENT = 16;
    static final int FLG_RESERVED = 0xe0;

    /** Fixed part of every header, in bytes. */
    static final int HEADER_BYTES = 10;

    /** CRC32 and ISIZE. */
    public static final int TRAILER_BYTES = 8;

    static final int OS_UNKNOWN = 255;

    /** Index of the flags in a header. */
    static final int FLG_AT = 3;

    static final int SI1 = 'W';
    static final int SI2 = 'C';
    static final int VERSION = 1;
    /** Chosen once at random, first byte not ASCII: no text and no format known to us contains it. */
    static final long SIGNATURE = 0x9d3b_e157_2ac6_70f8L;

    /** Index of the first subfield: behind the fixed part and XLEN. */
    public static final int SUBFIELD_AT = 12;

    static final int LEN_AT = 14;
    static final int VERSION_AT = 16;
    static final int SIGNATURE_AT = 18;
    static final int MEMBER_BYTES_AT = 26;
    static final int RAW_BYTES_AT = 30;
    static final int SEGMENTS_AT = 34;
    static final int LEN_WITHOUT_SEGMENTS = SEGMENTS_AT - VERSION_AT;

    /** Header of a member of ours without a segment table. */
    static final int OUR_HEADER_BYTES = SEGMENTS_AT;

    /**
     * The largest member of ours: zlib never makes {@link CodecOptions#MAX_CHUNK_BYTES} of raw bytes longer than 13 +
     * n/4096 + n/16384 + n/2^25 bytes more; the segment table is at most 64 KiB as every FEXTRA.
     */
    static final int MAX_MEMBER_BYTES = CodecOptions.MAX_CHUNK_BYTES
            + (CodecOptions.MAX_CHUNK_BYTES >> 12)
            + (CodecOptions.MAX_CHUNK_BYTES >> 14)
            + 64
            + (1 << 16);

    /** A BGZF block is at most this long: BSIZE is 16 bits, and one less than the block. */
    static final int MAX_BGZF_BYTES = 1 << 16;

    static final int BGZF_SI1 = 'B';
    static final int BGZF_SI2 = 'C';

    private GzipFormat() {}

    /** Whether the subfield at an index of the window is of our kind. */
    static boolean isOurSubfield(Window window, int at) {
        return window.u8(at) == SI1 && window.u8(at + 1) == SI2;
    }

    /** Whether the subfield at an index of the window is of BGZF's kind. */
    static boolean isBgzfSubfield(Window window, int at) {
        return window.u8(at) == BGZF_SI1 && window.u8(at + 1) == BGZF_SI2;
    }
}
