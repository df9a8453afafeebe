package io.warpcodec.engine.cpu.lz4;

import java.nio.ByteBuffer;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * XXH32 of content that comes in pieces, through lz4-java (see {@link Lz4Hash}). Takes native memory at its first
 * bytes. Not thread-safe.
 */
final class Lz4ContentHash {
    private static final int BOUNCE_BYTES = 4 << 10;

    private StreamingXXHash32 hash;

    void reset() {
        if (hash != null) {
            hash.reset();
        }
    }

    void update(ByteBuffer bytes, int start, int length) {
        if (bytes.hasArray()) {
            hash().update(bytes.array(), bytes.arrayOffset() + start, length);
            return;
        }
        byte[] bounce = new byte[Math.min(BOUNCE_BYTES, length)];
        for (int at = 0; at < length; at += bounce.length) {
            int count = Math.min(bounce.length, length - at);
            bytes.get(start + at, bounce, 0, count);
            hash().update(bounce, 0, count);
        }
    }

    int value() {
        return hash().getValue();
    }

    private StreamingXXHash32 hash() {
        if (hash == null) {
            hash = XXHashFactory.fastestInstance().newStreamingHash32(0);
        }
        return hash;
    }
}
