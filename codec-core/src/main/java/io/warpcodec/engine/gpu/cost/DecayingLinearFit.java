package io.warpcodec.engine.gpu.cost;

/**
 * A line through points (bytes, nanoseconds) that were seen: a fixed part and a part per byte, neither below 0. Older
 * points count for less and less. Not thread-safe.
 */
final class DecayingLinearFit {
    // Least squares over exponentially faded sums. A line needs two points: until points with different sizes have been
    // seen, two assumed ones hold it, and they fade with the rest.

    private static final double FADING = 0.97;
    private static final double ASSUMED_WEIGHT = 0.1;
    private static final double LEAST_RELATIVE_SPREAD = 0.01;
    /** What ageing leaves: as much as the assumed points. */
    private static final double LEAST_WEIGHT = 2 * ASSUMED_WEIGHT;

    private double weight;
    private double bytes;
    private double nanos;
    private double bytesSquared;
    private double bytesTimesNanos;

    /** A line through two assumed points, which count for little beside seen ones. */
    DecayingLinearFit(double bytes0, double nanos0, double bytes1, double nanos1) {
        add(bytes0, nanos0);
        add(bytes1, nanos1);
        fade(ASSUMED_WEIGHT);
    }

    /** One more point. */
    void add(double atBytes, double tookNanos) {
        fade(FADING);
        weight += 1;
        bytes += atBytes;
        nanos += tookNanos;
        bytesSquared += atBytes * atBytes;
        bytesTimesNanos += atBytes * tookNanos;
    }

    /** Makes all points so far count for less, so that the next ones decide; not so little that the line is lost. */
    void age(double factor) {
        fade(Math.max(factor, LEAST_WEIGHT / Math.max(weight, LEAST_WEIGHT)));
    }

    private void fade(double factor) {
        weight *= factor;
        bytes *= factor;
        nanos *= factor;
        bytesSquared *= factor;
        bytesTimesNanos *= factor;
    }

    /** Nanoseconds at so many bytes. */
    double at(double bytesThere) {
        return fixedNanos() + nanosPerByte() * bytesThere;
    }

    /** Slope: nanoseconds a byte. A line that would begin below 0 goes through 0 instead. */
    double nanosPerByte() {
        double slope = slope();
        return nanos < slope * bytes ? nanos / bytes : slope;
    }

    /** Nanoseconds at 0 bytes. */
    double fixedNanos() {
        return Math.max(0, (nanos - slope() * bytes) / weight);
    }

    private double slope() {
        // sizes within about a tenth of each other say nothing about a slope: then it leads to 0
        double spread = weight * bytesSquared - bytes * bytes;
        if (spread < LEAST_RELATIVE_SPREAD * bytes * bytes) {
            return nanos / bytes;
        }
        return Math.max(0, (weight * bytesTimesNanos - bytes * nanos) / spread);
    }
}
