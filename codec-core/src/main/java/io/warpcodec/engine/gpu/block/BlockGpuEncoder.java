package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import java.nio.ByteBuffer;

/**
 * Encodes a batch of blocks of one format, each on its own, from and to device memory, a cta each. Same input and
 * level, same bytes, whatever the device and the batch. Allocates nothing: the caller lends a workspace and scratch
 * on the device and a staging area in pinned memory.
 *
 * <p>A block that does not fit its slot harms no other. Thread-safe, as long as each call has its own stream,
 * workspace, staging area and scratch.
 */
public final class BlockGpuEncoder implements AutoCloseable {
    // The plain kernel gets a cta for each block, and scratch for what some of its warps write before it is joined. The
    // linked one keeps links for each cta in the workspace, behind the tables, so it gets no more ctas than the device
    // runs at once, and each takes one block after the other.

    /** Of the plain kernel: a warp for each strip of a block. */
    public static final int CTA_THREADS = 64;
    /** Of the linked one. */
    private static final int LINKED_CTA_THREADS = 32;
    /** A link of 16 bits for each position of a window of 64 KiB. */
    public static final int LINK_BYTES = 2 << 16;
    /**
     * {@code EncodeEntry} of {@code lz77_strips.cuh}: an entry of a {@link BlockBatch}, and where the block's scratch
     * begins, in 64 bits.
     */
    public static final int ENTRY_BYTES = BlockBatch.ENTRY_BYTES + Long.BYTES;

    private static final int ALIGNMENT_BYTES = 16;

    /** {@code EncodeBatch} of {@code lz77_strips.cuh}, which the plain kernel takes. */
    public static final ArgumentLayout LAYOUT =
            BlockBatch.LAYOUT.named("encode_batch").pointer("strips").int64("strips_bytes");

    /** {@code LinkedBatch} of it, which the linked kernel takes. */
    public static final ArgumentLayout LINKED_LAYOUT =
            LAYOUT.named("linked_batch").pointer("links").int32("depth");

    private final KernelModule module;
    private final KernelFunction plain;
    private final KernelFunction linked;
    private final int linkedCtaCount;
    private final int maxRawBytes;
    private final int maxEncodedBytes;

    /**
     * @param module unloaded when the encoder is closed
     * @param plain an entry of the module that encodes a batch
     * @param linked an entry of the module that encodes a batch with links
     * @param maxRawBytes longest block
     * @param maxEncodedBytes longest slot
     * @throws DeviceException if the device fails
     */
    public BlockGpuEncoder(
            KernelModule module, KernelFunction plain, KernelFunction linked, int maxRawBytes, int maxEncodedBytes)
            throws DeviceException {
        this.module = module;
        this.plain = plain;
        this.linked = linked;
        this.linkedCtaCount = linked.residentCtaCount(LINKED_CTA_THREADS);
        this.maxRawBytes = maxRawBytes;
        this.maxEncodedBytes = maxEncodedBytes;
    }

    /**
     * Bytes of workspace for a batch of that many blocks: 40 per block and, unless the level is FAST, 128 KiB for
     * each block that the device works on at once (2,244 on 132 multiprocessors).
     */
    public long workspaceBytes(EncodeLevel level, int blockCount) {
        return stagingBytes(blockCount) + (level.isLinked() ? (long) linkedCtas(blockCount) * LINK_BYTES : 0);
    }

    /** Bytes of staging area for a batch of that many blocks: 40 per block. */
    public static long stagingBytes(int blockCount) {
        return BatchTables.bytes(blockCount, ENTRY_BYTES);
    }

    /**
     * Bytes of scratch for a batch: the raw bytes and a quarter, and 16 for each block ({@code lz77_strips.cuh}).
     *
     * @param rawBytes of all blocks together
     */
    public static long scratchBytes(long rawBytes, int blockCount) {
        return rawBytes + rawBytes / 4 + (long) ALIGNMENT_BYTES * blockCount;
    }

    private static long scratchBytes(long rawBytes) {
        return (rawBytes + rawBytes / 4 + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Encodes the blocks of waves. */
    public BlockLaunch launch(EncodeLevel level) {
        return new BlockLaunch() {
            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                enqueueEncode(level, blocks, memory);
            }

            @Override
            public long workspaceBytes(int blockCount) {
                return BlockGpuEncoder.this.workspaceBytes(level, blockCount);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return BlockGpuEncoder.scratchBytes(waveBytes, blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return BlockGpuEncoder.this.results(blockCount, staging);
            }
        };
    }

    /**
     * Asks the stream to encode; {@link #results} reads what came of it once the stream has come that far. A block is
     * {@link BlockResult.Status#SOUND} if it was encoded, and {@link BlockResult.Status#OUTPUT_EXCEEDED} if it does
     * not fit its slot: then it is better stored as it is. No byte outside the slots is written.
     *
     * @param level how hard to look for matches: one of {@link EncodeLevel#SEARCHES}
     * @param blocks none longer than 4 MiB
     * @param memory workspace of {@link #workspaceBytes} at least, aligned to 8 bytes, staging area of
     *     {@link #stagingBytes}, scratch of {@link #scratchBytes}, aligned to 16 bytes
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, an
     *     alignment is wrong, or the level is none of these kernels'; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueEncode(EncodeLevel level, DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
        if (level.depth() == 0) {
            throw new IllegalArgumentException("level " + level);
        }
        blocks.require(maxRawBytes, maxEncodedBytes);
        int count = blocks.count();
        BatchTables tables = BatchTables.cut(count, ENTRY_BYTES, memory);
        memory.scratch().requireAligned(ALIGNMENT_BYTES);
        if (count == 0) {
            return;
        }
        ChunkRanges ranges = blocks.blocks();
        ChunkRanges slots = blocks.slots();
        ByteBuffer view = tables.table().view();
        long stripsBytes = 0;
        long rawBytes = 0;
        for (int block = 0; block < count; block++) {
            view.putLong(ranges.offsetBytes(block)).putLong(slots.offsetBytes(block));
            view.putInt((int) ranges.lengthBytes(block)).putInt((int) slots.lengthBytes(block));
            view.putLong(stripsBytes);
            stripsBytes += scratchBytes(ranges.lengthBytes(block));
            rawBytes += ranges.lengthBytes(block);
        }
        DeviceBuffer strips = memory.scratch().slice(0, scratchBytes(rawBytes, count));
        tables.upload(memory.stream());
        KernelArguments arguments = blocks.arguments(level.isLinked() ? LINKED_LAYOUT : LAYOUT)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .int32("block_count", count)
                .buffer("strips", strips)
                .int64("strips_bytes", strips.bytes());
        if (level.isLinked()) {
            DeviceBuffer links =
                    memory.workspace().slice(stagingBytes(count), workspaceBytes(level, count) - stagingBytes(count));
            arguments.buffer("links", links).int32("depth", level.depth());
            linked.launch(linkedCtas(count), LINKED_CTA_THREADS, arguments, memory.stream());
        } else {
            plain.launch(count, CTA_THREADS, arguments, memory.stream());
        }
        tables.download(memory.stream());
    }

    private int linkedCtas(int blockCount) {
        return Math.min(blockCount, linkedCtaCount);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param blockCount number of blocks of that batch
     * @param staging the staging area that was lent to it
     */
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        return BatchTables.results(blockCount, ENTRY_BYTES, staging);
    }

    @Override
    public void close() {
        module.close();
    }
}
