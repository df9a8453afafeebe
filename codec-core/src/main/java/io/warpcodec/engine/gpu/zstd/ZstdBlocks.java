package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.format.zstd.ZstdBlockHeader;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Hops over the blocks of a whole frame, and over the headers of their sections (RFC 8878 §3.1.1.3). Nothing is
 * decoded. What libzstd would take from a dictionary is refused: a tree or a table that is repeated before there is
 * one. Not thread-safe.
 */
final class ZstdBlocks {
    /** Most blocks of a frame, beside one for each {@link #BLOCK_GRAIN} bytes that it decodes to. */
    static final int SPARE_BLOCKS = 16;

    static final int BLOCK_GRAIN = 2048;

    private static final int LEAST_MATCH_BYTES = 3;
    private static final int TABLES = 3;
    private static final int REPEATED = 3;
    private static final int NOT_YET = -1;
    private static final int JUMP_TABLE_BYTES = 6;

    private final ByteBuffer frame;
    private final int contentBytes;
    private final int maxBlockBytes;
    private final List<ZstdBlock> blocks = new ArrayList<>();
    private int tree = NOT_YET;
    private final int[] tables = {NOT_YET, NOT_YET, NOT_YET};
    /** Bytes that the frame decodes to at least. */
    private long leastBytes;

    private FallbackReason refusal;

    private ZstdBlocks(ByteBuffer frame, int contentBytes, int maxBlockBytes) {
        this.frame = frame;
        this.contentBytes = contentBytes;
        this.maxBlockBytes = maxBlockBytes;
    }

    /**
     * Hops over a frame that has been found whole, block by block.
     *
     * @param frame from index 0 to its limit, little-endian
     */
    static ZstdBlocks of(ByteBuffer frame, ZstdFrameHeader header) {
        ZstdBlocks hops = new ZstdBlocks(frame, (int) header.contentBytes(), header.maxBlockBytes());
        hops.refusal = hops.walk(header.bytes());
        return hops;
    }

    /** Why no device decodes the frame; null if one does. */
    FallbackReason refusal() {
        return refusal;
    }

    List<ZstdBlock> all() {
        return blocks;
    }

    private FallbackReason walk(int from) {
        int mostBlocks = SPARE_BLOCKS + contentBytes / BLOCK_GRAIN;
        int at = from;
        boolean last = false;
        while (!last) {
            if (blocks.size() == mostBlocks) {
                return FallbackReason.MANY_BLOCKS;
            }
            if (frame.limit() - at < ZstdFormat.BLOCK_HEADER_BYTES) {
                return FallbackReason.NOT_WELL_FORMED;
            }
            ZstdBlockHeader header =
                    ZstdBlockHeader.of((frame.getShort(at) & 0xffff) | (frame.get(at + 2) & 0xff) << 2 * Byte.SIZE);
            at += ZstdFormat.BLOCK_HEADER_BYTES;
            int bytes = header.contentBytes();
            if (bytes > frame.limit() - at || header.size() > maxBlockBytes || !add(header, at, bytes)) {
                return FallbackReason.NOT_WELL_FORMED;
            }
            at += bytes;
            last = header.last();
        }
        return null;
    }

    private boolean add(ZstdBlockHeader header, int at, int bytes) {
        ZstdBlock block = switch (header.type()) {
            case ZstdBlockHeader.RAW -> ZstdBlock.ofLiterals(at, bytes, ZstdRecord.RAW, bytes);
            case ZstdBlockHeader.RLE -> ZstdBlock.ofLiterals(at, bytes, ZstdRecord.ONE_BYTE, header.size());
            case ZstdBlockHeader.COMPRESSED -> compressed(at, bytes);
            default -> null;
        };
        if (block == null) {
            return false;
        }
        leastBytes += block.literalCount() + (long) LEAST_MATCH_BYTES * block.sequenceCount();
        blocks.add(block);
        return leastBytes <= contentBytes;
    }

    private int u8(int at) {
        return frame.get(at) & 0xff;
    }

    /** A compressed block, or null if its sections are not what they should be. */
    private ZstdBlock compressed(int at, int bytes) {
        if (bytes < 2) {
            return null;
        }
        int end = at + bytes;
        int first = u8(at);
        int type = first & 3;
        int format = first >> 2 & 3;
        boolean coded = type >= 2;
        int headerBytes = coded ? Math.max(3, format + 2) : format == 1 ? 2 : format == 3 ? 3 : 1;
        if (bytes <= headerBytes) {
            return null;
        }
        long word = 0;
        for (int i = 0; i < headerBytes; i++) {
            word |= (long) u8(at + i) << Byte.SIZE * i;
        }
        int count;
        int literalBytes;
        int kind;
        if (coded) {
            int width = format < 2 ? 10 : format == 2 ? 14 : 18;
            count = (int) (word >> 4) & (1 << width) - 1;
            literalBytes = (int) (word >> 4 + width) & (1 << width) - 1;
            kind = format == 0 ? ZstdRecord.ONE_STREAM : ZstdRecord.FOUR_STREAMS;
            if (count == 0 || literalBytes < (kind == ZstdRecord.FOUR_STREAMS ? JUMP_TABLE_BYTES + 4 : 1)) {
                return null;
            }
            tree = type == 2 ? blocks.size() : tree;
            if (tree == NOT_YET) {
                return null;
            }
        } else {
            count = (int) (word >> (headerBytes == 1 ? 3 : 4));
            literalBytes = type == 0 ? count : 1;
            kind = type == 0 ? ZstdRecord.RAW : ZstdRecord.ONE_BYTE;
        }
        int literalsAt = headerBytes;
        // one byte at least follows: the number of sequences
        if (count > maxBlockBytes || literalBytes >= bytes - headerBytes) {
            return null;
        }
        int next = at + headerBytes + literalBytes;
        int sequenceCount = u8(next++);
        if (sequenceCount == 0) {
            return next == end
                    ? new ZstdBlock(
                            at,
                            bytes,
                            literalsAt,
                            literalsAt + literalBytes,
                            count,
                            kind,
                            treeOf(coded),
                            0,
                            0,
                            0,
                            tablesNow())
                    : null;
        }
        if (sequenceCount >= 128) {
            int more = sequenceCount == 255 ? 2 : 1;
            if (end - next < more) {
                return null;
            }
            sequenceCount = more == 1
                    ? (sequenceCount - 128 << Byte.SIZE) + u8(next)
                    : u8(next) + (u8(next + 1) << Byte.SIZE) + 0x7f00;
            next += more;
        }
        // the modes, and a byte of bits behind
        if (sequenceCount == 0 || end - next < 2) {
            return null;
        }
        int modes = u8(next++);
        if ((modes & 3) != 0) {
            return null;
        }
        for (int table = 0; table < TABLES; table++) {
            if ((modes >> 6 - 2 * table & 3) != REPEATED) {
                tables[table] = blocks.size();
            } else if (tables[table] == NOT_YET) {
                return null;
            }
        }
        return new ZstdBlock(
                at,
                bytes,
                literalsAt,
                literalsAt + literalBytes,
                count,
                kind,
                treeOf(coded),
                sequenceCount,
                modes,
                next - at,
                tablesNow());
    }

    private int treeOf(boolean coded) {
        return coded ? tree : 0;
    }

    private int[] tablesNow() {
        int[] now = new int[TABLES];
        for (int table = 0; table < TABLES; table++) {
            now[table] = Math.max(0, tables[table]);
        }
        return now;
    }
}
