package io.warpcodec.docs.plots;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * One file of {@code benchmarks/results}: comment lines that begin with {@code #}, a line of column names, rows. A
 * file may go on with rows of another table below a comment; they are read under the same column names, so each
 * question to it names enough columns to find one row.
 */
final class Results {

    private final String name;
    private final String text;
    private final List<CSVRecord> rows;

    private Results(String name, String text, List<CSVRecord> rows) {
        this.name = name;
        this.text = text;
        this.rows = rows;
    }

    static Results read(Path folder, String name) throws IOException {
        String text = Files.readString(folder.resolve(name));
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setCommentMarker('#')
                .setHeader()
                .setSkipHeaderRecord(true)
                .setIgnoreEmptyLines(true)
                .get();
        try (CSVParser parser = CSVParser.parse(text, format)) {
            return new Results(name, text, parser.getRecords());
        }
    }

    String name() {
        return name;
    }

    /** Refuses a caption that says something of the measurement that its file does not say. */
    Results says(String... facts) {
        for (String fact : facts) {
            if (!text.contains(fact)) {
                throw new IllegalArgumentException(name + " does not say " + fact);
            }
        }
        return this;
    }

    /** The number in {@code column} of the one row whose columns have these values. */
    double number(String column, Map<String, String> values) {
        List<CSVRecord> found = rows.stream()
                .filter(row -> values.entrySet().stream()
                        .allMatch(value -> row.isSet(value.getKey())
                                && row.get(value.getKey()).equals(value.getValue())))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(name + " has " + found.size() + " rows with " + values);
        }
        return Double.parseDouble(found.get(0).get(column));
    }
}
