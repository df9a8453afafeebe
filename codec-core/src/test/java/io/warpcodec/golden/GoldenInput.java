package io.warpcodec.golden;

import java.util.Arrays;
import java.util.Random;

/**
 * Raw bytes that golden files and the ledger of sizes are made of. They depend on nothing but the arguments:
 * {@link Random} is specified to the bit. A change here would change what frozen files are compared with, so there is
 * none.
 */
public final class GoldenInput {
    private static final String[] WORDS = {
        "warp", "weft", "loom", "shuttle", "heddle", "reed", "selvedge", "bobbin", "twill", "satin", "thread", "cloth"
    };

    private GoldenInput() {}

    /** Lines of a number and some words: compresses about as well as a log does. */
    public static byte[] text(int bytes, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(bytes + 80);
        while (text.length() < bytes) {
            text.append(random.nextInt(1_000_000));
            for (int words = 2 + random.nextInt(6); words > 0; words--) {
                text.append(' ').append(WORDS[random.nextInt(WORDS.length)]);
            }
            text.append('\n');
        }
        byte[] raw = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            raw[i] = (byte) text.charAt(i);
        }
        return raw;
    }

    /** Bytes that no codec makes smaller. */
    public static byte[] noise(int bytes, long seed) {
        byte[] raw = new byte[bytes];
        new Random(seed).nextBytes(raw);
        return raw;
    }

    /** One byte again and again. */
    public static byte[] run(int bytes, int value) {
        byte[] raw = new byte[bytes];
        Arrays.fill(raw, (byte) value);
        return raw;
    }

    /** Text, noise and runs in turn, in pieces of up to 20,000 bytes. */
    public static byte[] mixed(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; ) {
            int length = Math.min(bytes - at, 1 + random.nextInt(20_000));
            byte[] piece = switch (random.nextInt(3)) {
                case 0 -> text(length, random.nextLong());
                case 1 -> noise(length, random.nextLong());
                default -> run(length, random.nextInt(256));
            };
            System.arraycopy(piece, 0, raw, at, length);
            at += length;
        }
        return raw;
    }
}
