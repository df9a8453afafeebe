package io.warpcodec.engine.gpu.deflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A plain decoder of DEFLATE, RFC 1951 §3.2, bit by bit. Stricter than the RFC about what an encoder of ours writes:
 * every code is complete, and nothing lies behind the final block but the zeros that fill its last byte.
 */
final class DeflateReferenceDecoder {
    private static final int[] PRECODE_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    private final byte[] input;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private int bitAt;

    private DeflateReferenceDecoder(byte[] input) {
        this.input = input;
    }

    private static final class Defect extends RuntimeException {
        private static final long serialVersionUID = 1;

        Defect(String what) {
            super(what);
        }
    }

    /**
     * A canonical code by its lengths: §3.2.2.
     *
     * @param counts codes of each length
     * @param symbols in the order of their codes
     */
    private record Code(int[] counts, int[] symbols) {
        static Code of(int[] lengths) {
            int[] counts = new int[16];
            int[] symbols = new int[lengths.length];
            int at = 0;
            long used = 0;
            for (int bits = 1; bits <= 15; bits++) {
                for (int symbol = 0; symbol < lengths.length; symbol++) {
                    if (lengths[symbol] == bits) {
                        counts[bits]++;
                        symbols[at++] = symbol;
                        used += 1L << (15 - bits);
                    }
                }
            }
            if (used != 1L << 15) {
                throw new Defect("a code is not complete: " + Arrays.toString(lengths));
            }
            return new Code(counts, symbols);
        }
    }

    /** What a stream decodes to, unless it has a defect. */
    static Optional<byte[]> decode(byte[] stream) {
        DeflateReferenceDecoder decoder = new DeflateReferenceDecoder(stream);
        try {
            return Optional.of(decoder.run());
        } catch (Defect defect) {
            return Optional.empty();
        }
    }

    private byte[] run() {
        boolean last;
        do {
            last = bits(1) == 1;
            switch (bits(2)) {
                case 0 -> stored();
                case 1 -> symbols(fixedLiterals(), Code.of(filled(32, 5)));
                case 2 -> dynamic();
                default -> throw new Defect("block type 3");
            }
        } while (!last);
        while (bitAt % 8 != 0) {
            if (bits(1) != 0) {
                throw new Defect("bits behind the end");
            }
        }
        if (bitAt / 8 != input.length) {
            throw new Defect("bytes behind the end");
        }
        return output.toByteArray();
    }

    private int bits(int count) {
        int value = 0;
        for (int bit = 0; bit < count; bit++, bitAt++) {
            if (bitAt / 8 >= input.length) {
                throw new Defect("end of input");
            }
            value |= (input[bitAt / 8] >> (bitAt % 8) & 1) << bit;
        }
        return value;
    }

    private int symbol(Code code) {
        int bits = 0;
        int first = 0;
        int at = 0;
        for (int length = 1; length <= 15; length++) {
            bits = bits << 1 | bits(1);
            first <<= 1;
            if (bits - first < code.counts[length]) {
                return code.symbols[at + bits - first];
            }
            first += code.counts[length];
            at += code.counts[length];
        }
        throw new Defect("no such code");
    }

    private void stored() {
        bitAt = (bitAt + 7) / 8 * 8;
        int length = bits(16);
        if ((length ^ 0xFFFF) != bits(16)) {
            throw new Defect("LEN and NLEN");
        }
        for (int i = 0; i < length; i++) {
            output.write(bits(8));
        }
    }

    private static int[] filled(int count, int value) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, value);
        return lengths;
    }

    private static Code fixedLiterals() {
        int[] lengths = filled(288, 8);
        Arrays.fill(lengths, 144, 256, 9);
        Arrays.fill(lengths, 256, 280, 7);
        return Code.of(lengths);
    }

    private void dynamic() {
        int literals = bits(5) + 257;
        int distances = bits(5) + 1;
        int precodes = bits(4) + 4;
        int[] precodeLengths = new int[19];
        for (int i = 0; i < precodes; i++) {
            precodeLengths[PRECODE_ORDER[i]] = bits(3);
        }
        Code precode = Code.of(precodeLengths);
        int[] lengths = new int[literals + distances];
        for (int at = 0; at < lengths.length; ) {
            int symbol = symbol(precode);
            int value = symbol == 16 ? lengths[at - 1] : symbol > 16 ? 0 : symbol;
            int count = symbol == 16 ? 3 + bits(2) : symbol == 17 ? 3 + bits(3) : symbol == 18 ? 11 + bits(7) : 1;
            if (count > lengths.length - at) {
                throw new Defect("too many lengths");
            }
            Arrays.fill(lengths, at, at += count, value);
        }
        symbols(
                Code.of(Arrays.copyOf(lengths, literals)),
                Code.of(Arrays.copyOfRange(lengths, literals, lengths.length)));
    }

    /** §3.2.5 */
    private void symbols(Code literals, Code distances) {
        while (true) {
            int symbol = symbol(literals);
            if (symbol < 256) {
                output.write(symbol);
            } else if (symbol == 256) {
                return;
            } else {
                copy(length(symbol), distance(symbol(distances)));
            }
        }
    }

    private int length(int symbol) {
        if (symbol > 285) {
            throw new Defect("symbol " + symbol);
        }
        int above = symbol - 257;
        if (symbol == 285) {
            return 258;
        }
        int extra = above < 8 ? 0 : above / 4 - 1;
        return 3 + (above < 8 ? above : (4 + above % 4 << extra) + bits(extra));
    }

    private int distance(int symbol) {
        if (symbol > 29) {
            throw new Defect("distance symbol " + symbol);
        }
        int extra = symbol < 4 ? 0 : symbol / 2 - 1;
        return 1 + (symbol < 4 ? symbol : (2 + symbol % 2 << extra) + bits(extra));
    }

    private void copy(int length, int distance) {
        byte[] before = output.toByteArray();
        if (distance > before.length) {
            throw new Defect("a match reaches before the stream");
        }
        for (int i = 0; i < length; i++) {
            output.write(before[before.length - distance + i % distance]);
        }
    }
}
