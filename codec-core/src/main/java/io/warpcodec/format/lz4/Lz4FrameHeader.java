package io.warpcodec.format.lz4;

import io.warpcodec.format.checksum.XxHash32;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of an LZ4 frame:
 *
 * <pre>
 *  0  MAGIC         u32
 *  4  FLG           u8: bits 6-7 version = 1, 5 independent blocks, 4 block checksums, 3 content size, 2 content checksum,
 *                       1 reserved, 0 dictionary id
 *  5  BD            u8: bits 4-6 block size, 4 to 7 for 64 KiB, 256 KiB, 1 MiB, 4 MiB; the others reserved
 *  6  CONTENT_SIZE  u64, where FLG says so
 *     DICT_ID       u32, where FLG says so
 *     HC            u8, the second byte of the XXH32 of FLG to DICT_ID
 * </pre>
 *
 * @param independent whether no block refers to the one before it
 * @param blockChecksums whether each block carries one
 * @param contentChecksum whether the frame carries one
 * @param hasContentBytes whether the content size is declared
 * @param contentBytes the declared size, unsigned
 * @param blockMaxBytes the most that a block holds, compressed or not
 */
public record Lz4FrameHeader(
        boolean independent,
        boolean blockChecksums,
        boolean contentChecksum,
        boolean hasContentBytes,
        long contentBytes,
        int blockMaxBytes) {

    /** Bytes to see before {@link #bytes} can tell: magic and FLG. */
    public static final int LEAST_BYTES = 5;

    /** The longest header. */
    public static final int MAX_BYTES = 19;

    /** Header that we write: independent blocks of 64 KiB, content size, content checksum. */
    static final int OUR_BYTES = 15;

    /** The shortest header. */
    private static final int BARE_BYTES = 7;

    /** What is wrong with bytes that begin with another magic. */
    public static final String WRONG_MAGIC = "the magic is not that of an LZ4 frame";

    private static final int FLG_AT = 4;
    private static final int BD_AT = 5;
    private static final int VERSION_MASK = 0xc0;
    private static final int VERSION = 0x40;
    private static final int INDEPENDENT = 0x20;
    private static final int BLOCK_CHECKSUMS = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int CONTENT_CHECKSUM = 0x04;
    private static final int FLG_RESERVED = 0x02;
    private static final int DICT_ID = 0x01;
    private static final int BD_RESERVED = 0x8f;
    private static final int BD_SHIFT = 4;
    private static final int BD_LEAST = 4;

    /** Length of a header with this FLG. */
    public static int bytes(int flg) {
        return FLG_AT + 2 + ((flg & CONTENT_SIZE) != 0 ? 8 : 0) + ((flg & DICT_ID) != 0 ? 4 : 0) + 1;
    }

    /** Whether each block of a frame with this FLG carries a checksum. */
    static boolean hasBlockChecksums(int flg) {
        return (flg & BLOCK_CHECKSUMS) != 0;
    }

    /** Whether a frame with this FLG carries a checksum of its content. */
    static boolean hasContentChecksum(int flg) {
        return (flg & CONTENT_CHECKSUM) != 0;
    }

    /** What is wrong with a whole header, or null. Looks at position to limit, leaves both. */
    public static String defect(ByteBuffer header) {
        ByteBuffer bytes = header.slice().order(ByteOrder.LITTLE_ENDIAN);
        int flg = bytes.get(FLG_AT) & 0xff;
        int bd = bytes.get(BD_AT) & 0xff;
        if (bytes.getInt(0) != Lz4Format.FRAME_MAGIC) {
            return WRONG_MAGIC;
        }
        if ((flg & VERSION_MASK) != VERSION) {
            return "the frame version is " + (flg >> 6) + ", not 1";
        }
        if ((flg & FLG_RESERVED) != 0 || (bd & BD_RESERVED) != 0) {
            return "reserved bits of the frame header are set";
        }
        if (bd >> BD_SHIFT < BD_LEAST) {
            return "the block size code is " + (bd >> BD_SHIFT);
        }
        if ((bytes.get(bytes.limit() - 1) & 0xff) != headerChecksum(bytes)) {
            return "the header checksum is wrong";
        }
        return null;
    }

    /** Reads a header without defects. Looks at position to limit, leaves both. */
    public static Lz4FrameHeader of(ByteBuffer header) {
        ByteBuffer bytes = header.slice().order(ByteOrder.LITTLE_ENDIAN);
        int flg = bytes.get(FLG_AT);
        boolean hasContentBytes = (flg & CONTENT_SIZE) != 0;
        return new Lz4FrameHeader(
                (flg & INDEPENDENT) != 0,
                hasBlockChecksums(flg),
                hasContentChecksum(flg),
                hasContentBytes,
                hasContentBytes ? bytes.getLong(BD_AT + 1) : 0,
                1 << 8 + 2 * (bytes.get(BD_AT) >> BD_SHIFT));
    }

    /** Writes the header of a frame of ours at the position of a little-endian buffer. */
    static void writeOurs(ByteBuffer target, int contentBytes) {
        int start = target.position();
        begin(target, CONTENT_SIZE | CONTENT_CHECKSUM).putLong(contentBytes);
        target.put((byte) headerChecksum(target.slice(start, OUR_BYTES)));
    }

    /** Writes the header of a frame without content size and checksum. */
    static void writeBare(ByteBuffer target) {
        int start = target.position();
        begin(target, 0).put((byte) headerChecksum(target.slice(start, BARE_BYTES)));
    }

    private static ByteBuffer begin(ByteBuffer target, int flags) {
        return target.putInt(Lz4Format.FRAME_MAGIC)
                .put((byte) (VERSION | INDEPENDENT | flags))
                .put((byte) (BD_LEAST << BD_SHIFT));
    }

    private static int headerChecksum(ByteBuffer header) {
        XxHash32 hash = new XxHash32(0);
        hash.update(header.slice(FLG_AT, header.limit() - 1 - FLG_AT));
        return hash.value() >>> 8 & 0xff;
    }
}
