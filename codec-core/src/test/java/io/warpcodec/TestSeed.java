package io.warpcodec;

/**
 * The seed of all random tests of this process: a new one in every run, printed when it is first used;
 * {@code -Dwarpcodec.test.seed=S} repeats a run. A test that makes several random decisions at once derives their
 * seeds by counting up from it. Thread-safe.
 */
public final class TestSeed {
    /** Sets the seed. */
    public static final String PROPERTY = "warpcodec.test.seed";

    private static final long SEED = Long.getLong(PROPERTY, System.nanoTime());

    static {
        System.out.println(
                "seed of this process's random tests: " + SEED + "; -D" + PROPERTY + "=" + SEED + " repeats them");
    }

    private TestSeed() {}

    /** The seed, a constant for the whole life of the process. */
    public static long value() {
        return SEED;
    }
}
