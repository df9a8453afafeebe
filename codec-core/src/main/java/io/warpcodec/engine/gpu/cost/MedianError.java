package io.warpcodec.engine.gpu.cost;

/** How far predictions were from what happened: the median of |predicted - actual| / actual. Not thread-safe. */
final class MedianError {
    /** Errors are counted by the percent; above the last they count as that. */
    private static final int BUCKETS = 1000;

    private final long[] countByPercent = new long[BUCKETS];
    private long count;

    /** One prediction and what became of it, both in the same unit; {@code actual} above 0. */
    void add(double predicted, double actual) {
        double percent = 100 * Math.abs(predicted - actual) / actual;
        countByPercent[(int) Math.min(BUCKETS - 1, percent)]++;
        count++;
    }

    /** Predictions so far. */
    long count() {
        return count;
    }

    /** The median in percent, to the percent above; NaN if there was none. */
    double percent() {
        long below = 0;
        for (int percent = 0; percent < BUCKETS; percent++) {
            below += countByPercent[percent];
            if (2 * below >= count && count > 0) {
                return percent + 1;
            }
        }
        return Double.NaN;
    }
}
