package io.warpcodec.format.checksum;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * XXH32 (the xxHash specification, 32 bits): the checksum of LZ4's containers. {@link #update} takes bytes in pieces
 * of any size; {@link #value} may be asked at any point. Not thread-safe.
 */
public final class XxHash32 {
    // Four lanes each take every fourth little-endian word of 16-byte stripes; what is left over at the end is mixed
    // in word by word and byte by byte. Bytes of an incomplete stripe wait in `rest`.

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int PRIME_1 = 0x9E3779B1;
    private static final int PRIME_2 = 0x85EBCA77;
    private static final int PRIME_3 = 0xC2B2AE3D;
    private static final int PRIME_4 = 0x27D4EB2F;
    private static final int PRIME_5 = 0x165667B1;
    private static final int STRIPE_BYTES = 16;
    private static final int BOUNCE_BYTES = 4 << 10;

    private final int seed;
    private final byte[] rest = new byte[STRIPE_BYTES];
    private int restBytes;
    private long totalBytes;
    private int lane1;
    private int lane2;
    private int lane3;
    private int lane4;

    /** @param seed 0 in LZ4 frames */
    public XxHash32(int seed) {
        this.seed = seed;
        reset();
    }

    /** Starts over. */
    public void reset() {
        restBytes = 0;
        totalBytes = 0;
        lane1 = seed + PRIME_1 + PRIME_2;
        lane2 = seed + PRIME_2;
        lane3 = seed;
        lane4 = seed - PRIME_1;
    }

    /** Takes the bytes from position to limit; the buffer is not changed. */
    public void update(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            return;
        }
        ByteBuffer source = bytes.duplicate();
        byte[] bounce = new byte[Math.min(BOUNCE_BYTES, source.remaining())];
        while (source.hasRemaining()) {
            int count = Math.min(bounce.length, source.remaining());
            source.get(bounce, 0, count);
            update(bounce, 0, count);
        }
    }

    /** Adds so many bytes from {@code start} on. */
    public void update(byte[] bytes, int start, int length) {
        totalBytes += length;
        int at = start;
        int limit = start + length;
        if (restBytes > 0) {
            int count = Math.min(length, STRIPE_BYTES - restBytes);
            System.arraycopy(bytes, at, rest, restBytes, count);
            restBytes += count;
            at += count;
            if (restBytes < STRIPE_BYTES) {
                return;
            }
            stripes(rest, 0, STRIPE_BYTES);
            restBytes = 0;
        }
        int whole = limit - at & -STRIPE_BYTES;
        stripes(bytes, at, at + whole);
        at += whole;
        restBytes = limit - at;
        System.arraycopy(bytes, at, rest, 0, restBytes);
    }

    private void stripes(byte[] bytes, int start, int limit) {
        int a = lane1;
        int b = lane2;
        int c = lane3;
        int d = lane4;
        for (int at = start; at < limit; at += STRIPE_BYTES) {
            a = lane(a, (int) WORDS.get(bytes, at));
            b = lane(b, (int) WORDS.get(bytes, at + 4));
            c = lane(c, (int) WORDS.get(bytes, at + 8));
            d = lane(d, (int) WORDS.get(bytes, at + 12));
        }
        lane1 = a;
        lane2 = b;
        lane3 = c;
        lane4 = d;
    }

    private static int lane(int lane, int word) {
        return Integer.rotateLeft(lane + word * PRIME_2, 13) * PRIME_1;
    }

    /** The hash of all bytes so far. */
    public int value() {
        int hash = totalBytes >= STRIPE_BYTES
                ? Integer.rotateLeft(lane1, 1)
                        + Integer.rotateLeft(lane2, 7)
                        + Integer.rotateLeft(lane3, 12)
                        + Integer.rotateLeft(lane4, 18)
                : seed + PRIME_5;
        hash += (int) totalBytes;
        int at = 0;
        for (; at + 4 <= restBytes; at += 4) {
            hash = Integer.rotateLeft(hash + (int) WORDS.get(rest, at) * PRIME_3, 17) * PRIME_4;
        }
        for (; at < restBytes; at++) {
            hash = Integer.rotateLeft(hash + (rest[at] & 0xff) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 15) * PRIME_2;
        hash = (hash ^ hash >>> 13) * PRIME_3;
        return hash ^ hash >>> 16;
    }
}
