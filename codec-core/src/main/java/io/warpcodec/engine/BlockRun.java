package io.warpcodec.engine;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Neighbouring blocks of a container that can be decoded at once: where each lies, and the most that it decodes to.
 * All blocks but the last are taken to be full, so that it is known where in the output each goes; a run in which
 * that turns out wrong is left to the caller.
 *
 * @param input holds the blocks; indices are absolute in the buffer
 * @param blocks in their order, one at least
 * @param linked whether blocks refer to the ones before, and to the history
 * @param history holds the decoded bytes in front of the first block, from index 0; null unless linked
 * @param historyBytes how many of these there are
 */
public record BlockRun(ByteBuffer input, List<Block> blocks, boolean linked, ByteBuffer history, int historyBytes) {
    /**
     * One block.
     *
     * @param at index of its first byte in the input
     * @param bytes its length
     * @param rawBytes its length when decoded; of the last one the most that it may be
     * @param stored whether the bytes are the decoded bytes
     */
    public record Block(int at, int bytes, int rawBytes, boolean stored) {}

    /** Decoded bytes of all blocks, at most. */
    public int rawBytes() {
        int sum = 0;
        for (Block block : blocks) {
            sum += block.rawBytes;
        }
        return sum;
    }

    /** Bytes of all blocks as they are. */
    public int bytes() {
        int sum = 0;
        for (Block block : blocks) {
            sum += block.bytes;
        }
        return sum;
    }
}
