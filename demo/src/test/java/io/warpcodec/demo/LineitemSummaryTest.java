package io.warpcodec.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LineitemSummaryTest {

    private static final double SCALE = 0.001;

    /** Days since the epoch of TPC-H's dates; 1998-09-02. */
    private static final int LAST_SHIP_DAY = 10471;

    private static byte[] bytes(String line) {
        return line.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static LineitemSummary summaryOf(List<String> lines) {
        LineitemSummary summary = new LineitemSummary();
        lines.forEach(line -> summary.addRow(bytes(line), 0, bytes(line).length));
        return summary;
    }

    private static List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (LineItem row : new LineItemGenerator(SCALE, 1, 1)) {
            lines.add(row.toLine());
        }
        return lines;
    }

    @Test
    void sumsAreThoseOfTheGeneratorsOwnNumbers() {
        Map<String, long[]> expected = new TreeMap<>();
        for (LineItem row : new LineItemGenerator(SCALE, 1, 1)) {
            if (row.getShipDate() > LAST_SHIP_DAY) {
                continue;
            }
            long[] sums = expected.computeIfAbsent(row.getReturnFlag() + "|" + row.getStatus(), g -> new long[5]);
            long discounted = row.getExtendedPriceInCents() * (100 - row.getDiscountPercent());
            sums[0]++;
            sums[1] += row.getQuantity();
            sums[2] += row.getExtendedPriceInCents();
            sums[3] += discounted;
            sums[4] += discounted * (100 + row.getTaxPercent());
        }
        StringBuilder text = new StringBuilder();
        expected.forEach((group, sums) -> {
            text.append('\n').append(group);
            for (long sum : sums) {
                text.append(' ').append(sum);
            }
        });
        assertThat(summaryOf(lines()).toString()).endsWith(text.toString());
        assertThat(expected).hasSize(4);
    }

    @Test
    void orderAndGroupingDoNotChangeTheAnswer() {
        List<String> lines = lines();
        LineitemSummary tail = summaryOf(lines.subList(1000, lines.size()));
        LineitemSummary joined = tail.add(summaryOf(lines.subList(0, 1000)));
        assertThat(joined).isEqualTo(summaryOf(lines));
    }

    @Test
    void lostRepeatedAndAlteredRowsChangeTheAnswer() {
        List<String> lines = lines();
        LineitemSummary whole = summaryOf(lines);
        assertThat(summaryOf(lines.subList(1, lines.size()))).isNotEqualTo(whole);
        List<String> repeated = new ArrayList<>(lines);
        repeated.set(0, lines.get(1));
        assertThat(summaryOf(repeated)).isNotEqualTo(whole);
        List<String> altered = new ArrayList<>(lines);
        altered.set(5, lines.get(5).replaceAll("[a-z]\\|$", "X|"));
        assertThat(summaryOf(altered)).isNotEqualTo(whole);
    }

    @Test
    void lineThatIsNoRowIsRefused() {
        byte[] half = bytes("1|2|3|4|17|2116");
        assertThatThrownBy(() -> new LineitemSummary().addRow(half, 0, half.length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1|2|3|4|17|2116");
    }
}
