package io.warpcodec.engine.gpu.block;

import io.warpcodec.Direction;
import io.warpcodec.device.lease.InputBytes;
import io.warpcodec.device.lease.JobReader;
import java.nio.ByteBuffer;

/**
 * What a program takes of {@link BlockJob}s that come from another process; by this their orders are judged.
 * Immutable and thread-safe.
 *
 * @param direction says which side of a job the raw bytes are
 * @param blocks what blocks may be
 * @param slots what slots may be
 * @param limits what a block's limit may be
 * @param hashes whether jobs may ask for hashes
 */
public record BlockBounds(Direction direction, Sizes blocks, Sizes slots, Limits limits, boolean hashes)
        implements JobReader {
    /** Where the slots of encoders begin. */
    private static final int ENCODED_ALIGNMENT = 16;

    private static final int ENTRY_BYTES = 5 * Integer.BYTES;
    private static final int CONTENT_BYTES = 3 * Integer.BYTES;

    /**
     * Bounds of a range of bytes.
     *
     * @param least shortest
     * @param most longest
     * @param alignment every begin is a multiple of this
     */
    public record Sizes(int least, int most, int alignment) {
        void require(int at, int bytes, String what) {
            BlockBounds.require(bytes >= least && bytes <= most, what);
            BlockBounds.require(at % alignment == 0, "alignment");
        }
    }

    /** Judges the limit of one block. */
    @FunctionalInterface
    public interface Limits {
        /** No block has one. */
        Limits NONE = (inputAt, slotAt, limit) -> limit == 0;

        /** Whether a block at these places may have this limit. */
        boolean allow(int inputAt, int slotAt, int limit);
    }

    /** Of blocks that have no limits. */
    public static BlockBounds of(Direction direction, int mostBlockBytes, int mostSlotBytes) {
        Sizes slots = new Sizes(0, mostSlotBytes, direction == Direction.DECODE ? 1 : ENCODED_ALIGNMENT);
        return new BlockBounds(direction, new Sizes(0, mostBlockBytes, 1), slots, Limits.NONE, false);
    }

    /** These bounds for blocks and slots of so many bytes at least. */
    public BlockBounds withAtLeast(int blockBytes, int slotBytes) {
        Sizes longerBlocks = new Sizes(blockBytes, blocks.most, blocks.alignment);
        Sizes longerSlots = new Sizes(slotBytes, slots.most, slots.alignment);
        return new BlockBounds(direction, longerBlocks, longerSlots, limits, hashes);
    }

    /** These bounds for blocks and slots that begin at multiples of so many bytes. */
    public BlockBounds withAlignment(int bytes) {
        Sizes alignedBlocks = new Sizes(blocks.least, blocks.most, bytes);
        Sizes alignedSlots = new Sizes(slots.least, slots.most, bytes);
        return new BlockBounds(direction, alignedBlocks, alignedSlots, limits, hashes);
    }

    /** These bounds with limits that blocks may have. */
    public BlockBounds with(Limits allowed) {
        return new BlockBounds(direction, blocks, slots, allowed, hashes);
    }

    /** These bounds for jobs that may ask for hashes. */
    public BlockBounds withHashes() {
        return new BlockBounds(direction, blocks, slots, limits, true);
    }

    @Override
    public BlockJob read(ByteBuffer order, int inputBytes, int outputBytes, InputBytes input) {
        int count = order.getInt();
        int contents = order.getInt();
        require(count >= 1 && contents >= 0 && contents <= (hashes ? count : 0), "counts");
        require(order.remaining() == (long) count * ENTRY_BYTES + (long) contents * CONTENT_BYTES, "length");
        BlockJob job = new BlockJob();
        int inputEnd = 0;
        int outputEnd = 0;
        for (int block = 0; block < count; block++) {
            int blockAt = order.getInt();
            int blockBytes = order.getInt();
            int slotAt = order.getInt();
            int slotBytes = order.getInt();
            int limit = order.getInt();
            requireRange(blockAt, blockBytes, inputEnd, inputBytes);
            requireRange(slotAt, slotBytes, outputEnd, outputBytes);
            blocks.require(blockAt, blockBytes, "block");
            slots.require(slotAt, slotBytes, "slot");
            require(limits.allow(blockAt, slotAt, limit), "limit");
            inputEnd = blockAt + blockBytes;
            outputEnd = slotAt + slotBytes;
            job.add(blockAt, blockBytes, slotAt, slotBytes, limit);
        }
        int rawBytes = direction == Direction.DECODE ? outputBytes : inputBytes;
        int rawEnd = 0;
        for (int content = 0; content < contents; content++) {
            int contentAt = order.getInt();
            int contentBytes = order.getInt();
            requireRange(contentAt, contentBytes, rawEnd, rawBytes);
            rawEnd = contentAt + contentBytes;
            job.addContent(contentAt, contentBytes, order.getInt());
        }
        return job;
    }

    /** Ranges come in their order and do not overlap, so that all together are no longer than what they lie in. */
    private static void requireRange(int at, int bytes, int least, int most) {
        require(at >= least && bytes >= 0 && at <= most && bytes <= most - at, "range");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("a job's " + what);
        }
    }

    /** Bytes of the order of so many blocks and contents. */
    static int orderBytes(int blocks, int contents) {
        return 2 * Integer.BYTES + blocks * ENTRY_BYTES + contents * CONTENT_BYTES;
    }
}
