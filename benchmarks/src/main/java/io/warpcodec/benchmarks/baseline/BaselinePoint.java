package io.warpcodec.benchmarks.baseline;

import java.util.Arrays;
import java.util.List;

/**
 * What was measured at one point: a pair, a direction, a file, a number of threads. The two codecs took turns, a
 * slice of time each, so the n-th slices of both met the same machine.
 *
 * @param file {@code own}, {@code stock}, or {@code -} when writing
 * @param ours MB/s of raw bytes in each of our slices
 * @param stock MB/s of raw bytes in each of the stock codec's slices
 */
record BaselinePoint(
        CodecPair pair, String direction, String file, int threads, List<Double> ours, List<Double> stock) {

    /** MB/s of raw bytes, all threads together: mean of the middle half of the slices. */
    double megabytesPerSecond(Side side) {
        double[] sorted = sorted((side == Side.OURS ? ours : stock)
                .stream().mapToDouble(Double::doubleValue).toArray());
        int dropped = sorted.length / 4;
        return Arrays.stream(sorted, dropped, sorted.length - dropped).average().orElseThrow();
    }

    /**
     * Ours / stock: median of the ratios of neighbouring slices, which a machine that others use too disturbs least.
     */
    double ratio() {
        return ratioQuartile(2);
    }

    /** Quartile of the ratios of neighbouring slices: 1, 2 (the median) or 3. */
    double ratioQuartile(int quartile) {
        double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i) / stock.get(i);
        }
        return sorted(ratios)[(int) Math.round((ratios.length - 1) * quartile / 4.0)];
    }

    private static double[] sorted(double[] values) {
        double[] copy = values.clone();
        Arrays.sort(copy);
        return copy;
    }
}
