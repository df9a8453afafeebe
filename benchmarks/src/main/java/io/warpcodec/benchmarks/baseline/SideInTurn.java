package io.warpcodec.benchmarks.baseline;

import java.util.List;

/**
 * Who works in the present iteration. {@code alternating} lets the two codecs take turns, ours first, so that
 * whatever slows the machine down meets both alike. Not thread-safe: changed between iterations, when no benchmark
 * thread runs.
 */
final class SideInTurn {
    /** The word for taking turns. */
    static final String ALTERNATING = "alternating";

    private Side side = Side.STOCK;

    /** The sides that a parameter's value means. */
    static List<Side> sides(String value) {
        return value.equals(ALTERNATING) ? List.of(Side.OURS, Side.STOCK) : List.of(Side.ofWord(value));
    }

    void next(String value) {
        List<Side> sides = sides(value);
        side = sides.size() == 1 || side == Side.STOCK ? sides.get(0) : Side.STOCK;
    }

    Side side() {
        return side;
    }
}
