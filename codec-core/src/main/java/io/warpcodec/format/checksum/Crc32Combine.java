package io.warpcodec.format.checksum;

/**
 * Joins CRC-32 values (RFC 1952, {@link java.util.zip.CRC32}) of neighbouring parts.
 *
 * <p>Stateless and thread-safe.
 */
public final class Crc32Combine {
    // A finished CRC-32 of M is I * x^(8|M|) + M * x^32 + F modulo the polynomial, where I (start value) and F (final
    // inversion) are the
    // same word of all ones. For M = A then B:
    //     crc(A) * x^(8|B|) + crc(B) = I * x^(8|AB|) + A * x^(32 + 8|B|) + F * x^(8|B|) + I * x^(8|B|) + B * x^32 + F
    // and the two middle terms cancel, so the sum is crc(AB): one multiplication by a power of x joins them.
    //
    // Words are polynomials in reflected order, bit 31 = x^0. The polynomial is primitive, so powers of x repeat after
    // 2^32 - 1 steps and
    // exponents are reduced modulo that.

    /** The polynomial in reflected order without x^32. */
    public static final int POLYNOMIAL = 0xEDB88320;

    private static final int ONE = 0x80000000;
    private static final int X = 0x40000000;
    private static final long ORDER = 0xFFFFFFFFL;
    private static final int[] SQUARES = squares();

    private Crc32Combine() {}

    /**
     * The CRC-32 of A followed by B.
     *
     * @param first CRC-32 of A, as its 32 bits
     * @param second CRC-32 of B, as its 32 bits
     * @param secondBytes length of B in bytes
     * @return CRC-32 of A followed by B, as its 32 bits
     * @throws IllegalArgumentException if the length is negative
     */
    public static int combine(int first, int second, long secondBytes) {
        if (secondBytes < 0) {
            throw new IllegalArgumentException("negative length " + secondBytes);
        }
        return multiply(first, xPower(secondBytes % ORDER * 8)) ^ second;
    }

    /** a * b modulo the polynomial. */
    static int multiply(int a, int b) {
        int product = 0;
        for (int degree = 0; degree < 32; degree++) {
            product ^= b & (a >> 31);
            a <<= 1;
            b = (b >>> 1) ^ (POLYNOMIAL & -(b & 1));
        }
        return product;
    }

    /** x^exponent modulo the polynomial, for any exponent of zero or more. */
    static int xPower(long exponent) {
        int result = ONE;
        long rest = exponent % ORDER;
        for (int k = 0; rest != 0; k++, rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = multiply(result, SQUARES[k]);
            }
        }
        return result;
    }

    /** Entry k is x^(2^k). */
    private static int[] squares() {
        int[] table = new int[32];
        table[0] = X;
        for (int k = 1; k < table.length; k++) {
            table[k] = multiply(table[k - 1], table[k - 1]);
        }
        return table;
    }
}
