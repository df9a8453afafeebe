package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.engine.gpu.block.BlockResult.Status;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Canonical prefix codes of bytes, plainly: lengths, encoding and decoding. */
final class HuffmanReference {
    static final int LONGEST = 15;
    private static final int SYMBOLS = 256;

    private HuffmanReference() {}

    /** A subtree: its weight and its symbols. */
    private record Tree(long weight, int[] symbols) {}

    /** Lengths by Huffman's algorithm; where one exceeds 15, rare bytes count more until none does. */
    static byte[] lengths(byte[] raw) {
        long[] counts = new long[SYMBOLS];
        for (byte symbol : raw) {
            counts[symbol & 0xff]++;
        }
        for (long least = 1; ; least *= 2) {
            byte[] lengths = new byte[SYMBOLS];
            PriorityQueue<Tree> trees = new PriorityQueue<>(Comparator.comparingLong(Tree::weight));
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                if (counts[symbol] > 0) {
                    trees.add(new Tree(Math.max(least, counts[symbol]), new int[] {symbol}));
                }
            }
            if (trees.size() == 1) {
                lengths[trees.peek().symbols[0]] = 1;
            }
            while (trees.size() > 1) {
                Tree one = trees.remove();
                Tree two = trees.remove();
                int[] symbols = Arrays.copyOf(one.symbols, one.symbols.length + two.symbols.length);
                System.arraycopy(two.symbols, 0, symbols, one.symbols.length, two.symbols.length);
                for (int symbol : symbols) {
                    lengths[symbol]++;
                }
                trees.add(new Tree(one.weight + two.weight, symbols));
            }
            if (Arrays.equals(lengths, clamped(lengths))) {
                return lengths;
            }
        }
    }

    private static byte[] clamped(byte[] lengths) {
        byte[] clamped = lengths.clone();
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            clamped[symbol] = (byte) Math.min(LONGEST, clamped[symbol]);
        }
        return clamped;
    }

    /** First word of each length, and one more. */
    private static int[] firstWords(byte[] lengths) {
        int[] counts = new int[LONGEST + 1];
        for (byte length : lengths) {
            counts[length] += length == 0 ? 0 : 1;
        }
        int[] first = new int[LONGEST + 2];
        for (int length = 1; length <= LONGEST; length++) {
            first[length + 1] = first[length] + counts[length] << 1;
        }
        return first;
    }

    /** Whether the lengths, none over 15, belong to a code, complete or not. */
    static boolean isCode(byte[] lengths) {
        int space = 0;
        for (byte length : lengths) {
            if (length < 0 || length > LONGEST) {
                return false;
            }
            space += length == 0 ? 0 : 1 << LONGEST - length;
        }
        return space > 0 && space <= 1 << LONGEST;
    }

    /**
     * What becomes of bytes that are to be encoded.
     *
     * @param bits of the stream; 0 unless it is sound
     * @param bytes it; none unless it is sound
     */
    record Encoded(Status status, long bits, byte[] bytes) {
        private static Encoded refused(Status status) {
            return new Encoded(status, 0, new byte[0]);
        }
    }

    /** Encodes what has a code, every byte a word, and room enough. No bytes need no code. */
    static Encoded tryEncode(byte[] raw, byte[] lengths, int outputLimitBytes) {
        if (raw.length > 0 && !isCode(lengths)) {
            return Encoded.refused(Status.BAD_HEADER);
        }
        long bits = 0;
        for (byte symbol : raw) {
            if (lengths[symbol & 0xff] == 0) {
                return Encoded.refused(Status.BAD_SYMBOL);
            }
            bits += lengths[symbol & 0xff];
        }
        if ((bits + Byte.SIZE - 1) / Byte.SIZE > outputLimitBytes) {
            return Encoded.refused(Status.OUTPUT_EXCEEDED);
        }
        return new Encoded(Status.SOUND, bits, raw.length == 0 ? raw : encode(raw, lengths));
    }

    static byte[] encode(byte[] raw, byte[] lengths) {
        int[] next = firstWords(lengths);
        int[] words = new int[SYMBOLS];
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            if (lengths[symbol] != 0) {
                words[symbol] = Integer.reverse(next[lengths[symbol]]++) >>> Integer.SIZE - lengths[symbol];
            }
        }
        ByteArrayOutputStream coded = new ByteArrayOutputStream();
        long held = 0;
        int bits = 0;
        for (byte symbol : raw) {
            held |= (long) words[symbol & 0xff] << bits;
            for (bits += lengths[symbol & 0xff]; bits >= Byte.SIZE; bits -= Byte.SIZE, held >>>= Byte.SIZE) {
                coded.write((int) held);
            }
        }
        if (bits > 0) {
            coded.write((int) held);
        }
        return coded.toByteArray();
    }

    /** Bit by bit; nothing if the lengths are no code, bits are no word, or there are too few. */
    static Optional<byte[]> decode(byte[] coded, byte[] lengths, int count) {
        if (!isCode(lengths)) {
            return Optional.empty();
        }
        int[] next = firstWords(lengths);
        int[] symbols = new int[2 << LONGEST]; // by the word with a one in front of it
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            if (lengths[symbol] != 0) {
                symbols[1 << lengths[symbol] | next[lengths[symbol]]++] = symbol + 1;
            }
        }
        byte[] raw = new byte[count];
        long at = 0;
        for (int index = 0; index < count; index++) {
            int word = 1;
            while (symbols[word] == 0) {
                if (word >= 1 << LONGEST || at == 8L * coded.length) {
                    return Optional.empty();
                }
                word = word << 1 | coded[(int) (at >> 3)] >> (at & 7) & 1;
                at++;
            }
            raw[index] = (byte) (symbols[word] - 1);
        }
        return Optional.of(raw);
    }
}
