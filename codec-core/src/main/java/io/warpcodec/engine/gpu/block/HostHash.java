package io.warpcodec.engine.gpu.block;

import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Hashes on the calling thread, of what no device hashes. XXH32 of compressed blocks with a checksum of their own,
 * and of contents with stored blocks, whose bytes never reach a device: through lz4-java, whose native code takes a
 * third of the time of our own. Adler-32: the JDK's. Thread-safe.
 */
public final class HostHash {
    private static final XXHash32 XX_HASH_32 = XXHashFactory.fastestInstance().hash32();

    private HostHash() {}

    /** XXH32 of an array's range. */
    public static int xxHash32(byte[] bytes, int start, int length, int seed) {
        return XX_HASH_32.hash(bytes, start, length, seed);
    }

    /** XXH32, seed 0, of a buffer's range by absolute index. */
    public static int xxHash32(ByteBuffer bytes, int start, int length) {
        return XX_HASH_32.hash(bytes, start, length, 0);
    }

    /** Adler-32 of what remains in a buffer. */
    public static int adler32(ByteBuffer bytes) {
        Adler32 adler = new Adler32();
        adler.update(bytes);
        return (int) adler.getValue();
    }
}
