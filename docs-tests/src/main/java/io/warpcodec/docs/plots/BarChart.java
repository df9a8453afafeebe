package io.warpcodec.docs.plots;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Panels of horizontal bars, one below the other, as an SVG. The bars of a panel share a linear scale that begins at
 * 0; a number stands behind each. Nothing depends on how wide a text is drawn: names end where bars begin, numbers
 * begin where bars end. So the same figures give the same bytes on every machine, whatever fonts it has, and a check
 * can compare whole files. (XChart draws letters as outlines from the fonts of the machine: other bytes on another
 * machine, and 43 KB for four bars.)
 */
final class BarChart {

    private static final int WIDTH = 760;
    private static final int BARS_LEFT = 250;
    private static final int LONGEST_BAR = 420;
    private static final int BAR_HEIGHT = 18;
    private static final int ROW_HEIGHT = 26;

    private final StringBuilder body = new StringBuilder();
    private int y = 34;

    /** What a bar stands for, which decides its colour. */
    enum Codec {
        OURS("#2f7d32"),
        OTHER("#8a94a0");

        private final String colour;

        Codec(String colour) {
            this.colour = colour;
        }
    }

    record Bar(String name, Codec codec, double value) {}

    /**
     * @param heading what is compared, with the unit
     * @param decimals digits behind the point of the numbers
     * @param captions lines below the bars: machine, data, commit, date, file
     */
    record Panel(String heading, int decimals, List<Bar> bars, List<String> captions) {
        Panel {
            bars = List.copyOf(bars);
            captions = List.copyOf(captions);
        }
    }

    private BarChart() {}

    static String draw(String title, List<Panel> panels) {
        BarChart chart = new BarChart();
        chart.text(24, 17, "bold", "#1f2328", "start", title);
        for (Panel panel : panels) {
            chart.panel(panel);
        }
        int height = chart.y + 4;
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">",
                WIDTH, height, WIDTH, height));
        lines.add("<title>" + escaped(title) + "</title>");
        lines.add(format("<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\"/>", WIDTH, height));
        return String.join("\n", lines) + "\n" + chart.body + "</svg>\n";
    }

    private void panel(Panel panel) {
        y += 34;
        text(24, 14, "bold", "#1f2328", "start", panel.heading());
        y += 12;
        double most = panel.bars().stream().mapToDouble(Bar::value).max().orElseThrow();
        for (Bar bar : panel.bars()) {
            double length = LONGEST_BAR * bar.value() / most;
            body.append(format(
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n",
                    BARS_LEFT, y, length, BAR_HEIGHT, bar.codec().colour));
            y += BAR_HEIGHT - 5;
            String weight = bar.codec() == Codec.OURS ? "bold" : "normal";
            text(BARS_LEFT - 10, 13, weight, "#1f2328", "end", bar.name());
            String number = format("%." + panel.decimals() + "f", bar.value());
            text(BARS_LEFT + length + 7, 13, weight, "#1f2328", "start", number);
            y += ROW_HEIGHT - BAR_HEIGHT + 5;
        }
        y += 8;
        for (String caption : panel.captions()) {
            text(24, 11, "normal", "#59636e", "start", caption);
            y += 15;
        }
    }

    private void text(double x, int size, String weight, String colour, String anchor, String words) {
        body.append(format(
                "<text x=\"%.1f\" y=\"%d\" font-size=\"%d\" font-weight=\"%s\" fill=\"%s\" text-anchor=\"%s\">%s</text>%n",
                x, y, size, weight, colour, anchor, escaped(words)));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
