package io.warpcodec.hadoop.vector;

import io.warpcodec.hadoop.Outcome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of a folder's {@code EXPECTED.tsv}: a compressed file and what a decoder has to make of it.
 *
 * @param outBytes decoded size, or -1 where the list does not say
 */
record Vector(Path file, String name, Expect expect, long outBytes, String outSha256, String note) {

    enum Expect {
        GOOD,
        BAD,
        TRAIL,
        SPLIT
    }

    /** Above this many decoded bytes a vector is a bomb: decoded once, streaming. */
    private static final long BOMB_BYTES = 64L << 20;

    boolean isBomb() throws IOException {
        return outBytes > BOMB_BYTES || Files.size(file) > BOMB_BYTES;
    }

    InputStream open() throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    /** Reads a folder's list; columns are found by their names in the first line. */
    static List<Vector> list(Path folder) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("EXPECTED.tsv"));
        List<String> columns = List.of(lines.get(0).split("\t", -1));
        List<Vector> vectors = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.isBlank()) {
                continue;
            }
            List<String> cells = List.of(line.split("\t", -1));
            String outBytes = cell(cells, columns, "out_bytes");
            String path = cell(cells, columns, "path");
            String expect = cell(cells, columns, "expect").toUpperCase(java.util.Locale.ROOT);
            vectors.add(new Vector(
                    folder.resolve(path),
                    path,
                    Expect.valueOf(expect),
                    outBytes.equals("-") ? -1 : Long.parseLong(outBytes),
                    cell(cells, columns, "out_sha256"),
                    cell(cells, columns, "note")));
        }
        return vectors;
    }

    private static String cell(List<String> cells, List<String> columns, String column) {
        int at = columns.indexOf(column);
        return at < 0 || at >= cells.size() ? "-" : cells.get(at);
    }

    /** What is wrong with an outcome, or null where it is as expected; {@code oracles} settle a split vector. */
    String complaint(Outcome outcome, Oracles oracles) throws IOException {
        return switch (expect) {
            case GOOD -> outcome.isSuccess() && isOutput(outcome) ? null : "expected " + outBytes + " good bytes";
            case BAD -> outcome.error() instanceof IOException ? null : "expected an IOException";
            case TRAIL ->
                outcome.error() instanceof IOException && isOutput(outcome)
                        ? null
                        : "expected " + outBytes + " good bytes and then an IOException";
            case SPLIT ->
                outcome.error() instanceof IOException
                                || outcome.isSuccess()
                                        && oracles.decodings(Files.readAllBytes(file))
                                                .contains(outcome.sha256())
                        ? null
                        : "expected an IOException or what a reference decoder delivers";
        };
    }

    private boolean isOutput(Outcome outcome) {
        return outcome.bytes() == outBytes && outcome.sha256().equals(outSha256);
    }

    @Override
    public String toString() {
        return expect.name().toLowerCase(java.util.Locale.ROOT) + " " + name;
    }
}
