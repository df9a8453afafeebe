package io.warpcodec.forge;

import java.util.Arrays;
import net.jpountz.xxhash.XXHashFactory;

/** One zstd frame of raw and RLE blocks, right unless told otherwise; {@link ZstdForge} lays its fields down. */
public final class ZstdFrameForge {
    public static final int SINGLE_SEGMENT = 1 << 5;
    public static final int UNUSED = 1 << 4;
    public static final int RESERVED = 1 << 3;
    public static final int CHECKSUM = 1 << 2;

    private long magic = ZstdForge.MAGIC;
    private int descriptor = CHECKSUM;
    private int windowDescriptor = 0;
    private byte[] dictionaryId = {};
    private byte[] contentSize = {};
    private Long checksum;
    private final ZstdForge blocks = new ZstdForge();
    private final Bytes content = new Bytes();

    public ZstdFrameForge magic(long value) {
        magic = value;
        return this;
    }

    public ZstdFrameForge with(int bits) {
        descriptor |= bits;
        return this;
    }

    public ZstdFrameForge without(int bits) {
        descriptor &= ~bits;
        return this;
    }

    /** Exponent in the upper five bits, mantissa in the lower three: 2^(10+e) * (1 + m/8) bytes. */
    public ZstdFrameForge window(int exponent, int mantissa) {
        windowDescriptor = exponent << 3 | mantissa;
        return this;
    }

    /** A dictionary id of 1, 2 or 4 bytes. */
    public ZstdFrameForge dictionary(int idBytes, long id) {
        descriptor |= idBytes == 4 ? 3 : idBytes;
        dictionaryId = new Bytes().little(id, idBytes).toArray();
        return this;
    }

    /** A content size in a field of 1 (single segment only), 2, 4 or 8 bytes; the two-byte one holds 256 less. */
    public ZstdFrameForge contentSize(int fieldBytes, long value) {
        descriptor |= (31 - Integer.numberOfLeadingZeros(fieldBytes)) << 6;
        if (fieldBytes == 1) {
            descriptor |= SINGLE_SEGMENT;
        }
        contentSize = new Bytes()
                .little(fieldBytes == 2 ? value - 256 : value, fieldBytes)
                .toArray();
        return this;
    }

    public ZstdFrameForge checksum(long lie) {
        checksum = lie;
        return with(CHECKSUM);
    }

    public ZstdFrameForge raw(byte[] bytes, boolean last) {
        content.put(bytes);
        return block(ZstdForge.RAW, bytes.length, last, bytes);
    }

    public ZstdFrameForge rle(int value, int count, boolean last) {
        byte[] run = new byte[count];
        Arrays.fill(run, (byte) value);
        content.put(run);
        return block(ZstdForge.RLE, count, last, (byte) value);
    }

    /** Any block header before any bytes. */
    public ZstdFrameForge block(int type, int size, boolean last, byte... data) {
        blocks.blockHeader(type, size, last).put(data);
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
}
