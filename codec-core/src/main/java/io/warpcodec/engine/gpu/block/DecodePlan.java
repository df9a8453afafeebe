package io.warpcodec.engine.gpu.block;

import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.metrics.FallbackReason;
import java.util.List;

/**
 * The plan by which a device decodes a chunk. It has the chunk's bodies, each with the exact length that it must
 * decode to, and what is checked when all are there. Or it has one body of which the most bytes are known, and which
 * the device checks ({@link #upTo}). It is made from the container alone. Whatever turns out otherwise is decoded by
 * the CPU engine, whose verdict counts.
 *
 * @param bodies in the order of their output, which is contiguous
 * @param blockCount bodies that are not stored
 * @param rawBytes of all bodies, or the most that there may be; more than 0
 * @param contents ranges of the decoded bytes that have a checksum
 * @param expansion of the one body whose length is not known; null if all lengths are
 * @param refusal why the CPU must decode the chunk; null if the rest is valid
 */
public record DecodePlan(
        List<Body> bodies,
        int blockCount,
        int rawBytes,
        List<Content> contents,
        Expansion expansion,
        FallbackReason refusal) {
    /**
     * The longest block given to a device, in bytes when decoded. One warp decodes a block at about 0.1 GB/s, so this
     * is 3 ms; longer ones are better off on a core.
     */
    public static final int MOST_BLOCK_BYTES = 256 << 10;

    /**
     * One body of a chunk.
     *
     * @param at index of its first byte in the chunk
     * @param bytes its length
     * @param rawBytes its length when decoded
     * @param stored whether the bytes are the decoded bytes
     * @param preamble what the device is to read in front of them, a multiple of 16 bytes; null if nothing
     */
    public record Body(int at, int bytes, int rawBytes, boolean stored, byte[] preamble) {
        /** A body with nothing in front. */
        public Body(int at, int bytes, int rawBytes, boolean stored) {
            this(at, bytes, rawBytes, stored, null);
        }

        /** What the device gets of it, in bytes. */
        public int inputBytes() {
            return bytes + (preamble == null ? 0 : preamble.length);
        }
    }

    /**
     * Takes the last step of decoding, which a device left out because its output would not have fitted
     * ({@link BlockResult.Status#EXPANDS}).
     */
    @FunctionalInterface
    public interface Expansion {
        /**
         * Checks all that the container says of the decoded bytes, before the first of them is read.
         *
         * @param text what the device made; the expansion's now
         * @return the decoded bytes, made as they are read; null if they are not right
         */
        DecodedChunk.Source verified(byte[] text);
    }

    /**
     * A range of the decoded bytes and its hash, as the format has it: CRC-32, XXH32, or the lowest 32 bits of XXH64.
     * It has a byte at least.
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
        return new DecodePlan(bodies, blockCount, rawBytes, contents, null, null);
    }

    /**
     * A block whose length is not known before it is decoded, and whose checksum the device compares.
     *
     * @param body its {@code rawBytes} are the slot's, a multiple of 16
     */
    public static DecodePlan upTo(Body body, Expansion expansion) {
        return new DecodePlan(List.of(body), 1, body.rawBytes, List.of(), expansion, null);
    }

    public static DecodePlan refused(FallbackReason refusal) {
        return new DecodePlan(List.of(), 0, 0, List.of(), null, refusal);
    }

    /** Whether the decoded length is known when the block is decoded, and not before. */
    public boolean isUpTo() {
        return expansion != null;
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
