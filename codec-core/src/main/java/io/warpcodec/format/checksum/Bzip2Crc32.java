package io.warpcodec.format.checksum;

import java.nio.ByteOrder;

/**
 * The CRC-32 of bzip2: the polynomial of zlib's, but the first bit of a byte is its most significant one, so that
 * {@link java.util.zip.CRC32} cannot be used. Stateless: a register of -1 starts, {@link #update} goes on, the
 * complement of the register is the checksum.
 */
public final class Bzip2Crc32 {
    // Eight bytes at a time: the register is added to the first four, then the contributions of all eight, each known
    // from a table for its distance to the end of the group, are added up. SLICES[0] is the plain table for one byte.

    /** Highest power first, as bzip2 shifts; without the 33rd bit. */
    public static final int POLYNOMIAL = 0x04c1_1db7;

    /** Value of the register before the first byte. */
    public static final int START = -1;

    private static final int SLICE_COUNT = 8;
    private static final int[][] SLICES = slices();
    private static final java.lang.invoke.VarHandle WORD =
            java.lang.invoke.MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bzip2Crc32() {}

    private static int[][] slices() {
        int[][] slices = new int[SLICE_COUNT][256];
        for (int value = 0; value < 256; value++) {
            int register = value << 24;
            for (int bit = 0; bit < 8; bit++) {
                register = register << 1 ^ (register >> 31 & POLYNOMIAL);
            }
            slices[0][value] = register;
        }
        for (int slice = 1; slice < SLICE_COUNT; slice++) {
            for (int value = 0; value < 256; value++) {
                int before = slices[slice - 1][value];
                slices[slice][value] = before << 8 ^ slices[0][before >>> 24];
            }
        }
        return slices;
    }

    /** The register after these bytes. */
    public static int update(int register, byte[] bytes, int start, int length) {
        int at = start;
        int limit = start + length;
        int crc = register;
        while (limit - at >= 8) {
            int high = crc ^ (int) WORD.get(bytes, at);
            int low = (int) WORD.get(bytes, at + 4);
            crc = SLICES[7][high >>> 24]
                    ^ SLICES[6][high >>> 16 & 0xff]
                    ^ SLICES[5][high >>> 8 & 0xff]
                    ^ SLICES[4][high & 0xff]
                    ^ SLICES[3][low >>> 24]
                    ^ SLICES[2][low >>> 16 & 0xff]
                    ^ SLICES[1][low >>> 8 & 0xff]
                    ^ SLICES[0][low & 0xff];
            at += 8;
        }
        while (at < limit) {
            crc = crc << 8 ^ SLICES[0][crc >>> 24 ^ bytes[at++] & 0xff];
        }
        return crc;
    }

    /** The checksum that a register stands for. */
    public static int value(int register) {
        return ~register;
    }
}
