package io.warpcodec.engine.gpu;

import java.util.List;

/**
 * How a chunk is decoded on a device: its bodies, each with the exact length that it must decode to, and what is checked when all are there.
 * Made from the container alone; whatever turns out otherwise is decoded by the CPU engine, whose verdict counts.
 *
 * @param bodies in the order of their output, which is contiguous
 * @param blockCount bodies that are not stored
 * @param rawBytes of all bodies; more than 0
 * @param check of the decoded bytes
 * @param refusal why the CPU must decode the chunk, as one word for a counter; null if the rest is valid
 */
record DecodePlan(List<Body> bodies, int blockCount, int rawBytes, ContentCheck check, String refusal) {
    /**
     * The longest block given to a device, in bytes when decoded. One warp decodes a block at about 0.1 GB/s, so this is 3 ms; longer ones are
     * better off on a core.
     */
    static final int MOST_BLOCK_BYTES = 256 << 10;

    /**
     * One body of a chunk.
     *
     * @param at index of its first byte in the chunk
     * @param bytes its length
     * @param rawBytes its length when decoded
     * @param stored whether the bytes are the decoded bytes
     */
    record Body(int at, int bytes, int rawBytes, boolean stored) {}

    /** Checks what a container says about decoded bytes. */
    interface ContentCheck {
        ContentCheck NONE = (bytes, start) -> true;

        /**
         * @param bytes holds the chunk's decoded bytes
         * @param start index of the first
         */
        boolean holds(byte[] bytes, int start);
    }

    static DecodePlan of(List<Body> bodies, int rawBytes, ContentCheck check) {
        if (rawBytes == 0) {
            return refused("empty");
        }
        int blockCount = 0;
        for (Body body : bodies) {
            blockCount += body.stored ? 0 : 1;
        }
        return new DecodePlan(bodies, blockCount, rawBytes, check, null);
    }

    static DecodePlan refused(String word) {
        return new DecodePlan(List.of(), 0, 0, ContentCheck.NONE, word);
    }
}
