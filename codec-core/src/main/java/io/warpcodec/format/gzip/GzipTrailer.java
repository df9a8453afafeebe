package io.warpcodec.format.gzip;

/**
 * The trailer of a gzip member: what its raw bytes must be.
 *
 * @param crc32 of the raw bytes
 * @param rawBytes ISIZE: how many there are, modulo 2^32
 */
public record GzipTrailer(int crc32, int rawBytes) {

    /** The trailer whose {@link GzipFormat#TRAILER_BYTES} are this little-endian number. */
    public static GzipTrailer of(long bytes) {
        return new GzipTrailer((int) bytes, (int) (bytes >>> Integer.SIZE));
    }

    /**
     * What is wrong with a member that has decoded to bytes of this CRC-32, and so many of them; null if nothing is.
     */
    public String defect(int memberCrc32, long memberRawBytes) {
        if (crc32 != memberCrc32) {
            return "the CRC32 is wrong";
        }
        return rawBytes != (int) memberRawBytes ? "ISIZE is wrong" : null;
    }
}
