package io.warpcodec.engine.cpu.zstd;

import io.warpcodec.engine.cpu.base.HeapView;
import java.nio.ByteBuffer;
import net.jpountz.xxhash.StreamingXXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** XXH64 of a frame's content, where libzstd does not have all of it. Not thread-safe. */
final class ZstdContentHash implements AutoCloseable {
    private final HeapView view = new HeapView();
    private StreamingXXHash64 hash;

    /** Begins a hash of nothing. */
    void open() {
        close();
        hash = XXHashFactory.fastestInstance().newStreamingHash64(0);
    }

    /** Whether there is a hash. */
    boolean isOpen() {
        return hash != null;
    }

    /** Adds what lies between a buffer's position and limit, if there is a hash. */
    void update(ByteBuffer bytes) {
        if (hash != null && bytes.hasRemaining()) {
            view.of(bytes);
            hash.update(view.array(), view.start(), bytes.remaining());
        }
    }

    /** Whether this is what a frame has of the hash. */
    boolean matches(int checksum) {
        return (int) hash.getValue() == checksum;
    }

    @Override
    public void close() {
        if (hash != null) {
            hash.close();
            hash = null;
        }
    }
}
