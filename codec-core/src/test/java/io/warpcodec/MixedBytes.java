package io.warpcodec;

import java.util.Random;

/** Test data that compresses here and there. */
public final class MixedBytes {
    private MixedBytes() {}

    /** Text, noise and runs in turn. */
    public static byte[] of(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; ) {
            int kind = random.nextInt(3);
            int limit = Math.min(bytes, at + 1 + random.nextInt(30_000));
            for (int start = at; at < limit; at++) {
                raw[at] = kind == 0
                        ? (byte) random.nextInt()
                        : kind == 1
                                ? (byte) "warp and weft \n".charAt(random.nextInt(random.nextInt(15) + 1))
                                : raw[start];
            }
        }
        return raw;
    }
}
