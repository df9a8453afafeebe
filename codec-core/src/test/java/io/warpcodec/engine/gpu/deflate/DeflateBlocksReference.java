package io.warpcodec.engine.gpu.deflate;

import java.util.Arrays;

/** Where the blocks of DEFLATE begin, plainly, bit by bit: RFC 1951. */
final class DeflateBlocksReference {
    private static final int[] PRECODE_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    private static final int END_OF_BLOCK = 256;
    private static final int STORED = 0;
    private static final int FIXED = 1;
    private static final int DYNAMIC = 2;

    private final byte[] stream;
    private int at;

    private DeflateBlocksReference(byte[] stream, int at) {
        this.stream = stream;
        this.at = at;
    }

    /** No block stands there. */
    private static final class Defect extends Exception {
        private static final long serialVersionUID = 1;

        Defect() {
            super("no block", null, false, false);
        }
    }

    /** A code: its symbols by length and number, and how many of each length there are. */
    private record Code(int[] symbols, int[] counts) {
        /** Complete, or of one word of one bit at most, unless it has to be complete. */
        static Code of(int[] lengths, boolean mustBeComplete) throws Defect {
            int[] counts = new int[16];
            for (int length : lengths) {
                counts[length]++;
            }
            int coded = lengths.length - counts[0];
            counts[0] = 0;
            int space = 0;
            for (int length = 1; length < counts.length; length++) {
                space += counts[length] << 15 - length;
            }
            boolean trivial = coded == counts[1] && coded <= 1;
            if (space != 1 << 15 && (mustBeComplete || !trivial)) {
                throw new Defect();
            }
            int[] symbols = new int[coded];
            int found = 0;
            for (int length = 1; length < counts.length; length++) {
                for (int symbol = 0; symbol < lengths.length; symbol++) {
                    if (lengths[symbol] == length) {
                        symbols[found++] = symbol;
                    }
                }
            }
            return new Code(symbols, counts);
        }
    }

    private record Codes(Code literals, Code distances) {}

    /** Positions of `[begin, limit)` at which the header of a dynamic block stands whole and sound. */
    static int[] headers(byte[] stream, int begin, int limit) {
        int[] found = new int[limit - begin];
        int count = 0;
        for (int position = begin; position < limit; position++) {
            if (isHeader(stream, position)) {
                found[count++] = position;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Whether the header of a dynamic block stands there whole and sound. */
    static boolean isHeader(byte[] stream, int position) {
        try {
            DeflateBlocksReference reader = new DeflateBlocksReference(stream, position + 1);
            if (reader.bits(2) != DYNAMIC) {
                return false;
            }
            reader.readHeader();
            return true;
        } catch (Defect defect) {
            return false;
        }
    }

    /** Where the dynamic blocks of a sound stream begin. */
    static int[] dynamicBlocks(byte[] stream) {
        int[] found = new int[Byte.SIZE * stream.length];
        int count = 0;
        DeflateBlocksReference reader = new DeflateBlocksReference(stream, 0);
        try {
            boolean last = false;
            while (!last) {
                int begin = reader.at;
                last = reader.bits(1) != 0;
                int type = reader.bits(2);
                if (type == DYNAMIC) {
                    found[count++] = begin;
                }
                reader.skipBlock(type);
            }
        } catch (Defect defect) {
            throw new AssertionError("not a sound stream, at bit " + reader.at, defect);
        }
        return Arrays.copyOf(found, count);
    }

    private int bits(int count) throws Defect {
        int value = 0;
        for (int bit = 0; bit < count; bit++, at++) {
            if (at >>> 3 >= stream.length) {
                throw new Defect();
            }
            value |= (stream[at >>> 3] >> (at & 7) & 1) << bit;
        }
        return value;
    }

    private int symbol(Code code) throws Defect {
        int word = 0;
        int first = 0;
        int place = 0;
        int[] counts = code.counts();
        for (int length = 1; length < counts.length; length++) {
            if (at >>> 3 >= stream.length) {
                throw new Defect();
            }
            word = word << 1 | stream[at >>> 3] >> (at & 7) & 1;
            at++;
            first <<= 1;
            int count = counts[length];
            if (word - first < count) {
                return code.symbols()[place + word - first];
            }
            first += count;
            place += count;
        }
        throw new Defect();
    }

    private Codes readHeader() throws Defect {
        int literalCount = bits(5) + 257;
        int distanceCount = bits(5) + 1;
        int precodeCount = bits(4) + 4;
        if (literalCount > 286 || distanceCount > 30) {
            throw new Defect();
        }
        int[] precodeLengths = new int[PRECODE_ORDER.length];
        for (int index = 0; index < precodeCount; index++) {
            precodeLengths[PRECODE_ORDER[index]] = bits(3);
        }
        Code precode = Code.of(precodeLengths, true);
        int[] lengths = new int[literalCount + distanceCount];
        for (int index = 0; index < lengths.length; ) {
            int symbol = symbol(precode);
            if (symbol < 16) {
                lengths[index++] = symbol;
                continue;
            }
            if (symbol == 16 && index == 0) {
                throw new Defect();
            }
            int value = symbol == 16 ? lengths[index - 1] : 0;
            int times = symbol == 16 ? 3 + bits(2) : symbol == 17 ? 3 + bits(3) : 11 + bits(7);
            if (times > lengths.length - index) {
                throw new Defect();
            }
            Arrays.fill(lengths, index, index + times, value);
            index += times;
        }
        if (lengths[END_OF_BLOCK] == 0) {
            throw new Defect();
        }
        return new Codes(
                Code.of(Arrays.copyOf(lengths, literalCount), false),
                Code.of(Arrays.copyOfRange(lengths, literalCount, lengths.length), false));
    }

    private static Codes fixedCodes() throws Defect {
        int[] literals = new int[288];
        Arrays.fill(literals, 0, 144, 8);
        Arrays.fill(literals, 144, 256, 9);
        Arrays.fill(literals, 256, 280, 7);
        Arrays.fill(literals, 280, 288, 8);
        int[] distances = new int[32];
        Arrays.fill(distances, 5);
        return new Codes(Code.of(literals, false), Code.of(distances, false));
    }

    private void skipBlock(int type) throws Defect {
        if (type == STORED) {
            at = at + 7 & ~7;
            int bytes = bits(16);
            at += 16 + Byte.SIZE * bytes;
            return;
        }
        if (type != FIXED && type != DYNAMIC) {
            throw new Defect();
        }
        Tokens tokens = new Tokens(this, type == FIXED ? fixedCodes() : readHeader());
        while (tokens.next()) {
            // to the end of the block
        }
    }

    /** The tokens of a block that is not stored, one after the other. */
    static final class Tokens {
        private final DeflateBlocksReference reader;
        private final short[] literals;
        private final short[] distances;
        private int literal;
        private int length;
        private int distance;

        private Tokens(DeflateBlocksReference reader, Codes codes) {
            this.reader = reader;
            this.literals = table(codes.literals());
            this.distances = table(codes.distances());
        }

        /** For all that the next 15 bits may be: length of the word and 16 times its symbol, or -1. */
        private static short[] table(Code code) {
            short[] table = new short[1 << 15];
            Arrays.fill(table, (short) -1);
            int word = 0;
            int place = 0;
            for (int length = 1; length < code.counts().length; length++, word <<= 1) {
                for (int n = code.counts()[length]; n > 0; n--, word++, place++) {
                    int reversed = Integer.reverse(word) >>> 32 - length;
                    for (int bits = reversed; bits < table.length; bits += 1 << length) {
                        table[bits] = (short) (code.symbols()[place] << 4 | length);
                    }
                }
            }
            return table;
        }

        private int symbol(short[] table) throws Defect {
            byte[] stream = reader.stream;
            int from = reader.at >>> 3;
            int bits = 0;
            for (int i = 0; i < 3 && from + i < stream.length; i++) {
                bits |= (stream[from + i] & 0xff) << 8 * i;
            }
            int entry = table[bits >> (reader.at & 7) & table.length - 1];
            if (entry < 0 || reader.at + (entry & 15) > Byte.SIZE * stream.length) {
                throw new Defect();
            }
            reader.at += entry & 15;
            return entry >> 4;
        }

        /** Moves on; false behind the end of the block. */
        private boolean next() throws Defect {
            int symbol = symbol(literals);
            literal = symbol;
            length = 1;
            distance = 0;
            if (symbol > END_OF_BLOCK) {
                int step = symbol - 257;
                int extra = step < 8 || symbol == 285 ? 0 : step / 4 - 1;
                int base = symbol == 285 ? 258 : step < 8 ? 3 + step : 3 + (4 + step % 4 << extra);
                length = base + reader.bits(extra);
                int far = symbol(distances);
                int farExtra = far < 2 ? 0 : far / 2 - 1;
                distance = 1 + (far < 2 ? far : 2 + far % 2 << farExtra) + reader.bits(farExtra);
            }
            return symbol != END_OF_BLOCK;
        }

        /** How a step went. */
        enum Step {
            TOKEN,
            END,
            DEFECT
        }

        Step step() {
            int before = reader.at;
            try {
                return next() ? Step.TOKEN : Step.END;
            } catch (Defect defect) {
                reader.at = before;
                return Step.DEFECT;
            }
        }

        void seek(int bit) {
            reader.at = bit;
        }

        int bit() {
            return reader.at;
        }

        int literal() {
            return literal;
        }

        int length() {
            return length;
        }

        /** 0 for a literal. */
        int distance() {
            return distance;
        }
    }

    /** The tokens of the block whose header stands there; null if none does, or its block is stored. */
    static Tokens tokens(byte[] stream, int headerBit) {
        try {
            DeflateBlocksReference reader = new DeflateBlocksReference(stream, headerBit + 1);
            int type = reader.bits(2);
            if (type != FIXED && type != DYNAMIC) {
                return null;
            }
            return new Tokens(reader, type == FIXED ? fixedCodes() : reader.readHeader());
        } catch (Defect defect) {
            return null;
        }
    }
}
