package io.warpcodec.engine.gpu.block;

import java.util.stream.LongStream;

/**
 * Where the chunks of a batch lie in one buffer. They may overlap, be empty, and come in any order.
 *
 * <p>Immutable as long as the arrays handed in are left alone.
 */
public final class ChunkRanges {
    private final long[] offsetBytes;
    private final long[] lengthBytes;

    /**
     * Takes over both arrays.
     *
     * @param offsetBytes first byte of each chunk
     * @param lengthBytes length of each chunk
     * @throws IllegalArgumentException if the arrays differ in length or hold a negative number
     */
    public ChunkRanges(long[] offsetBytes, long[] lengthBytes) {
        if (offsetBytes.length != lengthBytes.length) {
            throw new IllegalArgumentException(offsetBytes.length + " offsets, " + lengthBytes.length + " lengths");
        }
        for (int chunk = 0; chunk < offsetBytes.length; chunk++) {
            if (offsetBytes[chunk] < 0 || lengthBytes[chunk] < 0) {
                throw new IllegalArgumentException(
                        "chunk " + chunk + " at " + offsetBytes[chunk] + ", " + lengthBytes[chunk] + " bytes");
            }
        }
        this.offsetBytes = offsetBytes;
        this.lengthBytes = lengthBytes;
    }

    /** Number of chunks. */
    public int count() {
        return offsetBytes.length;
    }

    /** First byte of a chunk. */
    public long offsetBytes(int chunk) {
        return offsetBytes[chunk];
    }

    /** Length of a chunk. */
    public long lengthBytes(int chunk) {
        return lengthBytes[chunk];
    }

    /** Sum of the lengths. */
    public long totalBytes() {
        return LongStream.of(lengthBytes).sum();
    }

    /**
     * Checks that every chunk lies within the first {@code inputBytes} bytes.
     *
     * @throws IllegalArgumentException if one does not
     */
    public void requireWithin(long inputBytes) {
        for (int chunk = 0; chunk < count(); chunk++) {
            if (offsetBytes[chunk] > inputBytes || lengthBytes[chunk] > inputBytes - offsetBytes[chunk]) {
                throw new IllegalArgumentException("chunk " + chunk + " at " + offsetBytes[chunk] + ", "
                        + lengthBytes[chunk] + " bytes, in an input of " + inputBytes);
            }
        }
    }
}
