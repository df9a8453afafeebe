package io.warpcodec.device.serve;

import io.warpcodec.device.lease.InputBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Bytes of a file that are looked at one by one, mostly in order: read by windows, as a call for each byte costs a
 * microsecond. Not thread-safe.
 */
final class WindowedInput implements InputBytes {
    /** Bytes read at once: a page. */
    static final int WINDOW_BYTES = 4096;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** Where the bytes come from. */
    @FunctionalInterface
    interface Source {
        /**
         * Reads as many bytes as the window takes, or fewer.
         *
         * @param index of the first of them
         * @throws IOException if they cannot be read any more
         */
        int read(ByteBuffer window, int index) throws IOException;
    }

    private final int bytes;
    private final Source source;
    /**
     * Made with the first byte that is looked at: a client has up to a thousand pieces of work, and few of them are
     * looked into.
     */
    private ByteBuffer window = NONE;

    private int windowAt;

    WindowedInput(int bytes, Source source) {
        this.bytes = bytes;
        this.source = source;
    }

    @Override
    public int length() {
        return bytes;
    }

    @Override
    public int at(int index) {
        Objects.checkIndex(index, bytes);
        if (index < windowAt || index >= windowAt + window.limit()) {
            moveTo(index);
        }
        return index - windowAt < window.limit() ? window.get(index - windowAt) & 0xff : 0;
    }

    private void moveTo(int index) {
        window = window == NONE ? ByteBuffer.allocate(WINDOW_BYTES) : window;
        windowAt = index;
        window.clear().limit(Math.min(WINDOW_BYTES, bytes - index));
        try {
            source.read(window, index);
        } catch (IOException gone) {
            window.clear();
        }
        window.flip();
    }
}
