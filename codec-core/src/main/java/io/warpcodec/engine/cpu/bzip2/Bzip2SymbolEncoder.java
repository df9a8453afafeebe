package io.warpcodec.engine.cpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.format.bzip2.Bzip2BitWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Second half of encoding a bzip2 block: move-to-front, run digits, up to six prefix codes that are chosen for each 50
 * symbols. Reused from block to block; not thread-safe.
 */
final class Bzip2SymbolEncoder {
    // The codes are found as bzip2 finds them. First the alphabet is divided among them by frequency. Then, ROUNDS
    // times, each group of symbols takes the code that costs it least. In each round, each code is made anew for the
    // groups that took it. The costs of a symbol under all six codes stand side by side in one long. A group's sum
    // stays below the ten bits of each.

    private static final int ROUNDS = 4;
    private static final int MAX_WRITTEN_CODE_BITS = 17;
    private static final int COST_BITS = 10;
    private static final int COST_MASK = (1 << COST_BITS) - 1;
    /** Cost of a symbol outside a code's first share. */
    private static final int DEAR = 15;

    /** Symbols below which one code less is worth its table, from two codes on. */
    private static final int[] FEWER_CODES_BELOW = {200, 600, 1200, 2400};

    /** Fields before the selectors, and 6 x 258 code lengths that differ by at most 16 steps of two bits. */
    private static final int MAX_TABLES_BITS = 512 + MAX_GROUPS * (5 + MAX_ALPHABET * (2 * MAX_WRITTEN_CODE_BITS + 1));

    private final boolean[] used = new boolean[256];
    private final byte[] recent = new byte[256];
    private final int[] counts = new int[MAX_ALPHABET];
    private final byte[] selectors = new byte[MAX_SELECTORS];
    private final int[][] groupCounts = new int[MAX_GROUPS][MAX_ALPHABET];
    private final byte[][] lengths = new byte[MAX_GROUPS][MAX_ALPHABET];
    private final int[][] words = new int[MAX_GROUPS][MAX_ALPHABET];
    private final long[] costs = new long[MAX_ALPHABET];
    private final Bzip2CodeLengths codeLengths = new Bzip2CodeLengths(MAX_ALPHABET, MAX_WRITTEN_CODE_BITS);
    private short[] symbols = new short[0];
    private int symbolCount;
    private int alphabet;
    private int codeCount;
    private int selectorCount;

    /**
     * Makes the symbols and codes of a block.
     *
     * @param column the last column of the sorted rotations
     * @return bytes that {@link #write} needs at most
     */
    int prepare(byte[] column, int length) {
        if (symbols.length <= length) {
            symbols = new short[length + 1];
        }
        moveToFront(column, length);
        codeCount = MIN_GROUPS;
        for (int limit : FEWER_CODES_BELOW) {
            codeCount += symbolCount < limit ? 0 : 1;
        }
        divide();
        for (int round = 0; round < ROUNDS; round++) {
            select();
        }
        long bits = MAX_TABLES_BITS + (long) selectorCount * MAX_GROUPS;
        for (int code = 0; code < codeCount; code++) {
            assignWords(code);
            for (int symbol = 0; symbol < alphabet; symbol++) {
                bits += (long) groupCounts[code][symbol] * lengths[code][symbol];
            }
        }
        return (int) (bits + 7 >>> 3);
    }

    private void moveToFront(byte[] column, int length) {
        Arrays.fill(used, false);
        for (int i = 0; i < length; i++) {
            used[column[i] & 0xff] = true;
        }
        int inUse = 0;
        for (int value = 0; value < 256; value++) {
            if (used[value]) {
                recent[inUse] = (byte) value;
                inUse++;
            }
        }
        alphabet = inUse + 2;
        Arrays.fill(counts, 0);
        byte[] list = recent;
        int n = 0;
        int run = 0;
        for (int i = 0; i < length; i++) {
            byte value = column[i];
            byte front = list[0];
            if (value == front) {
                run++;
                continue;
            }
            if (run > 0) {
                n = writeRun(run, n);
                run = 0;
            }
            int rank = 0;
            do {
                byte next = list[++rank];
                list[rank] = front;
                front = next;
            } while (front != value);
            list[0] = value;
            counts[rank + 1]++;
            symbols[n++] = (short) (rank + 1);
        }
        n = writeRun(run, n);
        counts[alphabet - 1]++;
        symbols[n++] = (short) (alphabet - 1);
        symbolCount = n;
    }

    /** Writes a number in digits 1 and 2 of weights 1, 2, 4... */
    private int writeRun(int run, int at) {
        int n = at;
        for (int rest = run; rest > 0; rest = rest - 1 >> 1) {
            int digit = (rest & 1) == 1 ? RUN_A : RUN_B;
            counts[digit]++;
            symbols[n++] = (short) digit;
        }
        return n;
    }

    /**
     * First codes: each makes a share of the alphabet cheap that holds about as many symbols of the block as the
     * others.
     */
    private void divide() {
        Arrays.fill(costs, 0);
        int left = symbolCount;
        int symbol = 0;
        for (int code = 0; code < codeCount; code++) {
            int share = left / (codeCount - code);
            int begin = symbol;
            int held = 0;
            while (symbol < alphabet && (held < share || code == codeCount - 1)) {
                held += counts[symbol++];
            }
            // bzip2 takes one symbol back from every second share, where it can: without that, text is up to 1 % larger
            if (code % 2 == 1 && code != codeCount - 1 && symbol > begin + 1) {
                held -= counts[--symbol];
            }
            left -= held;
            for (int other = 0; other < alphabet; other++) {
                costs[other] |= (long) (other >= begin && other < symbol ? 0 : DEAR) << COST_BITS * code;
            }
        }
    }

    /** Each group takes its cheapest code; then the codes are made for what took them. */
    private void select() {
        for (int code = 0; code < codeCount; code++) {
            Arrays.fill(groupCounts[code], 0, alphabet, 0);
        }
        selectorCount = 0;
        for (int begin = 0; begin < symbolCount; begin += GROUP_SYMBOLS) {
            int end = Math.min(symbolCount, begin + GROUP_SYMBOLS);
            long sum = 0;
            for (int i = begin; i < end; i++) {
                sum += costs[symbols[i]];
            }
            int best = 0;
            int bestCost = Integer.MAX_VALUE;
            for (int code = 0; code < codeCount; code++) {
                int cost = (int) (sum >>> COST_BITS * code) & COST_MASK;
                if (cost < bestCost) {
                    bestCost = cost;
                    best = code;
                }
            }
            selectors[selectorCount++] = (byte) best;
            int[] taken = groupCounts[best];
            for (int i = begin; i < end; i++) {
                taken[symbols[i]]++;
            }
        }
        Arrays.fill(costs, 0, alphabet, 0);
        for (int code = 0; code < codeCount; code++) {
            codeLengths.make(groupCounts[code], alphabet, lengths[code]);
            for (int symbol = 0; symbol < alphabet; symbol++) {
                costs[symbol] |= (long) lengths[code][symbol] << COST_BITS * code;
            }
        }
    }

    private void assignWords(int code) {
        int word = 0;
        for (int bits = 1; bits <= MAX_WRITTEN_CODE_BITS; bits++) {
            for (int symbol = 0; symbol < alphabet; symbol++) {
                if (lengths[code][symbol] == bits) {
                    words[code][symbol] = word++;
                }
            }
            word <<= 1;
        }
    }

    /** Writes the block that was prepared. */
    void write(int crc, int origPtr, Bzip2BitWriter bits, ByteBuffer target) {
        bits.put(BLOCK_MAGIC, MAGIC_BITS, target);
        bits.put(crc, CRC_BITS, target);
        bits.put(0, 1, target);
        bits.put(origPtr, 24, target);
        writeMap(bits, target);
        bits.put(codeCount, 3, target);
        bits.put(selectorCount, 15, target);
        writeSelectors(bits, target);
        for (int code = 0; code < codeCount; code++) {
            writeLengths(lengths[code], bits, target);
        }
        int at = 0;
        for (int group = 0; group < selectorCount; group++) {
            byte[] codeBits = lengths[selectors[group]];
            int[] codeWords = words[selectors[group]];
            int end = Math.min(symbolCount, at + GROUP_SYMBOLS);
            for (; at < end; at++) {
                int symbol = symbols[at];
                bits.put(codeWords[symbol], codeBits[symbol], target);
            }
        }
    }

    private void writeMap(Bzip2BitWriter bits, ByteBuffer target) {
        int rows = 0;
        for (int value = 0; value < 256; value++) {
            rows |= used[value] ? 0x8000 >> (value >> 4) : 0;
        }
        bits.put(rows, 16, target);
        for (int row = 0; row < 16; row++) {
            if ((rows << row & 0x8000) != 0) {
                int inRow = 0;
                for (int low = 0; low < 16; low++) {
                    inRow |= used[row << 4 | low] ? 0x8000 >> low : 0;
                }
                bits.put(inRow, 16, target);
            }
        }
    }

    private void writeSelectors(Bzip2BitWriter bits, ByteBuffer target) {
        byte[] order = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < selectorCount; i++) {
            int rank = 0;
            while (order[rank] != selectors[i]) {
                rank++;
            }
            System.arraycopy(order, 0, order, 1, rank);
            order[0] = selectors[i];
            bits.put(-2, rank + 1, target);
        }
    }

    private void writeLengths(byte[] code, Bzip2BitWriter bits, ByteBuffer target) {
        int now = code[0];
        bits.put(now, 5, target);
        for (int symbol = 0; symbol < alphabet; symbol++) {
            for (; now < code[symbol]; now++) {
                bits.put(0b10, 2, target);
            }
            for (; now > code[symbol]; now--) {
                bits.put(0b11, 2, target);
            }
            bits.put(0, 1, target);
        }
    }
}
