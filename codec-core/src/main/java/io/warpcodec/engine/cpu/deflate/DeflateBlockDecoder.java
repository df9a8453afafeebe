package io.warpcodec.engine.cpu.deflate;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;

/**
 * Decodes DEFLATE blocks one by one, as RFC 1951 lays them out, and refuses what zlib refuses in zlib's words. Fields
 * and their widths have the RFC's names. Not thread-safe.
 */
final class DeflateBlockDecoder {
    static final int BFINAL_BITS = 1;
    static final int BTYPE_BITS = 2;
    /** The values of BTYPE. */
    static final int STORED = 0;

    static final int FIXED = 1;
    static final int DYNAMIC = 2;
    /** LEN, and NLEN, which is its complement. */
    private static final int LEN_BITS = 16;

    /**
     * HLIT is the number of literal/length codes less 257, HDIST that of distance codes less 1, HCLEN that of code
     * length codes less 4.
     */
    static final int HLIT_BITS = 5;

    static final int HDIST_BITS = 5;
    static final int HCLEN_BITS = 4;
    static final int HLIT_BASE = 257;
    static final int HDIST_BASE = 1;
    static final int HCLEN_BASE = 4;
    /** Bits of the length of a code length code, and the symbols that these lengths are of. */
    static final int CODE_LENGTH_BITS = 3;

    private static final int[] CODE_LENGTH_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    /**
     * Code length symbols beyond the lengths themselves: the last length again 3 to 6 times, 3 to 10 zeros, 11 to 138
     * zeros.
     */
    private static final int COPY_LENGTH = 16;

    private static final int FEW_ZEROS = 17;

    private static final int END_OF_BLOCK = 256;
    private static final int MAX_LITERALS = 286;
    private static final int MAX_DISTANCES = 30;
    private static final int[] LENGTH_BASE = {
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258
    };
    private static final int[] LENGTH_EXTRA = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
    };
    private static final int[] DISTANCE_BASE = {
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577
    };
    private static final PrefixCode FIXED_LITERALS = PrefixCode.fixedLiterals();
    private static final PrefixCode FIXED_DISTANCES = PrefixCode.fixedDistances();

    private final BitInput in;
    private final DecodedWindow out;

    DeflateBlockDecoder(BitInput in, DecodedWindow out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Decodes the block that begins here.
     *
     * @return whether it is its stream's last one
     * @throws DataFormatException with what is wrong, about where the input stands
     */
    boolean decode() throws IOException, DataFormatException {
        boolean bfinal = in.take(BFINAL_BITS) != 0;
        int btype = in.take(BTYPE_BITS);
        switch (btype) {
            case STORED -> stored();
            case FIXED -> tokens(FIXED_LITERALS, FIXED_DISTANCES);
            case DYNAMIC -> dynamic();
            default -> throw new DataFormatException("invalid block type");
        }
        return bfinal;
    }

    private void stored() throws IOException, DataFormatException {
        in.toByte();
        int len = in.take(LEN_BITS);
        int nlen = in.take(LEN_BITS);
        if (nlen != (len ^ 0xffff)) {
            throw new DataFormatException("invalid stored block lengths");
        }
        for (int left = len; left > 0; ) {
            out.makeSpace();
            left -= out.put(in, left);
        }
    }

    private void dynamic() throws IOException, DataFormatException {
        int hlit = in.take(HLIT_BITS);
        int hdist = in.take(HDIST_BITS);
        int hclen = in.take(HCLEN_BITS);
        int literalCount = HLIT_BASE + hlit;
        int distanceCount = HDIST_BASE + hdist;
        if (literalCount > MAX_LITERALS || distanceCount > MAX_DISTANCES) {
            throw new DataFormatException("too many length or distance symbols");
        }
        byte[] codeLengthLengths = new byte[CODE_LENGTH_ORDER.length];
        for (int i = 0; i < HCLEN_BASE + hclen; i++) {
            codeLengthLengths[CODE_LENGTH_ORDER[i]] = (byte) in.take(CODE_LENGTH_BITS);
        }
        byte[] lengths =
                lengths(code(codeLengthLengths, false, "invalid code lengths set"), literalCount + distanceCount);
        if (lengths[END_OF_BLOCK] == 0) {
            throw new DataFormatException("invalid code -- missing end-of-block");
        }
        tokens(
                code(Arrays.copyOf(lengths, literalCount), true, "invalid literal/lengths set"),
                code(Arrays.copyOfRange(lengths, literalCount, lengths.length), true, "invalid distances set"));
    }

    /** The lengths of the code words of both codes, literals and lengths first. */
    private byte[] lengths(PrefixCode codeLengths, int count) throws IOException, DataFormatException {
        byte[] lengths = new byte[count];
        for (int i = 0; i < lengths.length; ) {
            int symbol = symbol(in, codeLengths, "invalid code lengths set");
            if (symbol < COPY_LENGTH) {
                lengths[i++] = (byte) symbol;
                continue;
            }
            boolean copies = symbol == COPY_LENGTH;
            int times = copies ? 3 + in.take(2) : symbol == FEW_ZEROS ? 3 + in.take(3) : 11 + in.take(7);
            if (copies && i == 0 || times > lengths.length - i) {
                throw new DataFormatException("invalid bit length repeat");
            }
            Arrays.fill(lengths, i, i + times, copies ? lengths[i - 1] : 0);
            i += times;
        }
        return lengths;
    }

    private static PrefixCode code(byte[] lengths, boolean mayBeSingle, String defect) throws DataFormatException {
        PrefixCode code = PrefixCode.of(lengths, mayBeSingle);
        if (code == null) {
            throw new DataFormatException(defect);
        }
        return code;
    }

    private void tokens(PrefixCode literals, PrefixCode distances) throws IOException, DataFormatException {
        // locals: fields would be read again for each token
        BitInput bits = in;
        DecodedWindow window = out;
        while (true) {
            window.makeSpace();
            int symbol = symbol(bits, literals, "invalid literal/length code");
            if (symbol < END_OF_BLOCK) {
                window.put(symbol);
                continue;
            }
            if (symbol == END_OF_BLOCK) {
                return;
            }
            int step = symbol - END_OF_BLOCK - 1;
            if (step >= LENGTH_BASE.length) {
                throw new DataFormatException("invalid literal/length code");
            }
            int length = LENGTH_BASE[step] + bits.take(LENGTH_EXTRA[step]);
            int distanceSymbol = symbol(bits, distances, "invalid distance code");
            if (distanceSymbol >= MAX_DISTANCES) {
                throw new DataFormatException("invalid distance code");
            }
            int distance =
                    DISTANCE_BASE[distanceSymbol] + bits.take(distanceSymbol < 2 ? 0 : (distanceSymbol >>> 1) - 1);
            if (!window.copy(length, distance)) {
                throw new DataFormatException("invalid distance too far back");
            }
        }
    }

    /** @param defect what is wrong with bits that no word begins with */
    private static int symbol(BitInput bits, PrefixCode code, String defect) throws IOException, DataFormatException {
        // a code word may be shorter than what is asked for, at the end of a file
        bits.has(PrefixCode.MAX_BITS);
        int entry = code.lookUp(bits.peek());
        int length = entry & 15;
        if (length == 0) {
            throw new DataFormatException(defect);
        }
        bits.skip(length);
        return entry >>> 4;
    }
}
