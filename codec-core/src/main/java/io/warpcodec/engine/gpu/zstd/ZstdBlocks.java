package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.format.zstd.ZstdBlockHeader;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Hops over the blocks of a frame, and over the headers of their sections (RFC 8878 §3.1.1.3). Nothing is decoded.
 * What libzstd would take from a dictionary is refused: a tree or a table that is repeated before there is one. Not
 * thread-safe.
 */
final class ZstdBlocks {
    /** Most blocks of a frame, beside one for each {@link #BLOCK_GRAIN} bytes that it decodes to. */
    static final int SPARE_BLOCKS = 16;

    static final int BLOCK_GRAIN = 2048;

    private static final int LEAST_MATCH_BYTES = 3;
    private static final int NOT_YET = -1;

    private final ByteBuffer frame;
    private final int contentBytes;
    private final int maxBlockBytes;
    private final List<ZstdBlock> blocks = new ArrayList<>();
    private int tree = NOT_YET;
    private final int[] tables = {NOT_YET, NOT_YET, NOT_YET};
    /** Bytes in front of {@link #frame}, from which the begin of each block is counted. */
    private int origin;
    /** Bytes that the frame decodes to at least. */
    private long leastBytes;

    private FallbackReason refusal;

    /**
     * @param frame from index 0 to its limit, little-endian
     * @param contentBytes that all blocks decode to, or at most
     */
    ZstdBlocks(ByteBuffer frame, int contentBytes, int maxBlockBytes) {
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

    /** Most blocks of a frame that decodes to so much. */
    static int mostBlocks(int contentBytes) {
        return SPARE_BLOCKS + contentBytes / BLOCK_GRAIN;
    }

    /** Why no device decodes the frame; null if one does. */
    FallbackReason refusal() {
        return refusal;
    }

    List<ZstdBlock> all() {
        return blocks;
    }

    private FallbackReason walk(int from) {
        int mostBlocks = mostBlocks(contentBytes);
        int at = from;
        boolean last = false;
        while (!last) {
            if (blocks.size() == mostBlocks) {
                return FallbackReason.MANY_BLOCKS;
            }
            ZstdBlockHeader header = header(at);
            at += ZstdFormat.BLOCK_HEADER_BYTES;
            if (header == null || header.contentBytes() > frame.limit() - at || !add(header, at)) {
                return FallbackReason.NOT_WELL_FORMED;
            }
            at += header.contentBytes();
            last = header.last();
        }
        return null;
    }

    /** The header of the block at an index; null if it is not all there. */
    ZstdBlockHeader header(int at) {
        return frame.limit() - at < ZstdFormat.BLOCK_HEADER_BYTES
                ? null
                : ZstdBlockHeader.of((frame.getShort(at) & 0xffff) | (frame.get(at + 2) & 0xff) << 2 * Byte.SIZE);
    }

    /** Counts the begin of blocks that are added from so many bytes before index 0. */
    void setOrigin(int bytes) {
        origin = bytes;
    }

    /** Adds a block that decodes to nothing, and describes a tree. */
    void addTree(int at, int bytes) {
        tree = blocks.size();
        ZstdLiterals none = new ZstdLiterals(ZstdLiterals.ONE_STREAM, 0, bytes, 0, true);
        blocks.add(new ZstdBlock(at, bytes, none, tree, ZstdSequences.NONE, new int[ZstdSequences.TABLES]));
    }

    /** Adds a block that decodes to nothing, and has a table at its second byte. */
    void addTable(int table, int mode, int at, int bytes) {
        tables[table] = blocks.size();
        ZstdLiterals none = new ZstdLiterals(ZstdLiterals.RAW, 0, 0, 0, false);
        ZstdSequences sequences = new ZstdSequences(0, mode << 2 * (ZstdSequences.TABLES - table), 1);
        blocks.add(new ZstdBlock(at, bytes, none, 0, sequences, new int[ZstdSequences.TABLES]));
    }

    /** Adds the block whose content begins at an index. False if it is not what it should be. */
    boolean add(ZstdBlockHeader header, int at) {
        int bytes = header.contentBytes();
        ZstdBlock block = header.size() > maxBlockBytes
                ? null
                : switch (header.type()) {
                    case ZstdBlockHeader.RAW -> ZstdBlock.raw(origin + at, bytes);
                    case ZstdBlockHeader.RLE -> ZstdBlock.oneByte(origin + at, header.size());
                    case ZstdBlockHeader.COMPRESSED -> compressed(at, bytes);
                    default -> null;
                };
        if (block == null) {
            return false;
        }
        leastBytes += block.literals().count()
                + (long) LEAST_MATCH_BYTES * block.sequences().count();
        blocks.add(block);
        return leastBytes <= contentBytes;
    }

    /** Number of the block that describes the last tree; negative before there is one. */
    int tree() {
        return tree;
    }

    /** Number of the block that describes the last table of a kind; negative before there is one. */
    int table(int kind) {
        return tables[kind];
    }

    /** A compressed block, or null if its sections are not what they should be. */
    private ZstdBlock compressed(int at, int bytes) {
        ByteBuffer content = frame.slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
        ZstdLiterals literals = ZstdLiterals.of(content);
        if (literals == null || literals.count() > maxBlockBytes) {
            return null;
        }
        ZstdSequences sequences = ZstdSequences.of(content, literals.end());
        if (sequences == null) {
            return null;
        }
        if (literals.hasTree()) {
            tree = blocks.size();
        }
        boolean lacksOne = literals.isCoded() && tree == NOT_YET;
        if (sequences.count() > 0) {
            for (int table = 0; table < ZstdSequences.TABLES; table++) {
                if (!sequences.repeats(table)) {
                    tables[table] = blocks.size();
                }
                lacksOne |= tables[table] == NOT_YET;
            }
        }
        return lacksOne
                ? null
                : new ZstdBlock(origin + at, bytes, literals, Math.max(0, tree), sequences, used(sequences));
    }

    private int[] used(ZstdSequences sequences) {
        return sequences.count() == 0 ? new int[ZstdSequences.TABLES] : tables.clone();
    }
}
