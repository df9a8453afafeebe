package io.warpcodec.stream.lz4;

import io.warpcodec.format.checksum.XxHash32;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Factory;

/** Builds LZ4 containers field by field, right or wrong. */
final class Lz4Forge {
    static final int VERSION_1 = 0x40;
    static final int INDEPENDENT = 0x20;
    static final int BLOCK_CHECKSUMS = 0x10;
    static final int CONTENT_SIZE = 0x08;
    static final int CONTENT_CHECKSUM = 0x04;
    static final int DICT_ID = 0x01;
    static final int BD_64_KIB = 0x40;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static int hash(byte[] data, int start, int length) {
        XxHash32 hash = new XxHash32(0);
        hash.update(data, start, length);
        return hash.value();
    }

    static byte[] block(byte[] raw) {
        return LZ4Factory.fastestInstance().fastCompressor().compress(raw);
    }

    Lz4Forge u8(int value) {
        bytes.write(value);
        return this;
    }

    Lz4Forge le32(long value) {
        return put(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) value));
    }

    Lz4Forge le64(long value) {
        return put(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value));
    }

    Lz4Forge be32(int value) {
        return put(ByteBuffer.allocate(4).putInt(value));
    }

    Lz4Forge put(byte[] data) {
        bytes.writeBytes(data);
        return this;
    }

    private Lz4Forge put(ByteBuffer number) {
        return put(number.array());
    }

    /** Magic, FLG, BD, the optional fields, and a right header checksum. */
    Lz4Forge header(int flg, int bd, byte[] optionalFields) {
        byte[] hashed = StreamRig.concat(new byte[] {(byte) flg, (byte) bd}, optionalFields);
        return le32(0x184D_2204L).put(hashed).u8(hash(hashed, 0, hashed.length) >>> 8 & 0xff);
    }

    Lz4Forge header(int flg) {
        return header(flg, BD_64_KIB, new byte[0]);
    }

    /** A compressed block with its size. */
    Lz4Forge sized(byte[] block) {
        return le32(block.length).put(block);
    }

    Lz4Forge uncompressed(byte[] raw) {
        return le32(raw.length | 0x8000_0000L).put(raw);
    }

    Lz4Forge end() {
        return le32(0);
    }

    Lz4Forge checksum(byte[] data) {
        return le32(hash(data, 0, data.length));
    }

    byte[] done() {
        return bytes.toByteArray();
    }
}
