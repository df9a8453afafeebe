package io.warpcodec.hadoop;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Content to compress, reproducible from a kind, a size and a seed. */
public final class Payloads {
    private static final String[] WORDS = {
        "the",
        "split",
        "of",
        "a",
        "member",
        "chunk",
        "window",
        "literal",
        "match",
        "distance",
        "código",
        "block",
        "42",
        "pending",
        "deposits",
        "sleep",
        "furiously",
        "quickly",
        "regular",
        "accounts"
    };

    private Payloads() {}

    enum Kind {
        TEXT,
        ZEROS,
        NOISE;

        byte[] bytes(int count) {
            return switch (this) {
                case TEXT -> text(count, 1);
                case ZEROS -> new byte[count];
                case NOISE -> noise(count, 2);
            };
        }
    }

    public static byte[] text(int count, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(count + 64);
        while (text.length() < count) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(9) == 0 ? '\n' : ' ');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return java.util.Arrays.copyOf(bytes, count);
    }

    public static byte[] noise(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
