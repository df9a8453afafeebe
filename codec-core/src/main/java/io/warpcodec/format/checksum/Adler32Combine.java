package io.warpcodec.format.checksum;

/**
 * Joins Adler-32 values (RFC 1950, {@link java.util.zip.Adler32}) of neighbouring parts.
 *
 * <p>Stateless and thread-safe.
 */
public final class Adler32Combine {
    // Low half: 1 + the sum of the bytes. High half: the sum of the low half's values after each byte. While B
    // passes, every one of its values is larger than if B had stood alone by (low(A) - 1), and there are |B| of them.

    private static final int BASE = 65521;

    private Adler32Combine() {}

    /**
     * The Adler-32 of A followed by B.
     *
     * @param first Adler-32 of A, as its 32 bits
     * @param second Adler-32 of B, as its 32 bits
     * @param secondBytes length of B in bytes
     * @return Adler-32 of A followed by B, as its 32 bits
     * @throws IllegalArgumentException if the length is negative
     */
    public static int combine(int first, int second, long secondBytes) {
        if (secondBytes < 0) {
            throw new IllegalArgumentException("negative length " + secondBytes);
        }
        long excess = (first & 0xFFFF) + BASE - 1L;
        long low = ((second & 0xFFFF) + excess) % BASE;
        long high = ((first >>> 16) + (second >>> 16) + secondBytes % BASE * (excess % BASE)) % BASE;
        return (int) (high << 16 | low);
    }
}
