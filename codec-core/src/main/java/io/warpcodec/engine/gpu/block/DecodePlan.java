package io.warpcodec.engine.gpu.block;

import io.warpcodec.metrics.FallbackReason;
import java.util.List;

/**
 * How a chunk is decoded on a device: its bodies, each with the exact length that it must decode to, and what is checked when all are there.
 * Made from the container alone; whatever turns out otherwise is decoded by the CPU engine, whose verdict counts.
 *
 * @param bodies in the order of their output, which is contiguous
 * @param blockCount bodies that are not stored
 * @param rawBytes of all bodies; more than 0
 * @param contents ranges of the decoded bytes that have a checksum
 * @param refusal why the CPU must decode the chunk; null if the rest is valid
 */
public record DecodePlan(
        List<Body> bodies, int blockCount, int rawBytes, List<Content> contents, FallbackReason refusal) {
    /**
     * The longest block given to a device, in bytes when decoded. One warp decodes a block at about 0.1 GB/s, so this is 3 ms; longer ones are
     * better off on a core.
     */
    public static final int MOST_BLOCK_BYTES = 256 << 10;

    /**
     * One body of a chunk.
     *
     * @param at index of its first byte in the chunk
     * @param bytes its length
     * @param rawBytes its length when decoded
     * @param stored whether the bytes are the decoded bytes
     */
    public record Body(int at, int bytes, int rawBytes, boolean stored) {}

    /**
     * A range of the decoded bytes and its hash, XXH32 or CRC-32 as the format has it. It has a byte at least.
     *
     * @param at index of its first byte in the decoded bytes
     * @param bytes its length
     * @param seed of the hash; 0 if it has none
     * @param mask bits of the hash that the container keeps
     * @param expected those bits
     */
    public record Content(int at, int bytes, int seed, int mask, int expected) {
        /** Whether this is its hash. */
        public boolean matches(int hash) {
            return (hash & mask) == expected;
        }
    }

    public static DecodePlan of(List<Body> bodies, int rawBytes, List<Content> contents) {
        if (rawBytes == 0) {
            return refused(FallbackReason.EMPTY);
        }
        int blockCount = 0;
        for (Body body : bodies) {
            blockCount += body.stored ? 0 : 1;
        }
        return new DecodePlan(bodies, blockCount, rawBytes, contents, null);
    }

    public static DecodePlan refused(FallbackReason refusal) {
        return new DecodePlan(List.of(), 0, 0, List.of(), refusal);
    }

    /**
     * This plan, unless it makes more than its chunk claims: such a chunk is given up by the CPU.
     *
     * @param claimedBytes negative if the chunk claims nothing
     */
    DecodePlan within(int claimedBytes) {
        return claimedBytes >= 0 && rawBytes > claimedBytes ? refused(FallbackReason.NOT_WELL_FORMED) : this;
    }

    /** Whether every decoded byte comes from a block, so that a device has all of what the checksums cover. */
    public boolean isAllBlocks() {
        return blockCount == bodies.size();
    }
}
