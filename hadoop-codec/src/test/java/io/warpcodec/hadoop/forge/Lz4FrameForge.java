package io.warpcodec.hadoop.forge;

import io.warpcodec.hadoop.Bytes;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/** Builds one LZ4 frame field by field (LZ4 frame format 1.6), right unless told otherwise. */
public final class Lz4FrameForge {
    public static final long MAGIC = 0x184D2204L;
    static final long LEGACY_MAGIC = 0x184C2102L;
    static final long SKIPPABLE_MAGIC = 0x184D2A50L;

    public static final int VERSION_1 = 1 << 6;
    public static final int BLOCKS_INDEPENDENT = 1 << 5;
    public static final int BLOCK_CHECKSUM = 1 << 4;
    public static final int CONTENT_SIZE = 1 << 3;
    public static final int CONTENT_CHECKSUM = 1 << 2;
    public static final int RESERVED = 1 << 1;
    public static final int DICT_ID = 1;

    private static final long UNCOMPRESSED = 0x80000000L;

    private long magic = MAGIC;
    private int flags = VERSION_1 | BLOCKS_INDEPENDENT;
    private int blockDescriptor = 4 << 4;
    private Long contentSize;
    private int headerChecksumFlip;
    private Long contentChecksum;
    private int blockChecksumFlip;
    private boolean endMark = true;
    private final List<Block> blocks = new ArrayList<>();
    private final Bytes content = new Bytes();

    private record Block(long sizeField, byte[] data) {}

    public Lz4FrameForge magic(long value) {
        magic = value;
        return this;
    }

    /** FLG as it is, all of it. */
    Lz4FrameForge flags(int value) {
        flags = value;
        return this;
    }

    public Lz4FrameForge with(int bits) {
        flags |= bits;
        return this;
    }

    public Lz4FrameForge without(int bits) {
        flags &= ~bits;
        return this;
    }

    /** BD as it is, all of it. */
    public Lz4FrameForge blockDescriptor(int value) {
        blockDescriptor = value;
        return this;
    }

    public Lz4FrameForge contentSize(long lie) {
        contentSize = lie;
        return with(CONTENT_SIZE);
    }

    public Lz4FrameForge headerChecksumFlip(int bits) {
        headerChecksumFlip = bits;
        return this;
    }

    public Lz4FrameForge contentChecksum(long lie) {
        contentChecksum = lie;
        return with(CONTENT_CHECKSUM);
    }

    public Lz4FrameForge blockChecksumFlip(int bits) {
        blockChecksumFlip = bits;
        return with(BLOCK_CHECKSUM);
    }

    public Lz4FrameForge noEndMark() {
        endMark = false;
        return this;
    }

    /** A compressed LZ4 block. */
    public Lz4FrameForge block(byte[] raw) {
        byte[] data = compressBlock(raw);
        return block(data.length, data, raw);
    }

    /** An uncompressed LZ4 block. */
    public Lz4FrameForge rawBlock(byte[] raw) {
        return block(raw.length | UNCOMPRESSED, raw, raw);
    }

    /** Any size field before any bytes. */
    public Lz4FrameForge block(long sizeField, byte[] data, byte[] raw) {
        blocks.add(new Block(sizeField, data));
        content.put(raw);
        return this;
    }

    public byte[] build() {
        Bytes descriptor = new Bytes().u8(flags).u8(blockDescriptor);
        if ((flags & CONTENT_SIZE) != 0) {
            descriptor.le64(contentSize == null ? content.size() : contentSize);
        }
        if ((flags & DICT_ID) != 0) {
            descriptor.le32(0x0D1C);
        }
        Bytes frame = new Bytes().le32(magic).put(descriptor.toArray());
        frame.u8((xxh32(descriptor.toArray()) >>> 8 & 0xff) ^ headerChecksumFlip);
        for (Block block : blocks) {
            frame.le32(block.sizeField).put(block.data);
            if ((flags & BLOCK_CHECKSUM) != 0) {
                frame.le32(xxh32(block.data) ^ blockChecksumFlip);
            }
        }
        if (endMark) {
            frame.le32(0);
            if ((flags & CONTENT_CHECKSUM) != 0) {
                frame.le32(contentChecksum == null ? xxh32(content.toArray()) : contentChecksum);
            }
        }
        return frame.toArray();
    }

    /** A frame of the legacy format: a magic, then sized blocks of 8 MiB each, the last one shorter, to the end. */
    public static byte[] legacy(byte[] raw) {
        byte[] data = compressBlock(raw);
        return new Bytes().le32(LEGACY_MAGIC).le32(data.length).put(data).toArray();
    }

    public static byte[] skippable(int nibble, byte[] data) {
        return new Bytes()
                .le32(SKIPPABLE_MAGIC + nibble)
                .le32(data.length)
                .put(data)
                .toArray();
    }

    public static byte[] compressBlock(byte[] raw) {
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

    static int xxh32(byte[] bytes) {
        return XXHashFactory.safeInstance().hash32().hash(bytes, 0, bytes.length, 0);
    }
}
