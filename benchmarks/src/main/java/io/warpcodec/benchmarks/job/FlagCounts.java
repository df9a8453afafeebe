package io.warpcodec.benchmarks.job;

import java.util.SortedMap;
import java.util.TreeMap;

/** Lines of TPC-H lineitem by return flag: little work beside reading them. */
public final class FlagCounts {
    private static final int FLAG_FIELD = 8;

    private final long[] counts = new long[1 << Byte.SIZE];

    /** Adds whole lines, each with its end. */
    public void add(byte[] lines, int length) {
        int field = 0;
        for (int at = 0; at < length; at++) {
            if (lines[at] == '\n') {
                field = 0;
            } else if (lines[at] == '|' && ++field == FLAG_FIELD) {
                counts[lines[at + 1] & 0xff]++;
            }
        }
    }

    /** Each flag that occurred, with its count. */
    public SortedMap<String, Long> byFlag() {
        SortedMap<String, Long> found = new TreeMap<>();
        for (int flag = 0; flag < counts.length; flag++) {
            if (counts[flag] > 0) {
                found.put(Character.toString(flag), counts[flag]);
            }
        }
        return found;
    }
}
