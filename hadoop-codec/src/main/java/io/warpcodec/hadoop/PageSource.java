package io.warpcodec.hadoop;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of a buffer, from its position to its limit, as a stream. Not thread-safe. */
final class PageSource extends InputStream {
    private final ByteBuffer bytes;

    PageSource(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int start, int length) {
        Objects.checkFromIndexSize(start, length, target.length);
        if (length > 0 && !bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(target, start, count);
        return count;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }
}
