package io.warpcodec.forge;

import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/** LZ4 containers, built field by field, right or wrong (LZ4 frame format 1.6). */
public final class Lz4Forge extends Fields<Lz4Forge> {
    public static final long MAGIC = 0x184D2204L;
    public static final long LEGACY_MAGIC = 0x184C2102L;
    public static final long SKIPPABLE_MAGIC = 0x184D2A50L;

    public static final int VERSION_1 = 1 << 6;
    public static final int INDEPENDENT = 1 << 5;
    public static final int BLOCK_CHECKSUMS = 1 << 4;
    public static final int CONTENT_SIZE = 1 << 3;
    public static final int CONTENT_CHECKSUM = 1 << 2;
    public static final int RESERVED = 1 << 1;
    public static final int DICT_ID = 1;

    public static final int BD_64_KIB = 4 << 4;
    /** Bit of a block's size that says that the block is not compressed. */
    public static final long UNCOMPRESSED = 0x80000000L;

    /** XXH32 of some of the bytes, computed by lz4-java. */
    public static int hash(byte[] data, int start, int length) {
        return XXHashFactory.safeInstance().hash32().hash(data, start, length, 0);
    }

    /** The content as an LZ4 block, compressed by lz4-java. */
    public static byte[] block(byte[] raw) {
        return LZ4Factory.safeInstance().fastCompressor().compress(raw);
    }

    /** A block whose sequences say: these literals, then a match of 4 at this distance, then the last literals. */
    public static byte[] matchBlock(byte[] literals, int distance, byte[] lastLiterals) {
        return new Bytes()
                .u8(literals.length << 4)
                .put(literals)
                .le16(distance)
                .u8(lastLiterals.length << 4)
                .put(lastLiterals)
                .toArray();
    }

    /** A frame of the legacy format: a magic, then sized blocks of 8 MiB each, the last one shorter, to the end. */
    public static byte[] legacy(byte[] raw) {
        return new Lz4Forge().le32(LEGACY_MAGIC).sized(block(raw)).toArray();
    }

    public static byte[] skippable(int nibble, byte[] data) {
        return new Lz4Forge().le32(SKIPPABLE_MAGIC + nibble).sized(data).toArray();
    }

    @Override
    Lz4Forge self() {
        return this;
    }

    /** Magic, FLG, BD, the optional fields, and a right header checksum. */
    public Lz4Forge header(int flg, int bd, byte[] optionalFields) {
        return header(MAGIC, flg, bd, optionalFields, 0);
    }

    public Lz4Forge header(int flg) {
        return header(flg, BD_64_KIB, new byte[0]);
    }

    /** As {@link #header(int, int, byte[])}, but with any magic, and with flipped bits in the checksum. */
    public Lz4Forge header(long magic, int flg, int bd, byte[] optionalFields, int checksumFlip) {
        byte[] hashed = Bytes.concat(new byte[] {(byte) flg, (byte) bd}, optionalFields);
        return le32(magic).put(hashed).u8(hash(hashed, 0, hashed.length) >>> 8 ^ checksumFlip);
    }

    /** A compressed block with its size. */
    public Lz4Forge sized(byte[] block) {
        return le32(block.length).put(block);
    }

    public Lz4Forge uncompressed(byte[] raw) {
        return le32(raw.length | UNCOMPRESSED).put(raw);
    }

    public Lz4Forge end() {
        return le32(0);
    }

    public Lz4Forge checksum(byte[] data) {
        return le32(hash(data, 0, data.length));
    }
}
