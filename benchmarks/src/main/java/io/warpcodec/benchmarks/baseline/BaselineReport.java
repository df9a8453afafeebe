package io.warpcodec.benchmarks.baseline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results as CSV and as a Markdown table. Written again after every point, so that an interrupted run leaves its
 * part.
 */
final class BaselineReport {
    /** The least that ours / stock may be. */
    static final double GOAL = 0.95;

    private static final String CSV_HEADER =
            "format,direction,file,threads,ours_mb_s,stock_mb_s,ratio,ratio_q1,ratio_q3,slices,ours_bytes,stock_bytes,"
                    + "raw_bytes,stock_codec";

    private final Map<String, String> surroundings;
    private final long rawBytes;
    private final Map<CodecPair, long[]> fileBytes = new EnumMap<>(CodecPair.class);
    private final List<BaselinePoint> points = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    BaselineReport(Map<String, String> surroundings, long rawBytes) {
        this.surroundings = surroundings;
        this.rawBytes = rawBytes;
    }

    /** Sizes of the compressed text. */
    void sizes(CodecPair pair, long oursBytes, long stockBytes) {
        fileBytes.put(pair, new long[] {oursBytes, stockBytes});
    }

    void add(BaselinePoint point) {
        points.add(point);
    }

    /** Something that could not be measured. */
    void fail(String what) {
        failures.add(what);
    }

    /** Writes both files. */
    void write(Path out) throws IOException {
        Files.writeString(Path.of(out + ".csv"), csv());
        Files.writeString(Path.of(out + ".md"), markdown());
    }

    private String csv() {
        StringBuilder text = new StringBuilder();
        surroundings.forEach((name, value) -> text.append("# " + name + ": " + value + "\n"));
        failures.forEach(failure -> text.append("# not measured: " + failure + "\n"));
        text.append(CSV_HEADER).append('\n');
        for (BaselinePoint point : points) {
            long[] sizes = fileBytes.get(point.pair());
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%.1f,%.1f,%.3f,%.3f,%.3f,%d,%d,%d,%d,%s%n",
                    point.pair().word(),
                    point.direction(),
                    point.file(),
                    point.threads(),
                    point.megabytesPerSecond(Side.OURS),
                    point.megabytesPerSecond(Side.STOCK),
                    point.ratio(),
                    point.ratioQuartile(1),
                    point.ratioQuartile(3),
                    point.ours().size(),
                    sizes[0],
                    sizes[1],
                    rawBytes,
                    point.pair().counterpart()));
        }
        return text.toString();
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("# CPU engine against stock codecs\n\n");
        surroundings.forEach((name, value) -> text.append("- " + name + ": " + value + "\n"));
        text.append("- data: TPC-H lineitem text, " + rawBytes + " bytes\n");
        failures.forEach(failure -> text.append("- not measured: " + failure + "\n"));
        text.append("""

                MB/s of raw bytes, all threads together; each thread works on the whole text. Both codecs take turns in one JVM,
                a slice of time each; MB/s is the mean of the middle half of the slices; ours/stock is the median of the ratios
                of neighbouring slices, spread their quartiles. `file`: each codec reads its own file, or both read one codec's.

                | format | direction | file | threads | ours MB/s | stock MB/s | ours/stock | spread | ours size | stock size | stock codec |
                |---|---|---|---|---|---|---|---|---|---|---|
                """);
        for (BaselinePoint point : points) {
            long[] sizes = fileBytes.get(point.pair());
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %d | %.0f | %.0f | %s | %.2f-%.2f | %.1f %% | %.1f %% | %s |%n",
                    point.pair().title(),
                    point.direction(),
                    point.file(),
                    point.threads(),
                    point.megabytesPerSecond(Side.OURS),
                    point.megabytesPerSecond(Side.STOCK),
                    judged(point.ratio()),
                    point.ratioQuartile(1),
                    point.ratioQuartile(3),
                    100.0 * sizes[0] / rawBytes,
                    100.0 * sizes[1] / rawBytes,
                    point.pair().counterpart()));
        }
        return text.toString();
    }

    private static String judged(double ratio) {
        String number = String.format(Locale.ROOT, "%.2f", ratio);
        return ratio < GOAL ? "**" + number + "**" : number;
    }
}
