package io.warpcodec.engine.cpu.bzip2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The Burrows-Wheeler transform of a bzip2 block: sorts all rotations of the text and gives the last column. Time is
 * bounded by O(n log^2 n) whatever the text. Reused from block to block; not thread-safe.
 */
final class Bzip2Sorter {
    // Two-stage sorting (Itoh and Tanaka 1999, in the form of divsufsort). A rotation is of type B if it is smaller
    // than the rotation that starts a byte later, else of type A. Equal first bytes hand the type on. Only the B
    // rotations that an A rotation follows, the stars, are sorted; in text they are a third. One pass from the end
    // puts every other B rotation in its place, since it is its successor with a byte in front. One pass from the
    // start does the same for A, and has the last column at hand.
    //
    // Rows are ordered by first byte, A before B. Within B they are ordered by second byte, stars before others,
    // because the successor of a star is an A. So counts of pairs give every star and every B its range.
    //
    // Stars are sorted five bytes at a time: these and the 20 bits of the position make one long, and longs sort
    // fast. Rotations still equal go on five bytes further. That is hopeless where long stretches repeat. So it has a
    // budget, and when that is spent, all rotations are sorted by doubling (Manber and Myers 1990).

    /** Bytes behind the text that the sorter fills with its beginning. */
    static final int PADDING_BYTES = Long.BYTES;

    private static final int KEY_BYTES = 5;
    private static final int POSITION_BITS = 20;
    private static final int POSITION_MASK = (1 << POSITION_BITS) - 1;
    /** Up to this many rotations are compared with each other directly. */
    private static final int FEW = 3;
    /** Keys and words looked at for each byte of the text before doubling starts. */
    private static final int BUDGET_FACTOR = 8;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int[] starCounts = new int[1 << 16];
    private final int[] otherCounts = new int[1 << 16];
    /** A rotations by first byte. */
    private final int[] aCounts = new int[256];
    /** Where the rows of a first byte begin, those of type A first. */
    private final int[] rowStarts = new int[257];

    private final int[] bStarts = new int[256];
    private final int[] nextA = new int[256];
    private int[] rows = new int[0];
    private int[] stars = new int[0];
    private int starCount;
    private int[] ranks = new int[0];
    private long[] keys = new long[256];
    private int[] open = new int[64];
    private int openCount;

    private byte[] text;
    private int length;
    private int budget;

    /**
     * Sorts a text.
     *
     * @param block the text, and {@link #PADDING_BYTES} more behind it
     * @param bytes length of the text, 1 to 2^20 - 1
     * @param column gets the last column
     * @return the row of the text itself
     */
    int transform(byte[] block, int bytes, byte[] column) {
        text = block;
        length = bytes;
        for (int i = 0; i < PADDING_BYTES; i++) {
            text[length + i] = text[i % length];
        }
        if (rows.length < length) {
            rows = new int[length];
            stars = new int[length / 2 + 1];
        }
        int edge = length - 1;
        while (edge >= 0 && text[edge] == text[edge + 1]) {
            edge--;
        }
        if (edge < 0) {
            System.arraycopy(text, 0, column, 0, length);
            return 0;
        }
        findStars(edge);
        layOut();
        budget = BUDGET_FACTOR * length;
        if (!sortStars()) {
            sortByDoubling();
            return columnOfRows(column);
        }
        induceB();
        return induceA(column);
    }

    /**
     * Counts all types by their first two bytes and collects the stars, from an edge between different bytes backwards.
     */
    private void findStars(int edge) {
        Arrays.fill(starCounts, 0);
        Arrays.fill(otherCounts, 0);
        Arrays.fill(aCounts, 0);
        starCount = 0;
        boolean nextIsB = (text[edge] & 0xff) < (text[edge + 1] & 0xff);
        for (int i = edge - 1; i >= 0; i--) {
            nextIsB = classify(i, nextIsB);
        }
        for (int i = length - 1; i >= edge; i--) {
            nextIsB = classify(i, nextIsB);
        }
    }

    private boolean classify(int i, boolean nextIsB) {
        int first = text[i] & 0xff;
        int second = text[i + 1] & 0xff;
        if (first > second || first == second && !nextIsB) {
            aCounts[first]++;
            return false;
        }
        if (nextIsB) {
            otherCounts[first << 8 | second]++;
        } else {
            starCounts[first << 8 | second]++;
            stars[starCount++] = i;
        }
        return true;
    }

    /**
     * Turns counts into places: stars start at {@code starCounts}, other B end at {@code otherCounts}. Puts the stars
     * there.
     */
    private void layOut() {
        int row = 0;
        for (int first = 0; first < 256; first++) {
            rowStarts[first] = row;
            row += aCounts[first];
            bStarts[first] = row;
            for (int pair = first << 8 | first; pair >> 8 == first; pair++) {
                int start = row;
                row += starCounts[pair];
                starCounts[pair] = start;
                row += otherCounts[pair];
                otherCounts[pair] = row;
            }
        }
        rowStarts[256] = row;
        for (int i = 0; i < starCount; i++) {
            int position = stars[i];
            rows[starCounts[(text[position] & 0xff) << 8 | text[position + 1] & 0xff]++] = position;
        }
    }

    /** Returns whether the budget was enough. */
    private boolean sortStars() {
        // stars of a pair end where starCounts now points, and begin where the range before it ends
        for (int first = 0; first < 256; first++) {
            int begin = bStarts[first];
            for (int pair = first << 8 | first; pair >> 8 == first; pair++) {
                int end = starCounts[pair];
                if (end - begin > 1 && !sortRange(begin, end)) {
                    return false;
                }
                begin = otherCounts[pair];
            }
        }
        return true;
    }

    /** Sorts rotations that agree in two bytes. */
    private boolean sortRange(int from, int to) {
        openCount = 0;
        push(from, to, 2);
        while (openCount > 0) {
            int depth = open[--openCount];
            int end = open[--openCount];
            int begin = open[--openCount];
            if (end - begin <= FEW) {
                sortFew(begin, end, depth);
            } else if (depth < length) {
                sortByKeys(begin, end, depth);
            }
            if (budget < 0) {
                return false;
            }
        }
        return true;
    }

    private void push(int begin, int end, int depth) {
        if (openCount + 3 > open.length) {
            open = Arrays.copyOf(open, 2 * open.length);
        }
        open[openCount++] = begin;
        open[openCount++] = end;
        open[openCount++] = depth;
    }

    private void sortFew(int begin, int end, int depth) {
        for (int i = begin + 1; i < end; i++) {
            int position = rows[i];
            int j = i;
            while (j > begin && isLess(position, rows[j - 1], depth)) {
                rows[j] = rows[j - 1];
                j--;
            }
            rows[j] = position;
        }
    }

    private boolean isLess(int left, int right, int depth) {
        int i = left + depth;
        int j = right + depth;
        for (int rest = length - depth; rest > 0; rest -= Long.BYTES) {
            while (i >= length) {
                i -= length;
            }
            while (j >= length) {
                j -= length;
            }
            long a = (long) WORD.get(text, i);
            long b = (long) WORD.get(text, j);
            budget--;
            if (a != b) {
                return Long.compareUnsigned(a, b) < 0;
            }
            i += Long.BYTES;
            j += Long.BYTES;
        }
        return false;
    }

    private void sortByKeys(int begin, int end, int depth) {
        int count = end - begin;
        budget -= count;
        reserveKeys(count);
        for (int k = 0; k < count; k++) {
            int position = rows[begin + k];
            int at = position + depth;
            keys[k] = key(at < length ? at : at - length) | position;
        }
        Arrays.sort(keys, 0, count);
        int runBegin = 0;
        long runKey = keys[0] >>> POSITION_BITS;
        rows[begin] = (int) keys[0] & POSITION_MASK;
        for (int k = 1; k < count; k++) {
            long key = keys[k];
            rows[begin + k] = (int) key & POSITION_MASK;
            if (key >>> POSITION_BITS != runKey) {
                if (k - runBegin > 1) {
                    push(begin + runBegin, begin + k, depth + KEY_BYTES);
                }
                runBegin = k;
                runKey = key >>> POSITION_BITS;
            }
        }
        if (count - runBegin > 1) {
            push(begin + runBegin, end, depth + KEY_BYTES);
        }
    }

    private void reserveKeys(int count) {
        if (keys.length < count) {
            keys = new long[Math.max(count, Math.min(length, 2 * keys.length))];
        }
    }

    /** The bytes at a position, above the place of a position. */
    private long key(int at) {
        return (long) WORD.get(text, at) >>> Long.SIZE - 8 * KEY_BYTES << POSITION_BITS;
    }

    private void induceB() {
        for (int first = 255; first >= 0; first--) {
            for (int row = rowStarts[first + 1] - 1; row >= bStarts[first]; row--) {
                int position = rows[row] == 0 ? length - 1 : rows[row] - 1;
                int value = text[position] & 0xff;
                if (value <= first) {
                    rows[--otherCounts[value << 8 | first]] = position;
                }
            }
        }
    }

    private int induceA(byte[] column) {
        int textRow = 0;
        System.arraycopy(rowStarts, 0, nextA, 0, 256);
        for (int first = 0; first < 256; first++) {
            int endOfA = bStarts[first];
            for (int row = rowStarts[first]; row < rowStarts[first + 1]; row++) {
                int position = rows[row];
                if (position == 0) {
                    textRow = row;
                    position = length;
                }
                position--;
                byte before = text[position];
                int value = before & 0xff;
                column[row] = before;
                if (value > first || value == first && row < endOfA) {
                    rows[nextA[value]++] = position;
                }
            }
        }
        return textRow;
    }

    /**
     * Sorts all rotations: those that agree in so many bytes by the ranks of the rotations so many bytes further on.
     */
    private void sortByDoubling() {
        if (ranks.length < length) {
            ranks = new int[length];
        }
        reserveKeys(length);
        for (int position = 0; position < length; position++) {
            keys[position] = key(position) | position;
        }
        rank(0, length);
        boolean sorted = false;
        for (int step = KEY_BYTES; step < length && !sorted; step *= 2) {
            sorted = true;
            int end;
            for (int begin = 0; begin < length; begin = end) {
                end = begin + 1;
                while (end < length && ranks[rows[end]] == begin) {
                    end++;
                }
                if (end - begin > 1) {
                    sorted = false;
                    for (int row = begin; row < end; row++) {
                        int position = rows[row];
                        int further = position + step;
                        long rank = ranks[further < length ? further : further - length];
                        keys[row - begin] = rank << POSITION_BITS | position;
                    }
                    rank(begin, end - begin);
                }
            }
        }
    }

    /**
     * Sorts the first keys into the rows from {@code begin} on; equal ones get the same rank, that of the first of
     * them.
     */
    private void rank(int begin, int count) {
        Arrays.sort(keys, 0, count);
        int rank = begin;
        for (int k = 0; k < count; k++) {
            if (k > 0 && keys[k] >>> POSITION_BITS != keys[k - 1] >>> POSITION_BITS) {
                rank = begin + k;
            }
            int position = (int) keys[k] & POSITION_MASK;
            rows[begin + k] = position;
            ranks[position] = rank;
        }
    }

    private int columnOfRows(byte[] column) {
        int textRow = 0;
        for (int row = 0; row < length; row++) {
            int position = rows[row];
            if (position == 0) {
                textRow = row;
                position = length;
            }
            column[row] = text[position - 1];
        }
        return textRow;
    }
}
