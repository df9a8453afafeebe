package io.warpcodec.engine.cpu.lz4;

import io.warpcodec.format.lz4.Lz4FrameHeader;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Compares the content of a frame, as it comes, with the size and the checksum that the frame declares. Not
 * thread-safe.
 */
final class Lz4FrameContent {
    private final Lz4ContentHash hash = new Lz4ContentHash();
    private Lz4FrameHeader frame;
    private long bytes;

    /** Forgets all content. */
    void restart() {
        hash.reset();
        bytes = 0;
    }

    /** Begins with the content of a frame. */
    void begin(Lz4FrameHeader header) {
        frame = header;
    }

    /** How many bytes have come. */
    long bytes() {
        return bytes;
    }

    /** The most that the next bytes can be, by the declared size, but no more than {@code most}. */
    int left(long most) {
        long left = frame.contentBytes() - bytes;
        return (int) (frame.hasContentBytes() && left >= 0 ? Math.min(left, most) : most);
    }

    /**
     * Adds decoded bytes.
     *
     * @throws DataFormatException if there are more than declared
     */
    void add(ByteBuffer content, int start, int count) throws DataFormatException {
        if (frame.contentChecksum()) {
            hash.update(content, start, count);
        }
        bytes += count;
        if (frame.hasContentBytes() && Long.compareUnsigned(bytes, frame.contentBytes()) > 0) {
            throw new DataFormatException(
                    "more content than the " + Long.toUnsignedString(frame.contentBytes()) + " bytes declared");
        }
    }

    /**
     * Ends with the last block.
     *
     * @throws DataFormatException if there are fewer bytes than declared
     */
    void end() throws DataFormatException {
        if (frame.hasContentBytes() && bytes != frame.contentBytes()) {
            throw new DataFormatException("the content size is " + Long.toUnsignedString(frame.contentBytes())
                    + ", but " + bytes + " bytes came");
        }
    }

    /**
     * Compares the checksum.
     *
     * @throws DataFormatException if it is another
     */
    void check(int checksum) throws DataFormatException {
        if (checksum != hash.value()) {
            throw new DataFormatException("the content checksum is wrong");
        }
    }
}
