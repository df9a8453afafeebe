package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The last raw bytes of a gzip member that is being decoded, at least as many as matches may refer to, and the CRC-32
 * of what has passed. Memory: 288 KiB. Not thread-safe.
 */
final class DecodedWindow {
    private static final int MAX_MATCH_BYTES = 258;
    private static final int WINDOW_BYTES = GzipSeekPoint.MAX_WINDOW_BYTES;

    private final byte[] output = new byte[WINDOW_BYTES + (256 << 10)];
    private int outputAt;
    private int checksummed;
    private long outputOffset;
    private long memberStart;
    private final CRC32 crc = new CRC32();

    /** Forgets all bytes: a member begins here. */
    void beginMember() {
        memberStart = rawOffset();
        resetCrc();
    }

    /** Bytes of the file before this place. */
    long rawOffset() {
        return outputOffset + outputAt;
    }

    /** Those of them that belong to the member. */
    long memberBytes() {
        return rawOffset() - memberStart;
    }

    /** CRC-32 of the bytes since it was {@link #resetCrc reset}, or since {@link #goOnBehind}. */
    int crc32() {
        checksum();
        return (int) crc.getValue();
    }

    /** Begins a new CRC-32 here. */
    void resetCrc() {
        checksummed = outputAt;
        crc.reset();
    }

    private void checksum() {
        crc.update(output, checksummed, outputAt - checksummed);
        checksummed = outputAt;
    }

    /** The last bytes, at most 32 KiB. */
    byte[] last(int bytes) {
        return Arrays.copyOfRange(output, outputAt - bytes, outputAt);
    }

    /**
     * Goes on behind bytes of the member that were decoded elsewhere.
     *
     * @param window the last ones before this place
     * @param memberBytes all of the member
     */
    void goOnBehind(byte[] window, long memberBytes) {
        outputAt = window.length;
        System.arraycopy(window, 0, output, 0, outputAt);
        outputOffset = memberStart + memberBytes - outputAt;
        checksummed = outputAt;
    }

    /** Makes space for a match; at least 32 KiB of what was there stay. */
    void makeSpace() {
        if (outputAt > output.length - MAX_MATCH_BYTES) {
            checksum();
            int dropped = outputAt - WINDOW_BYTES;
            System.arraycopy(output, dropped, output, 0, WINDOW_BYTES);
            outputOffset += dropped;
            outputAt = WINDOW_BYTES;
            checksummed = WINDOW_BYTES;
        }
    }

    /** Adds a byte; there is space for it. */
    void put(int value) {
        output[outputAt++] = (byte) value;
    }

    /** Adds bytes of a stored block, as many as there is space for; returns how many, at least one. */
    int put(BitInput in, int mostBytes) throws IOException {
        int count = in.take(output, outputAt, Math.min(mostBytes, output.length - outputAt));
        outputAt += count;
        return count;
    }

    /** Adds a match; there is space for it. False if it refers to bytes before the member. */
    boolean copy(int length, int distance) {
        if (distance > memberBytes()) {
            return false;
        }
        if (distance >= length) {
            System.arraycopy(output, outputAt - distance, output, outputAt, length);
            outputAt += length;
            return true;
        }
        for (int limit = outputAt + length; outputAt < limit; outputAt++) {
            output[outputAt] = output[outputAt - distance];
        }
        return true;
    }
}
