package io.warpcodec.format.store;

import java.nio.ByteBuffer;

/**
 * The head of a stored unit, the only place that reads and writes it. All numbers are big-endian.
 *
 * <pre>
 * MAGIC      4  57 53 54 4F
 * RAW_BYTES  4  0 to 1,048,576
 * raw bytes
 * CRC32      4  of the raw bytes
 * </pre>
 */
public final class StoreHeader {
    public static final int MAGIC = 0x57_53_54_4f;
    public static final int BYTES = 8;
    public static final int CHECKSUM_BYTES = 4;
    public static final int MAX_RAW_BYTES = 1 << 20;

    private StoreHeader() {}

    /** What is wrong with a head, or null. */
    public static String defect(int magic, int rawBytes) {
        if (magic != MAGIC) {
            return "no stored unit starts here";
        }
        return rawBytes < 0 || rawBytes > MAX_RAW_BYTES ? "a stored unit of " + rawBytes + " bytes" : null;
    }

    /** Bytes of a whole unit. */
    public static int unitBytes(int rawBytes) {
        return BYTES + rawBytes + CHECKSUM_BYTES;
    }

    /** Writes a head. */
    public static void put(ByteBuffer target, int rawBytes) {
        target.putInt(MAGIC).putInt(rawBytes);
    }
}
