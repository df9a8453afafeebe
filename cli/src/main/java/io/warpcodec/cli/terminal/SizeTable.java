package io.warpcodec.cli.terminal;

import java.util.Locale;

/**
 * Lines of sizes and names under a header, as {@code gzip -l} prints them, and a line of totals under more than one.
 */
public final class SizeTable {

    private static final String LINE = "%19s %19s %6s %s%n";

    private final boolean hasFrame;
    private int lines;
    private long compressedBytes;
    private long rawBytes;

    /** @param hasFrame whether there are a header and totals */
    public SizeTable(boolean hasFrame) {
        this.hasFrame = hasFrame;
    }

    /** Prints the line of a file. */
    public void add(long compressed, long raw, String name) {
        if (lines == 0 && hasFrame) {
            Terminal.out().printf(LINE, "compressed", "uncompressed", "ratio", "compressed_name");
        }
        lines++;
        compressedBytes += compressed;
        rawBytes += raw;
        print(compressed, raw, name);
    }

    /** Prints the totals. */
    public void finish() {
        if (lines > 1 && hasFrame) {
            print(compressedBytes, rawBytes, "(totals)");
        }
    }

    private static void print(long compressed, long raw, String name) {
        double saved = raw == 0 ? 0 : 100 - 100.0 * compressed / raw;
        Terminal.out().printf(LINE, compressed, raw, String.format(Locale.ROOT, "%.1f%%", saved), name);
    }
}
