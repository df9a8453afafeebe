package io.warpcodec.device;

import java.util.HashMap;
import java.util.Map;

/**
 * How long waves took, as a line over their size for each program: a fixed part and a part per byte. Older waves count for less and less.
 * Not thread-safe.
 */
final class WaveTimes {
    // Least squares over exponentially faded sums. A line needs two places: until waves of different sizes have been
    // seen, two assumed ones hold it (a small wave is launch and copy latency, a large one runs at the link's speed),
    // and they fade with the rest.

    private static final double FADING = 0.97;
    private static final double[][] ASSUMED_BYTES_AND_NANOS = {{64 << 10, 300e3}, {32 << 20, 2e6}};

    private final Map<String, Line> lines = new HashMap<>();

    /** Faded sums of one program. */
    private static final class Line {
        double weight;
        double bytes;
        double nanos;
        double bytesSquared;
        double bytesTimesNanos;

        Line() {
            for (double[] assumed : ASSUMED_BYTES_AND_NANOS) {
                add(assumed[0], assumed[1]);
            }
        }

        void add(double atBytes, double atNanos) {
            weight = weight * FADING + 1;
            bytes = bytes * FADING + atBytes;
            nanos = nanos * FADING + atNanos;
            bytesSquared = bytesSquared * FADING + atBytes * atBytes;
            bytesTimesNanos = bytesTimesNanos * FADING + atBytes * atNanos;
        }

        double nanosPerByte() {
            double spread = weight * bytesSquared - bytes * bytes;
            double slope = (weight * bytesTimesNanos - bytes * nanos) / spread;
            return spread < 1 || slope < 0 ? 0 : slope;
        }

        double fixedNanos() {
            return Math.max(0, (nanos - nanosPerByte() * bytes) / weight);
        }
    }

    void record(String program, long outputBytes, long nanos) {
        lines.computeIfAbsent(program, none -> new Line()).add(outputBytes, nanos);
    }

    /** How long so many bytes would take behind what is outstanding. */
    double expectedNanos(String program, long outputBytes, long outstandingBytes) {
        Line line = lines.computeIfAbsent(program, none -> new Line());
        return line.fixedNanos() + line.nanosPerByte() * (outputBytes + outstandingBytes);
    }
}
