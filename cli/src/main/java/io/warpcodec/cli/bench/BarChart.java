package io.warpcodec.cli.bench;

import java.util.List;
import java.util.Locale;

/**
 * Draws measurements as an SVG: one row each with two bars, compress and decompress, on a logarithmic scale of MB/s,
 * as the slowest and the fastest are a hundredfold apart.
 */
public final class BarChart {

    private static final int LABEL_WIDTH = 300;
    private static final int CHART_WIDTH = 560;
    private static final int ROW_HEIGHT = 34;
    private static final int BAR_HEIGHT = 12;
    private static final int TOP = 60;
    private static final String OURS = "warpcodec";

    private BarChart() {}

    /** The whole document. */
    public static String draw(List<Measurement> measurements) {
        int decades = decades(measurements);
        int height = TOP + measurements.size() * ROW_HEIGHT + 30;
        int width = LABEL_WIDTH + CHART_WIDTH + 80;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                width,
                height));
        svg.append(String.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", width, height));
        text(svg, 10, 22, "MB/s (logarithmic); upper bar compresses, lower bar decompresses");
        for (int decade = 0; decade <= decades; decade++) {
            int x = LABEL_WIDTH + CHART_WIDTH * decade / decades;
            svg.append(String.format(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>%n", x, TOP - 10, x, height - 20));
            text(svg, x - 10, TOP - 15, Long.toString(Math.round(Math.pow(10, decade))));
        }
        int y = TOP;
        for (Measurement row : measurements) {
            boolean ours = row.contestant().equals(OURS);
            text(
                    svg,
                    10,
                    y + 16,
                    String.format(
                            Locale.ROOT,
                            "%s %s x%d, %.2f:1, %s",
                            row.contestant(),
                            row.suffix(),
                            row.threads(),
                            row.ratio(),
                            row.file()));
            bar(svg, y, row.compressMegabytesPerSecond(), decades, ours ? "#1b6ca8" : "#9aa5b1");
            bar(svg, y + BAR_HEIGHT + 1, row.decompressMegabytesPerSecond(), decades, ours ? "#6fb1e0" : "#c9d1d9");
            y += ROW_HEIGHT;
        }
        return svg.append("</svg>\n").toString();
    }

    private static int decades(List<Measurement> measurements) {
        double most = 10;
        for (Measurement row : measurements) {
            most = Math.max(most, Math.max(row.compressMegabytesPerSecond(), row.decompressMegabytesPerSecond()));
        }
        return (int) Math.ceil(Math.log10(most));
    }

    private static void bar(StringBuilder svg, int y, double speed, int decades, String colour) {
        long length = Math.round(CHART_WIDTH * Math.log10(Math.max(1, speed)) / decades);
        svg.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n",
                LABEL_WIDTH, y, length, BAR_HEIGHT, colour));
        text(svg, LABEL_WIDTH + length + 4, y + BAR_HEIGHT - 2, String.format(Locale.ROOT, "%.0f", speed));
    }

    private static void text(StringBuilder svg, long x, long y, String words) {
        String escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        svg.append(String.format("<text x=\"%d\" y=\"%d\">%s</text>%n", x, y, escaped));
    }
}
