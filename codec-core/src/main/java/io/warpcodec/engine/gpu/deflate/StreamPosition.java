package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.format.checksum.Crc32Combine;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where one DEFLATE stream stands behind the segments that were decoded, and all that the next one has to know: the
 * bit of the byte, the bytes before it, the header of a block that is open. Not thread-safe.
 */
final class StreamPosition {
    private static final int WINDOW_BYTES = SegmentChain.HISTORY_BYTES;

    private int bit;
    private byte[] window = {};
    private byte[] header = {};
    private int headerBits;
    private boolean ended;
    private long rawBytes;
    private int crc32;

    /** Goes to the beginning of a stream. */
    void reset() {
        resume(0, new byte[0]);
    }

    /**
     * Goes to where a block begins.
     *
     * @param firstBit of the next byte, 0 to 7
     * @param before raw bytes in front of it, at most 32 KiB
     */
    void resume(int firstBit, byte[] before) {
        bit = firstBit;
        window = before;
        headerBits = 0;
        ended = false;
        rawBytes = 0;
        crc32 = 0;
    }

    /**
     * Goes behind a segment.
     *
     * @param bytes the segment's output, 32 KiB of history in front of it
     * @return bytes of the input that the stream has passed
     */
    int pass(SegmentJob job, ByteBuffer bytes) {
        int taken = Math.min(WINDOW_BYTES, job.rawBytes());
        byte[] last =
                Arrays.copyOfRange(window, Math.max(0, window.length + taken - WINDOW_BYTES), window.length + taken);
        bytes.get(WINDOW_BYTES + job.rawBytes() - taken, last, last.length - taken, taken);
        window = last;
        // a header that stays open keeps its bits; another one lies in the segment
        headerBits = job.openHeaderBits();
        header = job.openHeader();
        bit = job.ended() ? 0 : job.endBit() % Byte.SIZE;
        ended = job.ended();
        crc32 = Crc32Combine.combine(crc32, job.crc32(), job.rawBytes());
        rawBytes += job.rawBytes();
        return job.ended() ? (job.endBit() + Byte.SIZE - 1) / Byte.SIZE : job.endBit() / Byte.SIZE;
    }

    /** Bit of the next byte at which the stream goes on. */
    int bit() {
        return bit;
    }

    /** Raw bytes before the position, at most 32 KiB. */
    byte[] window() {
        return window;
    }

    /** The bytes that hold the header of the open block. */
    byte[] header() {
        return header;
    }

    /** Length of that header; 0 if no block is open. */
    int headerBits() {
        return headerBits;
    }

    /** Whether the last block has ended. */
    boolean ended() {
        return ended;
    }

    /** Raw bytes since the stream was begun or resumed. */
    long rawBytes() {
        return rawBytes;
    }

    /** CRC-32 of these. */
    int crc32() {
        return crc32;
    }
}
