package io.warpcodec.spark;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Plain data of the sizes and kinds at which streams break. */
final class Payloads {
    private static final int[] SIZES = {0, 1, 63, 32_767, 32_768, 32_769, 262_143, 262_144, 262_145, 1_500_000};

    private Payloads() {}

    /** Text, zeros and noise of each size. */
    static List<byte[]> all() {
        List<byte[]> payloads = new ArrayList<>();
        for (int size : SIZES) {
            payloads.add(text(size));
            payloads.add(new byte[size]);
            payloads.add(noise(size));
        }
        return payloads;
    }

    /** Sentences that compress about as well as English does. */
    static byte[] text(int size) {
        String[] words = {"shuffle", "partition", "broadcast", "spill", "merge", "the", "of", "a"};
        Random random = new Random(size);
        StringBuilder text = new StringBuilder(size + 16);
        while (text.length() < size) {
            text.append(words[random.nextInt(words.length)]).append(' ').append(random.nextInt(100));
        }
        return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), size);
    }

    /** Bytes that do not compress. */
    static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    /** These arrays one after the other. */
    static byte[] concatenate(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
