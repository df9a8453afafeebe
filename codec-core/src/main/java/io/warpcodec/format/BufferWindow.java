package io.warpcodec.format;

import java.nio.ByteBuffer;

/** A window over bytes that are all there: a chunk, a header gathered elsewhere. Not thread-safe. */
public final class BufferWindow implements Window {
    private final ByteBuffer bytes;
    private final int start;
    private final long startOffset;
    private int position;

    /**
     * @param bytes seen from its position to its limit; neither changes
     * @param offset absolute offset of the first byte
     */
    public BufferWindow(ByteBuffer bytes, long offset) {
        this.bytes = bytes;
        this.start = bytes.position();
        this.startOffset = offset;
    }

    @Override
    public long offset() {
        return startOffset + position;
    }

    @Override
    public int buffered() {
        return bytes.limit() - start - position;
    }

    @Override
    public boolean require(int count) {
        return count <= buffered();
    }

    @Override
    public boolean ended() {
        return true;
    }

    @Override
    public int u8(int index) {
        return bytes.get(start + position + index) & 0xff;
    }

    @Override
    public ByteBuffer view(int index, int count) {
        return bytes.slice(start + position + index, count);
    }

    @Override
    public void consume(int count) {
        position += count;
    }
}
