package io.warpcodec.engine.gpu.block;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** Bytes to compress: noise, text, one value, a period, two values, and rows that resemble each other. */
public final class BlockData {
    private BlockData() {}

    public static final int KINDS = 6;
    public static final int TEXT = 1;

    private static final byte[][] WORDS = Stream.of(
                    "the quick brown fox jumps over a lazy dog and then some more of it again".split(" "))
            .map(String::getBytes)
            .toArray(byte[][]::new);

    public static byte[] make(Random random, int kind, int length) {
        byte[] raw = new byte[length];
        switch (kind) {
            case 0 -> random.nextBytes(raw);
            case TEXT -> {
                for (int at = 0; at < length; at++) {
                    byte[] word = WORDS[random.nextInt(WORDS.length)];
                    int count = Math.min(word.length, length - at);
                    System.arraycopy(word, 0, raw, at, count);
                    at += count;
                    if (at < length) {
                        raw[at] = (byte) (random.nextInt(20) == 0 ? random.nextInt(256) : ' ');
                    }
                }
            }
            case 2 -> Arrays.fill(raw, (byte) 'z');
            case 3 -> {
                int period = 1 + random.nextInt(300);
                for (int at = 0; at < length; at++) {
                    raw[at] = at < period ? (byte) random.nextInt() : raw[at - period];
                }
            }
            case 4 -> {
                for (int at = 0; at < length; at++) {
                    raw[at] = (byte) random.nextInt(2);
                }
            }
            default -> {
                for (int at = 0; at < length; at++) {
                    boolean again = at > 8 && random.nextInt(9) != 0;
                    raw[at] = again ? raw[at - 8] : (byte) random.nextInt();
                }
            }
        }
        return raw;
    }
}
