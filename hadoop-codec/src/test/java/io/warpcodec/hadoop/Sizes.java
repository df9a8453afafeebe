package io.warpcodec.hadoop;

import java.util.Random;

/** The sizes of successive reads or feeds: always the same, or drawn from a seeded generator. Not thread-safe. */
public final class Sizes {
    private final String name;
    private final int fixed;
    private final Random random;

    private Sizes(String name, int fixed, Random random) {
        this.name = name;
        this.fixed = fixed;
        this.random = random;
    }

    public static Sizes of(int bytes) {
        return new Sizes(Integer.toString(bytes), bytes, null);
    }

    /** Sizes 1 .. {@code maxBytes}, small ones much more often than large ones. */
    public static Sizes random(long seed, int maxBytes) {
        return new Sizes("random(seed " + seed + ")", maxBytes, new Random(seed));
    }

    public int next() {
        if (random == null) {
            return fixed;
        }
        int roof = 1 << random.nextInt(32 - Integer.numberOfLeadingZeros(fixed));
        return 1 + random.nextInt(Math.min(roof, fixed));
    }

    int max() {
        return fixed;
    }

    @Override
    public String toString() {
        return name;
    }
}
