package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdTable;
import io.warpcodec.format.zstd.ZstdBlockHeader;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdTableDescription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A segment of a long frame: as many of its blocks from a position on as are at hand and fit. To a device it is a frame
 * by itself, with its history in front of it, and with blocks that describe what it repeats from before.
 *
 * <p>A segment ends only where libzstd could go on. It is told the state there by a dictionary. That has no tables of
 * one symbol, so where one is the last table, the block behind must have others. It has tables of each kind, so where
 * there were none libzstd would not notice that they are repeated.
 *
 * <p>Not thread-safe.
 */
final class ZstdSegment {
    private static final int MOST_TREE_BYTES = 1 + 128;
    private static final int FIRST_DIRECT_WEIGHTS = 128;
    /** Of the definitions in front of a segment: what no description of a table is longer than, and a byte in front. */
    private static final int MOST_TABLE_BYTES = 128;

    private static final int MOST_DEFINITIONS = 1 + ZstdTable.KINDS;

    private final ByteBuffer input;
    private final ZstdPosition start;
    private final int maxBlockBytes;
    private final int expectedBlockBytes;
    private final long restBytes;
    private final byte[] front;
    private final int fillBytes;
    private final ZstdBlocks blocks;

    private int definitions;
    private int frontBytes;
    /** Blocks, bytes of input and raw bytes, up to the last place where the segment may end. */
    private int blockCount;

    private int inputBytes;
    private int mostRawBytes;
    private int compressedBlocks;
    /** Raw bytes of the other blocks. */
    private int otherRawBytes;

    private boolean ended;
    private byte[] tree;
    private ZstdTable[] tables;

    /**
     * @param input from its position on, a block's header first
     * @param start where that is in the frame
     * @param maxBlockBytes of the frame
     * @param expectedBlockBytes raw bytes of a compressed block, about; with less than the maximum the segment may
     *     decode to more than the limit, and is refused then
     * @param rawLimit of what the segment may decode to
     * @param restBytes raw bytes of the frame behind the start, as its content size says; {@link Long#MAX_VALUE} if it
     *     has none. A segment that decodes to more is refused.
     */
    ZstdSegment(
            ByteBuffer input,
            ZstdPosition start,
            int maxBlockBytes,
            int expectedBlockBytes,
            int rawLimit,
            long restBytes) {
        this.input = input.slice().order(ByteOrder.LITTLE_ENDIAN);
        this.start = start;
        this.maxBlockBytes = maxBlockBytes;
        this.expectedBlockBytes = Math.min(expectedBlockBytes, maxBlockBytes);
        this.restBytes = restBytes;
        this.front = new byte[MOST_TREE_BYTES + ZstdTable.KINDS * MOST_TABLE_BYTES];
        this.fillBytes = -start.history().length & ZstdKernels.HISTORY_GRAIN_BYTES - 1;
        this.blocks = new ZstdBlocks(this.input, rawLimit, maxBlockBytes);
        if (describe()) {
            hop(rawLimit);
        }
        if (!readDescriptions()) {
            inputBytes = 0;
        }
    }

    private int historyBytes() {
        return start.history().length + fillBytes;
    }

    /** Adds the blocks that describe what was before. False if there is no space. */
    private boolean describe() {
        if (start.tree() != null) {
            blocks.addTree(put(start.tree()), start.tree().length);
        }
        for (int kind = 0; kind < ZstdTable.KINDS; kind++) {
            ZstdTable table = start.tables()[kind];
            if (table != null) {
                if (table.description().length > MOST_TABLE_BYTES - 2) {
                    return false;
                }
                byte[] bytes = Arrays.copyOfRange(new byte[1], 0, table.description().length + 2);
                System.arraycopy(table.description(), 0, bytes, 1, table.description().length);
                blocks.addTable(kind, table.mode(), put(bytes), bytes.length);
            }
        }
        definitions = blocks.all().size();
        blockCount = definitions;
        return true;
    }

    /** Puts bytes behind the history; where they are. */
    private int put(byte[] bytes) {
        System.arraycopy(bytes, 0, front, frontBytes, bytes.length);
        frontBytes += bytes.length;
        return historyBytes() + frontBytes - bytes.length;
    }

    private void hop(int rawLimit) {
        blocks.setOrigin(historyBytes() + frontBytes);
        int mostBlocks = ZstdBlocks.mostBlocks(rawLimit);
        Progress progress = new Progress();
        boolean oneSymbol = false;
        while (!ended && blocks.all().size() < mostBlocks) {
            ZstdBlockHeader header = blocks.header(progress.at);
            if (header == null) {
                return;
            }
            int contentAt = progress.at + ZstdFormat.BLOCK_HEADER_BYTES;
            if (header.contentBytes() > input.limit() - contentAt
                    || progress.expectedWith(header) > rawLimit
                    || !blocks.add(header, contentAt)) {
                return;
            }
            if (oneSymbol && hasOthers(blocks.all().size() - 1)) {
                end(blocks.all().size() - 1, progress, rawLimit, false);
            }
            progress.pass(header);
            oneSymbol = hasOneSymbol();
            if (hasTables() && !oneSymbol || header.last()) {
                end(blocks.all().size(), progress, rawLimit, header.last());
            }
        }
    }

    /** What has been hopped over. */
    private final class Progress {
        private int at;
        private int compressed;
        private int otherBytes;

        /** Raw bytes, about, with a further block. */
        private long expectedWith(ZstdBlockHeader header) {
            boolean isCompressed = header.type() == ZstdBlockHeader.COMPRESSED;
            long expected = (long) (isCompressed ? compressed + 1 : compressed) * expectedBlockBytes
                    + otherBytes
                    + (isCompressed ? 0 : header.size());
            return Math.min(expected, restBytes);
        }

        private void pass(ZstdBlockHeader header) {
            at += ZstdFormat.BLOCK_HEADER_BYTES + header.contentBytes();
            if (header.type() == ZstdBlockHeader.COMPRESSED) {
                compressed++;
            } else {
                otherBytes += header.size();
            }
        }

        private int mostRawBytes(int rawLimit) {
            return (int) Math.min((long) compressed * maxBlockBytes + otherBytes, Math.min(rawLimit, restBytes));
        }
    }

    private void end(int count, Progress progress, int rawLimit, boolean isLast) {
        int most = progress.mostRawBytes(rawLimit);
        if (count > ZstdBlocks.mostBlocks(most)) {
            return;
        }
        blockCount = count;
        inputBytes = progress.at;
        mostRawBytes = most;
        compressedBlocks = progress.compressed;
        otherRawBytes = progress.otherBytes;
        ended = isLast;
    }

    /** Whether there were tables, which all come with the first sequences. */
    private boolean hasTables() {
        return blocks.table(0) >= 0;
    }

    /** Whether the last table of a kind has one symbol. */
    private boolean hasOneSymbol() {
        for (int kind = 0; kind < ZstdTable.KINDS; kind++) {
            int block = blocks.table(kind);
            if (block >= 0 && mode(block, kind) == ZstdTable.ONE_SYMBOL) {
                return true;
            }
        }
        return false;
    }

    /** Whether a block has sequences, and repeats no table. */
    private boolean hasOthers(int block) {
        ZstdSequences sequences = blocks.all().get(block).sequences();
        boolean others = sequences.count() > 0;
        for (int kind = 0; kind < ZstdTable.KINDS; kind++) {
            others &= !sequences.repeats(kind);
        }
        return others;
    }

    private int mode(int block, int kind) {
        return blocks.all().get(block).sequences().modes() >> 2 * (ZstdTable.KINDS - kind) & 3;
    }

    /** Bytes of input that the segment takes; 0 if there is none. */
    int inputBytes() {
        return inputBytes;
    }

    /** Most bytes that it decodes to. */
    int mostRawBytes() {
        return mostRawBytes;
    }

    /** Whether it may decode to more than the limit. */
    boolean isOptimistic() {
        return (long) compressedBlocks * maxBlockBytes + otherRawBytes > mostRawBytes;
    }

    /** Raw bytes of a compressed block in the mean, where all are so many; the maximum if there is none. */
    int meanBlockBytes(int rawBytes) {
        return compressedBlocks == 0 ? maxBlockBytes : (rawBytes - otherRawBytes) / compressedBlocks;
    }

    /** Bytes of all that goes to the device. */
    int deviceInputBytes() {
        return ZstdRecord.FIXED_BYTES + blockCount * ZstdRecord.BLOCK_BYTES + historyBytes() + frontBytes + inputBytes;
    }

    /** Writes that from index 0 of a buffer on, and the input from its position on. */
    void fill(ByteBuffer target, ByteBuffer from) {
        byte[] record = ZstdRecord.ofSegment(
                blocks.all().subList(0, blockCount),
                mostRawBytes,
                maxBlockBytes,
                historyBytes(),
                fillBytes,
                start.repeats());
        int at = record.length;
        target.put(0, record);
        target.put(at, new byte[fillBytes]);
        at += fillBytes;
        target.put(at, start.history());
        at += start.history().length;
        target.put(at, front, 0, frontBytes);
        at += frontBytes;
        target.put(at, from, from.position(), inputBytes);
    }

    /**
     * Position behind the segment; null where it is no place at which libzstd could go on.
     *
     * @param raw what the segment decoded to, from the buffer's position to its limit
     * @param repeats the three offsets behind it
     * @param windowBytes of the frame
     * @param spare array that may become the history, if it has its length
     */
    ZstdPosition behind(ByteBuffer raw, int[] repeats, long windowBytes, byte[] spare) {
        byte[] before = start.history();
        // nothing refers to what is in front of a frame's end
        long neededBytes = ended ? 0 : windowBytes;
        int taken = (int) Math.min(neededBytes, raw.remaining());
        int kept = (int) Math.min(neededBytes - taken, before.length);
        byte[] history = spare.length == kept + taken ? spare : new byte[kept + taken];
        System.arraycopy(before, before.length - kept, history, 0, kept);
        raw.get(raw.limit() - taken, history, kept, taken);
        for (int repeat : repeats) {
            if (!ended && (repeat <= 0 || repeat > history.length)) {
                return null;
            }
        }
        return new ZstdPosition(history, tree, tables, repeats, start.rawBytes() + raw.remaining(), ended);
    }

    /** Reads past descriptions to copy the last ones. False if one is not what it should be. */
    private boolean readDescriptions() {
        tree = start.tree();
        tables = start.tables().clone();
        int[] last = {-1, -1, -1};
        int lastTree = -1;
        for (int block = definitions; block < blockCount; block++) {
            ZstdBlock each = blocks.all().get(block);
            lastTree = each.literals().hasTree() ? block : lastTree;
            for (int kind = 0; kind < ZstdTable.KINDS; kind++) {
                boolean defines =
                        each.sequences().count() > 0 && !each.sequences().repeats(kind);
                last[kind] = defines ? block : last[kind];
            }
        }
        boolean right = lastTree < 0 || readTree(blocks.all().get(lastTree));
        for (int kind = 0; kind < ZstdTable.KINDS; kind++) {
            right &= last[kind] < 0 || readTable(last[kind], kind);
        }
        return right;
    }

    private int inputAt(ZstdBlock block) {
        return block.at() - historyBytes() - frontBytes;
    }

    private boolean readTree(ZstdBlock block) {
        int at = inputAt(block) + block.literals().at();
        int weights = input.get(at) & 0xff;
        int bytes = 1 + (weights < FIRST_DIRECT_WEIGHTS ? weights : (weights - FIRST_DIRECT_WEIGHTS) / 2 + 1);
        if (bytes > block.literals().end() - block.literals().at()) {
            return false;
        }
        tree = new byte[bytes];
        input.get(at, tree);
        return true;
    }

    private boolean readTable(int number, int kind) {
        ZstdBlock block = blocks.all().get(number);
        int at = inputAt(block) + block.sequences().tablesAt();
        int limit = inputAt(block) + block.bytes();
        for (int before = 0; before <= kind; before++) {
            int mode = mode(number, before);
            int bytes = mode == ZstdTable.ONE_SYMBOL ? 1 : 0;
            if (mode == ZstdTable.DESCRIBED) {
                ZstdTableDescription description = ZstdTableDescription.at(input, at, limit);
                bytes = description == null ? limit : description.bytes();
            }
            if (bytes > limit - at) {
                return false;
            }
            if (before == kind) {
                byte[] copy = new byte[bytes];
                input.get(at, copy);
                tables[kind] = new ZstdTable(mode, copy);
            }
            at += bytes;
        }
        return true;
    }

    /** Most that goes to a device beside history and input. */
    static int mostOtherBytes(int rawLimit) {
        return ZstdRecord.FIXED_BYTES
                + ZstdBlocks.mostBlocks(rawLimit) * ZstdRecord.BLOCK_BYTES
                + ZstdKernels.HISTORY_GRAIN_BYTES
                + MOST_DEFINITIONS * MOST_TABLE_BYTES;
    }
}
