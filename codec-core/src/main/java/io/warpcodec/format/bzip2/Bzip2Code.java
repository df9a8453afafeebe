package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.MAX_ALPHABET;
import static io.warpcodec.format.bzip2.Bzip2Format.MAX_CODE_BITS;

import java.util.Arrays;

/**
 * A prefix code of a block, for decoding. As bzip2 reads it, a code need not be complete, and may have too many
 * words. A word ends at the first length at which the bits so far are not above that length's last word. Only bits
 * that never get there are an error. This class gives the same answers. Reused; not thread-safe.
 */
public final class Bzip2Code {
    /** Bits that {@link #table} is indexed with. */
    public static final int TABLE_BITS = 10;

    /** Bits of an entry that hold the length of its word; the symbol is above them. */
    public static final int LENGTH_BITS = 5;

    public static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    /**
     * An entry for each possible start: {@code symbol << LENGTH_BITS | length}, 0 where the word is longer or there
     * is none.
     */
    private final short[] table = new short[1 << TABLE_BITS];

    /** Last word of each length, -1 or below the words of that length where it has none. */
    private final int[] lastWord = new int[MAX_CODE_BITS + 1];

    /** What to add to a word of each length to get its index in {@link #ordered}. */
    private final int[] shift = new int[MAX_CODE_BITS + 1];

    /** Symbols in order of their words. */
    private final short[] ordered = new short[MAX_ALPHABET];

    private final int[] countOfLength = new int[MAX_CODE_BITS + 1];
    private int minBits;
    private int maxBits;

    /** @param lengths of the first {@code alphabet} symbols, each 1 to 20 */
    public void build(byte[] lengths, int alphabet) {
        Arrays.fill(countOfLength, 0);
        for (int symbol = 0; symbol < alphabet; symbol++) {
            countOfLength[lengths[symbol]]++;
        }
        minBits = 1;
        while (countOfLength[minBits] == 0) {
            minBits++;
        }
        maxBits = MAX_CODE_BITS;
        while (countOfLength[maxBits] == 0) {
            maxBits--;
        }
        int index = 0;
        int word = 0;
        for (int bits = minBits; bits <= maxBits; bits++) {
            shift[bits] = index - word;
            index += countOfLength[bits];
            word += countOfLength[bits];
            lastWord[bits] = word - 1;
            word <<= 1;
        }
        order(lengths, alphabet);
        fillTable();
    }

    private void order(byte[] lengths, int alphabet) {
        int next = 0;
        for (int bits = minBits; bits <= maxBits; bits++) {
            int start = next;
            next += countOfLength[bits];
            countOfLength[bits] = start;
        }
        for (int symbol = 0; symbol < alphabet; symbol++) {
            ordered[countOfLength[lengths[symbol]]++] = (short) symbol;
        }
    }

    private void fillTable() {
        int at = 0;
        for (int bits = minBits; bits <= Math.min(maxBits, TABLE_BITS); bits++) {
            int repeat = 1 << TABLE_BITS - bits;
            for (int word = at >> TABLE_BITS - bits; word <= lastWord[bits] && at < table.length; word++) {
                short entry = (short) (ordered[word + shift[bits]] << LENGTH_BITS | bits);
                Arrays.fill(table, at, at + repeat, entry);
                at += repeat;
            }
        }
        Arrays.fill(table, at, table.length, (short) 0);
    }

    /** Entries by the next {@link #TABLE_BITS} bits: 0 means ask {@link #entry}. Not to be changed. */
    public short[] table() {
        return table;
    }

    /**
     * The entry for the next 20 bits.
     *
     * @return {@code symbol << LENGTH_BITS | length}, or 0 if no word of the code starts so
     */
    public int entry(int next20Bits) {
        for (int bits = minBits; bits <= maxBits; bits++) {
            int word = next20Bits >>> MAX_CODE_BITS - bits;
            if (word <= lastWord[bits]) {
                return ordered[word + shift[bits]] << LENGTH_BITS | bits;
            }
        }
        return 0;
    }
}
