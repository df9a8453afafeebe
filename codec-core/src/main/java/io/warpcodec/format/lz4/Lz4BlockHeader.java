package io.warpcodec.format.lz4;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of one block of an LZ4Block stream, as lz4-java writes it and Spark uses it:
 *
 * <pre>
 *  0  MAGIC        8 bytes, "LZ4Block"
 *  8  TOKEN        u8: bits 4-7 method, 1 = raw, 2 = LZ4; bits 0-3 level: a block is at most 1 KiB shifted left by it
 *  9  BODY_BYTES   u32
 * 13  RAW_BYTES    u32
 * 17  CHECKSUM     u32, low 28 bits of the XXH32 of the raw bytes, seed 0x9747b28c
 * </pre>
 *
 * <p>Raw bytes 0 mark the end of a stream, with method 1, body bytes and checksum 0. Streams may follow each other.
 *
 * @param method {@link #RAW} or {@link #LZ4}
 * @param bodyBytes size of the body
 * @param rawBytes size when decoded
 * @param checksum of the raw bytes
 */
public record Lz4BlockHeader(int method, int bodyBytes, int rawBytes, int checksum) {
    public static final int BYTES = 21;
    public static final int RAW = 0x10;
    public static final int LZ4 = 0x20;

    private static final long MAGIC = 0x6b63_6f6c_4234_5a4cL;
    private static final int TOKEN_AT = 8;
    private static final int BODY_BYTES_AT = 9;
    private static final int RAW_BYTES_AT = 13;
    private static final int CHECKSUM_AT = 17;
    private static final int LEVEL_BASE_LOG2 = 10;
    private static final int MAX_LEVEL = 15;
    /** What a block begins with. */
    static byte[] magic() {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .array();
    }

    /** Seed of the XXH32 that the checksum is made from. */
    public static final int CHECKSUM_SEED = 0x9747_b28c;

    /** The bits of that hash which the header keeps. */
    public static final int CHECKSUM_MASK = 0x0fff_ffff;

    /** What is wrong with a header, or null. Looks at {@link #BYTES} from the position. */
    public static String defect(ByteBuffer header) {
        if (header.slice().order(ByteOrder.LITTLE_ENDIAN).getLong(0) != MAGIC) {
            return "the magic is not LZ4Block";
        }
        Lz4BlockHeader read = of(header);
        int level = header.get(header.position() + TOKEN_AT) & 0xf;
        if (read.method != RAW && read.method != LZ4) {
            return "the method is " + read.method;
        }
        if (read.rawBytes < 0 || read.rawBytes > 1 << LEVEL_BASE_LOG2 + level) {
            return "the block claims " + Integer.toUnsignedString(read.rawBytes) + " raw bytes, over its level";
        }
        if (read.bodyBytes < 0
                || read.method == RAW && read.bodyBytes != read.rawBytes
                || (read.bodyBytes == 0) != (read.rawBytes == 0)
                || read.bodyBytes > Lz4Format.maxBlockBytes(read.rawBytes)) {
            return "the block claims " + Integer.toUnsignedString(read.bodyBytes) + " bytes for " + read.rawBytes
                    + " raw bytes";
        }
        if (read.rawBytes == 0 && read.checksum != 0) {
            return "the end mark has a checksum";
        }
        if (read.rawBytes == 0 && read.method != RAW) {
            return "the end mark has the method " + read.method;
        }
        return null;
    }

    /** Reads a header without defects. Looks at {@link #BYTES} from the position. */
    public static Lz4BlockHeader of(ByteBuffer header) {
        ByteBuffer bytes = header.slice().order(ByteOrder.LITTLE_ENDIAN);
        return new Lz4BlockHeader(
                bytes.get(TOKEN_AT) & 0xf0,
                bytes.getInt(BODY_BYTES_AT),
                bytes.getInt(RAW_BYTES_AT),
                bytes.getInt(CHECKSUM_AT));
    }

    /** Whether this header is the end of a stream. */
    public boolean isEnd() {
        return rawBytes == 0;
    }

    /** Writes a header at the position of a little-endian buffer. */
    static void write(ByteBuffer target, int blockMaxBytes, int method, int bodyBytes, int rawBytes, int checksum) {
        int log2 = 32 - Integer.numberOfLeadingZeros(blockMaxBytes - 1);
        int level = Math.min(MAX_LEVEL, Math.max(0, log2 - LEVEL_BASE_LOG2));
        target.putLong(MAGIC)
                .put((byte) (method | level))
                .putInt(bodyBytes)
                .putInt(rawBytes)
                .putInt(checksum);
    }

    /** The checksum of raw bytes whose XXH32 with {@link #CHECKSUM_SEED} is this. */
    public static int checksum(int hash) {
        return hash & CHECKSUM_MASK;
    }
}
