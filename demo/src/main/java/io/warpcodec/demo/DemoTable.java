package io.warpcodec.demo;

import java.util.Locale;
import java.util.function.Consumer;

/** The table that the demo prints, row by row as the rows are done. */
final class DemoTable {

    private static final String HEADER =
            "suffix    engine         bytes  ratio  splits      rows  write s  read s  stock read s  same answer";
    private static final String ROW = "%-8s  %-6s  %12d  %5.2f  %6d  %8d  %7.2f  %6.2f  %12s  %s";

    private final Consumer<String> out;

    DemoTable(Consumer<String> out) {
        this.out = out;
    }

    /**
     * One row.
     *
     * @param suffix file name suffix, with its dot
     * @param engine what decoded: {@code cpu} or {@code gpu}
     * @param bytes size of the files
     * @param ratio raw size over that
     * @param splits splits that the MapReduce job ran on
     * @param rows rows found
     * @param writeSeconds the Spark job that wrote the files
     * @param readSeconds one pass through our codec, a thread per file
     * @param stockReadSeconds the same through Hadoop's own codec; null where it cannot
     * @param same whether every job and pass found the same answer as on plain text
     */
    record Row(
            String suffix,
            String engine,
            long bytes,
            double ratio,
            int splits,
            long rows,
            double writeSeconds,
            double readSeconds,
            Double stockReadSeconds,
            boolean same) {}

    void header() {
        out.accept(HEADER);
    }

    void row(Row row) {
        String stock =
                row.stockReadSeconds() == null ? "-" : String.format(Locale.ROOT, "%.2f", row.stockReadSeconds());
        out.accept(String.format(
                Locale.ROOT,
                ROW,
                row.suffix(),
                row.engine(),
                row.bytes(),
                row.ratio(),
                row.splits(),
                row.rows(),
                row.writeSeconds(),
                row.readSeconds(),
                stock,
                row.same() ? "yes" : "NO"));
    }
}
