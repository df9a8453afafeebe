package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;

/**
 * The part of a block before its symbols, parsed and checked by the rules of bzip2 1.0.8. Reading can stop where the
 * bits end and go on later. So a block that arrives byte by byte costs no more than a block that is there. Reused
 * from block to block; not thread-safe.
 */
public final class Bzip2BlockHeader {
    // Each phase is read in steps. A step that ran out of bits changes nothing and is taken again from its first bit;
    // so errors are judged only after the overrun is.

    /** What the next step reads. */
    private enum Phase {
        FIXED,
        SELECTORS,
        CODE_START,
        CODE_LENGTHS,
        COMPLETE
    }

    /** How far the reading has come. */
    private static final class Progress {
        Phase phase;
        /** Bit of the next step. */
        int bit;

        int selector;
        int group;
        int symbol;
        int codeLength;
    }

    private final byte[] symbols = new byte[256];
    private final byte[] selectors = new byte[MAX_SELECTORS];
    private final byte[] selectorOrder = new byte[MAX_GROUPS];
    private final byte[][] codeLengths = new byte[MAX_GROUPS][MAX_ALPHABET];

    private final Progress at = new Progress();
    private int level;
    private long offset;

    private int crc;
    private boolean randomised;
    private int origPtr;
    private int symbolCount;
    private int groups;
    private int declaredSelectors;

    /**
     * Starts with a block.
     *
     * @param bit where its BLOCK_MAGIC starts
     * @param offset absolute offset of that bit's byte, for messages
     */
    public void start(int bit, int level, long offset) {
        at.bit = bit;
        this.level = level;
        this.offset = offset;
        at.phase = Phase.FIXED;
    }

    /**
     * Reads on.
     *
     * @return whether the header is complete; the reader then stands at the first symbol
     * @throws CorruptDataException if bzip2 would refuse it
     */
    public boolean read(Bzip2BitReader in) throws CorruptDataException {
        in.seek(at.bit);
        while (at.phase != Phase.COMPLETE) {
            boolean taken = switch (at.phase) {
                case FIXED -> readFixed(in);
                case SELECTORS -> readSelectors(in);
                case CODE_START -> readCodeStart(in);
                default -> readCodeLengths(in);
            };
            if (!taken) {
                return false;
            }
        }
        return true;
    }

    /** How far the reading has come. */
    int reachedBit() {
        return at.bit;
    }

    CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.BZIP2, offset, "in the block that starts here, " + reason);
    }

    private boolean readFixed(Bzip2BitReader in) throws CorruptDataException {
        long magic = in.peek(MAGIC_BITS);
        in.seek(in.position() + MAGIC_BITS);
        crc = in.take(CRC_BITS);
        randomised = in.take(1) == 1;
        origPtr = in.take(24);
        int used16 = in.take(16);
        int count = 0;
        for (int high = 0; high < 16; high++) {
            if ((used16 << high & 0x8000) != 0) {
                int used = in.take(16);
                for (int low = 0; low < 16; low++) {
                    if ((used << low & 0x8000) != 0) {
                        symbols[count++] = (byte) (high << 4 | low);
                    }
                }
            }
        }
        groups = in.take(3);
        declaredSelectors = in.take(15);
        if (in.overrun()) {
            return false;
        }
        if (magic != BLOCK_MAGIC) {
            throw corrupt("the magic is not that of a block");
        }
        if (origPtr >= maxBlockBytes(level)) {
            throw corrupt("the row of the original text is " + origPtr);
        }
        if (count == 0) {
            throw corrupt("no symbol is in use");
        }
        if (groups < MIN_GROUPS || groups > MAX_GROUPS) {
            throw corrupt("the number of prefix codes is " + groups);
        }
        if (declaredSelectors == 0) {
            throw corrupt("there are no selectors");
        }
        symbolCount = count;
        for (int group = 0; group < groups; group++) {
            selectorOrder[group] = (byte) group;
        }
        at.selector = 0;
        at.group = 0;
        enter(Phase.SELECTORS, in);
        return true;
    }

    private boolean readSelectors(Bzip2BitReader in) throws CorruptDataException {
        readManySelectors(in);
        while (at.selector < declaredSelectors) {
            // at most six ones, then a zero
            int rank = Integer.numberOfLeadingZeros(~((int) in.peek(MAX_GROUPS) << 32 - MAX_GROUPS));
            in.seek(in.position() + Math.min(rank, groups - 1) + 1);
            if (in.overrun()) {
                return false;
            }
            if (rank >= groups) {
                throw corrupt("selector " + at.selector + " is out of range");
            }
            if (at.selector < MAX_SELECTORS) {
                byte group = selectorOrder[rank];
                System.arraycopy(selectorOrder, 0, selectorOrder, 1, rank);
                selectorOrder[0] = group;
                selectors[at.selector] = group;
            }
            at.selector++;
            at.bit = in.position();
        }
        enter(Phase.CODE_START, in);
        return true;
    }

    /**
     * Reads selectors as long as they are legal and the bits do not end, many from one word: a block has up to 18,002
     * of them. The rest is for the plain reading.
     */
    private void readManySelectors(Bzip2BitReader in) {
        int limit = Math.min(declaredSelectors, MAX_SELECTORS);
        // The codes by rank, four bits each, the lowest first.
        int order = 0;
        for (int rank = 0; rank < groups; rank++) {
            order |= selectorOrder[rank] << 4 * rank;
        }
        boolean legal = true;
        while (legal && at.selector < limit && in.hasMany()) {
            long bits = in.peekMany();
            int taken = 0;
            while (taken <= Bzip2BitReader.MANY_BITS - MAX_GROUPS && at.selector < limit) {
                int rank = Long.numberOfLeadingZeros(~bits);
                if (rank >= groups) {
                    legal = false;
                    break;
                }
                int shift = 4 * rank;
                int code = order >>> shift & 15;
                int inFront = order & (1 << shift) - 1;
                order = order & -(16 << shift) | inFront << 4 | code;
                selectors[at.selector++] = (byte) code;
                bits <<= rank + 1;
                taken += rank + 1;
            }
            in.seek(in.position() + taken);
        }
        for (int rank = 0; rank < groups; rank++) {
            selectorOrder[rank] = (byte) (order >>> 4 * rank & 15);
        }
        at.bit = in.position();
    }

    private boolean readCodeStart(Bzip2BitReader in) {
        if (at.group == groups) {
            enter(Phase.COMPLETE, in);
            return true;
        }
        int start = in.take(5);
        if (in.overrun()) {
            return false;
        }
        at.codeLength = start;
        at.symbol = 0;
        enter(Phase.CODE_LENGTHS, in);
        return true;
    }

    private boolean readCodeLengths(Bzip2BitReader in) throws CorruptDataException {
        byte[] lengths = codeLengths[at.group];
        readManyCodeLengths(in, lengths);
        while (at.symbol < alphabet()) {
            if (at.codeLength < 1 || at.codeLength > MAX_CODE_BITS) {
                throw corrupt("a code length is " + at.codeLength);
            }
            // 0 ends, 10 is one longer, 11 is one shorter
            int step = (int) in.peek(2);
            in.seek(in.position() + (step < 2 ? 1 : 2));
            if (in.overrun()) {
                return false;
            }
            if (step < 2) {
                lengths[at.symbol++] = (byte) at.codeLength;
            } else {
                at.codeLength += step == 2 ? 1 : -1;
            }
            at.bit = in.position();
        }
        at.group++;
        enter(Phase.CODE_START, in);
        return true;
    }

    /**
     * Reads lengths of a code as long as they are legal and the bits do not end, many from one word. The rest is for
     * the plain reading.
     */
    private void readManyCodeLengths(Bzip2BitReader in, byte[] lengths) {
        int limit = alphabet();
        int length = at.codeLength;
        boolean legal = true;
        while (legal && at.symbol < limit && in.hasMany()) {
            long bits = in.peekMany();
            int taken = 0;
            while (taken <= Bzip2BitReader.MANY_BITS - 2 && at.symbol < limit) {
                if (length < 1 || length > MAX_CODE_BITS) {
                    legal = false;
                    break;
                }
                if (bits >= 0) {
                    lengths[at.symbol++] = (byte) length;
                    bits <<= 1;
                    taken++;
                } else {
                    length += bits << 1 >= 0 ? 1 : -1;
                    bits <<= 2;
                    taken += 2;
                }
            }
            in.seek(in.position() + taken);
        }
        at.codeLength = length;
        at.bit = in.position();
    }

    private void enter(Phase next, Bzip2BitReader in) {
        at.phase = next;
        at.bit = in.position();
    }

    /** CRC of the raw bytes. */
    public int crc() {
        return crc;
    }

    /** Whether single bits were flipped before sorting. */
    public boolean randomised() {
        return randomised;
    }

    /**
     * Row of the original text in the sorted matrix; below the largest block, but not checked against this block's
     * size.
     */
    public int origPtr() {
        return origPtr;
    }

    /** The bytes that occur, ascending, in the first {@link #symbolCount} elements. Not to be changed. */
    public byte[] symbols() {
        return symbols;
    }

    /** How many different bytes occur, 1 to 256. */
    public int symbolCount() {
        return symbolCount;
    }

    /** Number of symbols of the prefix codes; the last one ends the block. */
    public int alphabet() {
        return symbolCount + 2;
    }

    /** Number of prefix codes. */
    public int groups() {
        return groups;
    }

    /** Code lengths of one prefix code, in the first {@link #alphabet} elements. Not to be changed. */
    public byte[] codeLengths(int group) {
        return codeLengths[group];
    }

    /** Which code each group of symbols uses, in the first {@link #selectorCount} elements. Not to be changed. */
    public byte[] selectors() {
        return selectors;
    }

    /** Selectors that count. */
    public int selectorCount() {
        return Math.min(declaredSelectors, MAX_SELECTORS);
    }
}
