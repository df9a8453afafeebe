package io.warpcodec.cli;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Bytes to compress. */
final class Samples {

    private static final long SEED = 20261120L;

    private Samples() {}

    /** Lines with numbers in them: compresses, and differs everywhere. */
    static byte[] text(int bytes) {
        StringBuilder lines = new StringBuilder(bytes + 64);
        Random random = new Random(SEED);
        for (int row = 0; lines.length() < bytes; row++) {
            lines.append(row)
                    .append("|some words that return|")
                    .append(random.nextInt(1000))
                    .append('\n');
        }
        return Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), bytes);
    }

    static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(SEED).nextBytes(noise);
        return noise;
    }
}
