package io.warpcodec.engine.cpu.bzip2;

import java.util.Arrays;

/**
 * Makes the word lengths of a prefix code from frequencies: Huffman's, flattened until none is too long. Not
 * thread-safe.
 */
final class Bzip2CodeLengths {
    private static final int SYMBOL_BITS = 9;
    private static final int SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;

    private final int maxBits;
    private final long[] leaves;
    private final long[] weights;
    private final int[] parents;
    private final int[] depths;

    /**
     * @param mostSymbols at most 2^9
     * @param maxBits longest word
     */
    Bzip2CodeLengths(int mostSymbols, int maxBits) {
        this.maxBits = maxBits;
        leaves = new long[mostSymbols];
        weights = new long[2 * mostSymbols];
        parents = new int[2 * mostSymbols];
        depths = new int[2 * mostSymbols];
    }

    /** Makes the lengths. Every symbol gets a word, also a symbol that does not occur. */
    void make(int[] counts, int alphabet, byte[] lengths) {
        for (int symbol = 0; symbol < alphabet; symbol++) {
            leaves[symbol] = (long) Math.max(1, counts[symbol]) << SYMBOL_BITS | symbol;
        }
        while (!tryMake(alphabet, lengths)) {
            for (int i = 0; i < alphabet; i++) {
                long flatter = 1 + (leaves[i] >> SYMBOL_BITS + 1);
                leaves[i] = flatter << SYMBOL_BITS | leaves[i] & SYMBOL_MASK;
            }
        }
    }

    private boolean tryMake(int alphabet, byte[] lengths) {
        Arrays.sort(leaves, 0, alphabet);
        for (int i = 0; i < alphabet; i++) {
            weights[i] = leaves[i] >> SYMBOL_BITS;
        }
        // leaves are sorted, and inner nodes come into being in order of weight: the lightest two are at the two fronts
        int root = 2 * alphabet - 2;
        int leaf = 0;
        int inner = alphabet;
        for (int node = alphabet; node <= root; node++) {
            long weight = 0;
            for (int child = 0; child < 2; child++) {
                boolean takeLeaf = leaf < alphabet && (inner == node || weights[leaf] <= weights[inner]);
                int taken = takeLeaf ? leaf++ : inner++;
                parents[taken] = node;
                weight += weights[taken];
            }
            weights[node] = weight;
        }
        depths[root] = 0;
        for (int node = root - 1; node >= 0; node--) {
            depths[node] = depths[parents[node]] + 1;
        }
        for (int i = 0; i < alphabet; i++) {
            if (depths[i] > maxBits) {
                return false;
            }
            lengths[(int) leaves[i] & SYMBOL_MASK] = (byte) depths[i];
        }
        return true;
    }
}
