package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.lease.WaveJob;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The blocks of one task in a wave: where each lies in the task's input, and where its output goes in the task's
 * output. A job also has ranges of the raw bytes to be hashed. Raw bytes are the output of a decoder and the input of
 * an encoder. Filled by one thread, then handed over; the results are there when the lease is over. Not thread-safe.
 */
public final class BlockJob implements WaveJob {
    private static final int FIRST_CAPACITY = 16;

    private int count;
    private int[] inputAt = new int[FIRST_CAPACITY];
    private int[] inputBytes = new int[FIRST_CAPACITY];
    private int[] outputAt = new int[FIRST_CAPACITY];
    private int[] outputBytes = new int[FIRST_CAPACITY];
    private int[] limits = new int[FIRST_CAPACITY];
    private BlockResult[] results;

    private int contentCount;
    private int[] contentAt = new int[FIRST_CAPACITY];
    private int[] contentBytes = new int[FIRST_CAPACITY];
    private int[] contentSeed = new int[FIRST_CAPACITY];
    private int[] contentHashes;

    /** Adds a block: its range of the input, and of the output its slot, which a decoder must fill; all in bytes. */
    public void add(int blockAt, int blockBytes, int slotAt, int slotBytes) {
        add(blockAt, blockBytes, slotAt, slotBytes, 0);
    }

    /**
     * As {@link #add}, but for a block whose matches may reach back: to decode, before its slot, where blocks added
     * before put their output; to encode, before its raw bytes in the input.
     */
    public void addWithWindow(int blockAt, int blockBytes, int slotAt, int slotBytes, int windowBytes) {
        add(blockAt, blockBytes, slotAt, slotBytes, windowBytes);
    }

    /** As {@link #add}, but for a block to encode as bzip2, which may have so many bytes of run-coded text. */
    public void addText(int blockAt, int blockBytes, int slotAt, int slotBytes, int textBytes) {
        add(blockAt, blockBytes, slotAt, slotBytes, textBytes);
    }

    void add(int blockAt, int blockBytes, int slotAt, int slotBytes, int limit) {
        if (count == inputAt.length) {
            inputAt = Arrays.copyOf(inputAt, 2 * count);
            inputBytes = Arrays.copyOf(inputBytes, 2 * count);
            outputAt = Arrays.copyOf(outputAt, 2 * count);
            outputBytes = Arrays.copyOf(outputBytes, 2 * count);
            limits = Arrays.copyOf(limits, 2 * count);
        }
        inputAt[count] = blockAt;
        inputBytes[count] = blockBytes;
        outputAt[count] = slotAt;
        outputBytes[count] = slotBytes;
        limits[count] = limit;
        count++;
    }

    /** Adds a range of the raw bytes whose hash is wanted; there must be no more of these than blocks. */
    public void addContent(int rawAt, int rawBytes, int seed) {
        if (contentCount == contentAt.length) {
            contentAt = Arrays.copyOf(contentAt, 2 * contentCount);
            contentBytes = Arrays.copyOf(contentBytes, 2 * contentCount);
            contentSeed = Arrays.copyOf(contentSeed, 2 * contentCount);
        }
        contentAt[contentCount] = rawAt;
        contentBytes[contentCount] = rawBytes;
        contentSeed[contentCount] = seed;
        contentCount++;
    }

    @Override
    public int entryCount() {
        return count;
    }

    public int inputAt(int block) {
        return inputAt[block];
    }

    public int inputBytes(int block) {
        return inputBytes[block];
    }

    public int outputAt(int block) {
        return outputAt[block];
    }

    int outputBytes(int block) {
        return outputBytes[block];
    }

    int limit(int block) {
        return limits[block];
    }

    /** End of the last output. */
    public int outputLimit() {
        return count == 0 ? 0 : outputAt[count - 1] + outputBytes[count - 1];
    }

    public int contentCount() {
        return contentCount;
    }

    int contentAt(int content) {
        return contentAt[content];
    }

    int contentBytes(int content) {
        return contentBytes[content];
    }

    int contentSeed(int content) {
        return contentSeed[content];
    }

    void setResults(BlockResult[] found) {
        results = found;
    }

    void setContentHashes(int[] found) {
        contentHashes = found;
    }

    /** Hash of a range, as the device found it. */
    public int contentHash(int content) {
        return contentHashes[content];
    }

    /** What became of a block. */
    public BlockResult result(int block) {
        return results[block];
    }

    @Override
    public int orderBytes() {
        return BlockBounds.orderBytes(count, contentCount);
    }

    @Override
    public void putOrder(ByteBuffer message) {
        message.putInt(count).putInt(contentCount);
        for (int block = 0; block < count; block++) {
            message.putInt(inputAt[block]).putInt(inputBytes[block]);
            message.putInt(outputAt[block]).putInt(outputBytes[block]).putInt(limits[block]);
        }
        for (int content = 0; content < contentCount; content++) {
            message.putInt(contentAt[content]).putInt(contentBytes[content]).putInt(contentSeed[content]);
        }
    }

    @Override
    public int answerBytes() {
        return count * BlockResult.ANSWER_BYTES + contentCount * Integer.BYTES;
    }

    @Override
    public void putAnswer(ByteBuffer message) {
        for (BlockResult result : results) {
            result.put(message);
        }
        for (int content = 0; content < contentCount; content++) {
            message.putInt(contentHashes[content]);
        }
    }

    @Override
    public void takeAnswer(ByteBuffer message) {
        BlockResult[] found = new BlockResult[count];
        for (int block = 0; block < count; block++) {
            found[block] = BlockResult.read(message);
            if (!found[block].fits(outputBytes[block])) {
                throw new IllegalArgumentException("block " + block + ": " + found[block]);
            }
        }
        int[] hashes = new int[contentCount];
        for (int content = 0; content < contentCount; content++) {
            hashes[content] = message.getInt();
        }
        results = found;
        contentHashes = hashes;
    }

    /** Whether the device decoded blocks {@code first} to {@code limit}, exclusive, each to exactly its length. */
    public boolean isSound(int first, int limit) {
        for (int block = first; block < limit; block++) {
            if (!results[block].isSound() || results[block].outputBytes() != outputBytes[block]) {
                return false;
            }
        }
        return true;
    }
}
