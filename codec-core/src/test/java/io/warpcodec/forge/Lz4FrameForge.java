package io.warpcodec.forge;

import static io.warpcodec.forge.Lz4Forge.BLOCK_CHECKSUMS;
import static io.warpcodec.forge.Lz4Forge.CONTENT_CHECKSUM;
import static io.warpcodec.forge.Lz4Forge.CONTENT_SIZE;

import java.util.ArrayList;
import java.util.List;

/** One LZ4 frame, right unless told otherwise; {@link Lz4Forge} lays its fields down. */
public final class Lz4FrameForge {
    private long magic = Lz4Forge.MAGIC;
    private int flags = Lz4Forge.VERSION_1 | Lz4Forge.INDEPENDENT;
    private int blockDescriptor = Lz4Forge.BD_64_KIB;
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
        return with(BLOCK_CHECKSUMS);
    }

    public Lz4FrameForge noEndMark() {
        endMark = false;
        return this;
    }

    /** A compressed LZ4 block. */
    public Lz4FrameForge block(byte[] raw) {
        byte[] data = Lz4Forge.block(raw);
        return block(data.length, data, raw);
    }

    /** An uncompressed LZ4 block. */
    public Lz4FrameForge rawBlock(byte[] raw) {
        return block(raw.length | Lz4Forge.UNCOMPRESSED, raw, raw);
    }

    /** Any size field before any bytes. */
    public Lz4FrameForge block(long sizeField, byte[] data, byte[] raw) {
        blocks.add(new Block(sizeField, data));
        content.put(raw);
        return this;
    }

    public byte[] build() {
        Lz4Forge frame = new Lz4Forge().header(magic, flags, blockDescriptor, optionalFields(), headerChecksumFlip);
        for (Block block : blocks) {
            frame.le32(block.sizeField).put(block.data);
            if ((flags & BLOCK_CHECKSUMS) != 0) {
                frame.le32(Lz4Forge.hash(block.data, 0, block.data.length) ^ blockChecksumFlip);
            }
        }
        if (endMark) {
            frame.end();
            if ((flags & CONTENT_CHECKSUM) != 0) {
                frame.le32(
                        contentChecksum == null
                                ? Lz4Forge.hash(content.toArray(), 0, content.size())
                                : contentChecksum);
            }
        }
        return frame.toArray();
    }

    private byte[] optionalFields() {
        Bytes fields = new Bytes();
        if ((flags & CONTENT_SIZE) != 0) {
            fields.le64(contentSize == null ? content.size() : contentSize);
        }
        if ((flags & Lz4Forge.DICT_ID) != 0) {
            fields.le32(0x0D1C);
        }
        return fields.toArray();
    }
}
