package io.warpcodec.format.zlib;

/**
 * Constants and layout of a zlib stream (RFC 1950), which is what {@code .deflate} files hold. We add nothing to it:
 *
 * <pre>
 *  0  CMF      u8, bits 0-3 CM = 8, bits 4-7 CINFO: log2 of the window less 8, 7 or less
 *  1  FLG      u8, bits 0-4 FCHECK, bit 5 FDICT, bits 6-7 FLEVEL; 256 x CMF + FLG is a multiple of 31
 *  2  DEFLATE  RFC 1951
 *     ADLER32  u32 big-endian, of the raw bytes
 * </pre>
 *
 * <p>Streams may follow each other. What we write is one stream whose chunks each end with an empty stored block (a
 * sync flush, byte-aligned); one empty final block ends it.
 */
public final class ZlibFormat {
    /** CMF and FLG. */
    public static final int HEADER_BYTES = 2;

    /** ADLER32. */
    public static final int TRAILER_BYTES = 4;

    /** How far DEFLATE looks back at most. */
    public static final int WINDOW_BYTES = 32 << 10;

    static final int CM_MASK = 0x0f;
    static final int CM_DEFLATE = 8;
    static final int CINFO_SHIFT = 4;
    static final int CINFO_MAX = 7;
    static final int FDICT = 0x20;
    static final int FLEVEL_SHIFT = 6;
    static final int FCHECK_MODULUS = 31;

    private ZlibFormat() {}

    /**
     * Why these two bytes are no header that can be read, or null if they are one.
     *
     * @param cmf first byte, unsigned
     * @param flg second byte, unsigned
     */
    public static String headerDefect(int cmf, int flg) {
        if ((cmf << 8 | flg) % FCHECK_MODULUS != 0) {
            return "the header check is wrong";
        }
        if ((cmf & CM_MASK) != CM_DEFLATE) {
            return "the compression method is " + (cmf & CM_MASK) + ", not 8";
        }
        if (cmf >> CINFO_SHIFT > CINFO_MAX) {
            return "the window is larger than 32 KiB";
        }
        if ((flg & FDICT) != 0) {
            return "a preset dictionary is required";
        }
        return null;
    }
}
