package io.warpcodec.engine.cpu.deflate;

import java.util.Arrays;

/**
 * A prefix code of DEFLATE (RFC 1951 §3.2.2), to be looked up by the next bits of a stream, the first of them lowest.
 * Immutable.
 */
final class PrefixCode {
    /** The longest code word. */
    static final int MAX_BITS = 15;

    /** Words of up to so many bits are found at once. */
    private static final int DIRECT_BITS = 10;

    /** By the next {@link #DIRECT_BITS} bits: symbol and length of the word, or 0 if it is longer or there is none. */
    private final short[] direct;
    /** Symbols in the order of their words. */
    private final short[] symbols;
    /** Words by length. */
    private final int[] counts;

    private PrefixCode(short[] direct, short[] symbols, int[] counts) {
        this.direct = direct;
        this.symbols = symbols;
        this.counts = counts;
    }

    /**
     * The code of these lengths, 0 for symbols without a word.
     *
     * @param mayBeSingle whether the only word may be one of one bit, or there may be none
     * @return null if words are missing or too many
     */
    static PrefixCode of(byte[] lengths, boolean mayBeSingle) {
        int[] counts = new int[MAX_BITS + 1];
        for (byte length : lengths) {
            counts[length]++;
        }
        int coded = lengths.length - counts[0];
        counts[0] = 0;
        int space = 0;
        for (int length = 1; length <= MAX_BITS; length++) {
            space += counts[length] << MAX_BITS - length;
        }
        boolean single = coded <= 1 && counts[1] == coded;
        if (space != 1 << MAX_BITS && !(mayBeSingle && single)) {
            return null;
        }
        int[] place = new int[MAX_BITS + 1];
        int[] word = new int[MAX_BITS + 1];
        for (int length = 1; length <= MAX_BITS; length++) {
            place[length] = place[length - 1] + counts[length - 1];
            word[length] = word[length - 1] + counts[length - 1] << 1;
        }
        short[] symbols = new short[coded];
        short[] direct = new short[1 << DIRECT_BITS];
        for (int symbol = 0; symbol < lengths.length; symbol++) {
            int length = lengths[symbol];
            if (length == 0) {
                continue;
            }
            symbols[place[length]++] = (short) symbol;
            int bits = Integer.reverse(word[length]++) >>> 32 - length;
            if (length <= DIRECT_BITS) {
                for (int at = bits; at < direct.length; at += 1 << length) {
                    direct[at] = (short) (symbol << 4 | length);
                }
            }
        }
        return new PrefixCode(direct, symbols, counts);
    }

    static PrefixCode fixedLiterals() {
        byte[] lengths = new byte[288];
        Arrays.fill(lengths, 0, 144, (byte) 8);
        Arrays.fill(lengths, 144, 256, (byte) 9);
        Arrays.fill(lengths, 256, 280, (byte) 7);
        Arrays.fill(lengths, 280, 288, (byte) 8);
        return of(lengths, false);
    }

    static PrefixCode fixedDistances() {
        byte[] lengths = new byte[32];
        Arrays.fill(lengths, (byte) 5);
        return of(lengths, false);
    }

    /**
     * The word that the bits begin with.
     *
     * @param bits at least {@link #MAX_BITS} of the stream, or all that are left and zeros
     * @return symbol times 16, and the word's length; 0 if no word begins so
     */
    int lookUp(int bits) {
        int found = direct[bits & (1 << DIRECT_BITS) - 1];
        return found != 0 ? found : lookUpLong(bits);
    }

    private int lookUpLong(int bits) {
        int word = 0;
        int first = 0;
        int place = 0;
        for (int length = 1; length <= MAX_BITS; length++) {
            word = word << 1 | bits >>> length - 1 & 1;
            first <<= 1;
            if (word - first < counts[length]) {
                return symbols[place + word - first] << 4 | length;
            }
            first += counts[length];
            place += counts[length];
        }
        return 0;
    }
}
