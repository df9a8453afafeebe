package io.warpcodec.demo;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The answer that every job of the demo must agree on: TPC-H query 1 over the rows shipped until 1998-09-02, and the
 * count and hash of all rows. Everything is whole numbers, so the order in which tasks finish cannot change a digit;
 * the hash is a sum over rows, so it sees each lost, repeated or altered row wherever the splits fall.
 *
 * <p>Not safe for use by several threads.
 */
final class LineitemSummary implements Serializable {
    // A charge is below 2^24 cents x 100 x 108 < 2^38, so the sum of charges can pass 2^63 from 2^25 rows (4 GB of
    // text) on. It then wraps, and wraps to the same value in every order of addition: still the same answer or not.

    private static final long serialVersionUID = 1;

    private static final String LAST_SHIP_DATE = "1998-09-02";
    private static final int QUANTITY = 4;
    private static final int RETURN_FLAG = 8;
    private static final int SHIP_DATE = 10;

    private final TreeMap<String, long[]> groups = new TreeMap<>();
    private final Row row = new Row();
    private long rows;
    private long bytes;
    private long hash;

    /** Adds one row: a line of lineitem without its line end. */
    void addRow(byte[] line, int offset, int length) {
        countRow(line, offset, length);
        if (row.parse(line, offset, length)) {
            addToGroup(row.group, row.measures);
        }
    }

    /** Counts a row without adding it to its group. */
    void countRow(byte[] line, int offset, int length) {
        long h = 0xcbf29ce484222325L;
        for (int i = offset; i < offset + length; i++) {
            h = (h ^ line[i]) * 0x100000001b3L;
        }
        addTotals(1, length + 1L, h);
    }

    /** Adds rows, bytes (line ends included) and row hashes counted elsewhere. */
    void addTotals(long moreRows, long moreBytes, long moreHash) {
        rows += moreRows;
        bytes += moreBytes;
        hash += moreHash;
    }

    /** Adds one row's measures, as {@link #measures} returns them, to a group. */
    void addToGroup(String group, long[] measures) {
        long[] sums = groups.computeIfAbsent(group, g -> new long[5]);
        long quantity = measures[0];
        long price = measures[1];
        long discounted = price * (100 - measures[2]);
        sums[0]++;
        sums[1] += quantity;
        sums[2] += price;
        sums[3] += discounted;
        sums[4] += discounted * (100 + measures[3]);
    }

    /** Adds everything that another summary has seen. */
    LineitemSummary add(LineitemSummary other) {
        addTotals(other.rows, other.bytes, other.hash);
        other.groups.forEach((group, more) -> {
            long[] sums = groups.computeIfAbsent(group, g -> new long[more.length]);
            for (int i = 0; i < more.length; i++) {
                sums[i] += more[i];
            }
        });
        return this;
    }

    /** Rows seen, whatever their date. */
    long rows() {
        return rows;
    }

    /** Bytes of text seen, line ends included. */
    long bytes() {
        return bytes;
    }

    /** Sum of the rows' 64-bit FNV-1a hashes. */
    long hash() {
        return hash;
    }

    /** The whole answer, one line per group: two summaries are the same answer exactly when these are equal. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("rows ")
                .append(rows)
                .append(" bytes ")
                .append(bytes)
                .append(" hash ")
                .append(Long.toHexString(hash));
        for (Map.Entry<String, long[]> group : groups.entrySet()) {
            text.append('\n').append(group.getKey());
            for (long sum : group.getValue()) {
                text.append(' ').append(sum);
            }
        }
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineitemSummary that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash);
    }

    /** One parsed row; reused, so that parsing allocates next to nothing. */
    static final class Row implements Serializable {

        private static final long serialVersionUID = 1;

        /** Return flag and line status, for example {@code A|F}. */
        String group;

        /** Quantity, extended price in cents, discount and tax in percent. */
        final long[] measures = new long[4];

        /** Parses one line; false when the row was shipped too late to count. */
        boolean parse(byte[] line, int offset, int length) {
            int limit = offset + length;
            int at = skipColumns(line, offset, limit, QUANTITY);
            for (int i = 0; i < measures.length; i++) {
                long value = 0;
                while (at < limit && line[at] != '|') {
                    if (line[at] != '.') {
                        value = value * 10 + line[at] - '0';
                    }
                    at++;
                }
                measures[i] = value;
                at++;
            }
            int date = skipColumns(line, at, limit, SHIP_DATE - RETURN_FLAG);
            if (date + LAST_SHIP_DATE.length() > limit) {
                throw new IllegalArgumentException("not a row of lineitem: "
                        + new String(line, offset, Math.min(length, 200), StandardCharsets.ISO_8859_1));
            }
            group = new String(line, at, date - at - 1, StandardCharsets.ISO_8859_1);
            for (int i = 0; i < LAST_SHIP_DATE.length(); i++) {
                int difference = line[date + i] - LAST_SHIP_DATE.charAt(i);
                if (difference != 0) {
                    return difference < 0;
                }
            }
            return true;
        }

        private static int skipColumns(byte[] line, int offset, int limit, int count) {
            int at = offset;
            for (int left = count; left > 0 && at < limit; at++) {
                if (line[at] == '|') {
                    left--;
                }
            }
            return at;
        }
    }
}
