package io.warpcodec.hadoop.forge;

import io.warpcodec.hadoop.Bytes;
import net.jpountz.xxhash.XXHashFactory;

/** Builds one zstd frame field by field (RFC 8878), from raw and RLE blocks, right unless told otherwise. */
public final class ZstdForge {
    public static final long MAGIC = 0xFD2FB528L;
    static final long SKIPPABLE_MAGIC = 0x184D2A50L;

    public static final int SINGLE_SEGMENT = 1 << 5;
    public static final int UNUSED = 1 << 4;
    public static final int RESERVED = 1 << 3;
    public static final int CHECKSUM = 1 << 2;

    static final int RAW = 0;
    public static final int RLE = 1;
    public static final int COMPRESSED = 2;
    public static final int RESERVED_TYPE = 3;

    private long magic = MAGIC;
    private int descriptor = CHECKSUM;
    private int windowDescriptor = 0;
    private byte[] dictionaryId = {};
    private byte[] contentSize = {};
    private Long checksum;
    private final Bytes blocks = new Bytes();
    private final Bytes content = new Bytes();

    public ZstdForge magic(long value) {
        magic = value;
        return this;
    }

    public ZstdForge with(int bits) {
        descriptor |= bits;
        return this;
    }

    public ZstdForge without(int bits) {
        descriptor &= ~bits;
        return this;
    }

    /** Exponent in the upper five bits, mantissa in the lower three: 2^(10+e) * (1 + m/8) bytes. */
    public ZstdForge window(int exponent, int mantissa) {
        windowDescriptor = exponent << 3 | mantissa;
        return this;
    }

    /** A dictionary id of 1, 2 or 4 bytes. */
    public ZstdForge dictionary(int idBytes, long id) {
        descriptor |= idBytes == 4 ? 3 : idBytes;
        dictionaryId = littleEndian(id, idBytes);
        return this;
    }

    /** A content size in a field of 1 (single segment only), 2, 4 or 8 bytes; the two-byte one holds 256 less. */
    public ZstdForge contentSize(int fieldBytes, long value) {
        descriptor |= (31 - Integer.numberOfLeadingZeros(fieldBytes)) << 6;
        if (fieldBytes == 1) {
            descriptor |= SINGLE_SEGMENT;
        }
        contentSize = littleEndian(fieldBytes == 2 ? value - 256 : value, fieldBytes);
        return this;
    }

    public ZstdForge checksum(long lie) {
        checksum = lie;
        return with(CHECKSUM);
    }

    public ZstdForge raw(byte[] bytes, boolean last) {
        content.put(bytes);
        return block(RAW, bytes.length, last, bytes);
    }

    public ZstdForge rle(int value, int count, boolean last) {
        byte[] run = new byte[count];
        java.util.Arrays.fill(run, (byte) value);
        content.put(run);
        return block(RLE, count, last, (byte) value);
    }

    /** Any block header before any bytes. */
    public ZstdForge block(int type, int size, boolean last, byte... data) {
        blocks.put(littleEndian((last ? 1 : 0) | type << 1 | (long) size << 3, 3))
                .put(data);
        return this;
    }

    public byte[] build() {
        Bytes frame = new Bytes().le32(magic).u8(descriptor);
        if ((descriptor & SINGLE_SEGMENT) == 0) {
            frame.u8(windowDescriptor);
        }
        frame.put(dictionaryId).put(contentSize).put(blocks.toArray());
        if ((descriptor & CHECKSUM) != 0) {
            byte[] raw = content.toArray();
            frame.le32(checksum == null ? XXHashFactory.safeInstance().hash64().hash(raw, 0, raw.length, 0) : checksum);
        }
        return frame.toArray();
    }

    public static byte[] skippable(int nibble, long declaredBytes, byte[] data) {
        return new Bytes()
                .le32(SKIPPABLE_MAGIC + nibble)
                .le32(declaredBytes)
                .put(data)
                .toArray();
    }

    private static byte[] littleEndian(long value, int count) {
        Bytes bytes = new Bytes();
        for (int i = 0; i < count; i++) {
            bytes.u8((int) (value >>> 8 * i));
        }
        return bytes.toArray();
    }
}
