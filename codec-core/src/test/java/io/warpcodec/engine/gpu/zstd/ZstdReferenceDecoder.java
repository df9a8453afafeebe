package io.warpcodec.engine.gpu.zstd;

import java.util.Arrays;

/**
 * Decodes the blocks of one zstd frame, plainly: a bit, a symbol, a byte at a time. The state between two blocks is in
 * reach. Not thread-safe.
 */
final class ZstdReferenceDecoder {
    /** Offsets that a sequence may repeat, the last one first. */
    int[] repeated = {1, 4, 8};
    /** The last code of literals; null before there is one. */
    ZstdTree tree;
    /** The last table of each kind; null before there is one. */
    final ZstdFse[] tables = new ZstdFse[3];
    /** Where the sections of the last compressed block were, from its first byte, and what was in them. */
    int literalsAt;

    int literalsEnd;
    int literalCount;
    int tablesAt;
    int sequenceCount;

    /** All that was decoded. */
    byte[] content = new byte[1 << 16];

    int contentBytes;

    private static final int MOST_CONTENT_BYTES = 64 << 20;

    static final int LITERALS = 0;
    static final int OFFSETS = 1;
    static final int MATCHES = 2;
    static final int[][] PREDEFINED = {
        {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1
        },
        {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1},
        {
            1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1
        }
    };
    static final int[] PREDEFINED_LOG = {6, 5, 6};
    static final int[] MOST_LOG = {9, 8, 9};
    static final int[] MOST_SYMBOL = {35, 31, 52};
    private static final int[] LITERAL_BASE = new int[36];
    private static final int[] LITERAL_BITS = new int[36];
    private static final int[] MATCH_BASE = new int[53];
    private static final int[] MATCH_BITS = new int[53];

    static {
        int[] more = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        int base = 0;
        for (int i = 0; i < 36; i++) {
            LITERAL_BASE[i] = base;
            LITERAL_BITS[i] = i < 16 ? 0 : more[i - 16];
            base += 1 << LITERAL_BITS[i];
        }
        int[] moreOfMatches = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        base = 3;
        for (int i = 0; i < 53; i++) {
            MATCH_BASE[i] = base;
            MATCH_BITS[i] = i < 32 ? 0 : moreOfMatches[i - 32];
            base += 1 << MATCH_BITS[i];
        }
    }

    void put(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, content, contentBytes, count);
        contentBytes += count;
    }

    private void room(int count) {
        if (contentBytes + count > content.length) {
            content = Arrays.copyOf(content, Math.max(2 * content.length, contentBytes + count));
        }
    }

    private void copy(long offset, int count) throws ZstdDefect {
        ZstdDefect.unless(offset > 0 && offset <= contentBytes, "an offset before the frame");
        ZstdDefect.unless(contentBytes + count <= MOST_CONTENT_BYTES, "more than a test decodes");
        room(count);
        for (int i = 0; i < count; i++) {
            content[contentBytes] = content[contentBytes - (int) offset];
            contentBytes++;
        }
    }

    /** Decodes a compressed block's content. */
    void block(byte[] in, int from, int to) throws ZstdDefect {
        ZstdDefect.unless(to - from >= 2, "a block of less than two bytes");
        int first = in[from] & 0xff;
        int type = first & 3;
        int sizeFormat = first >> 2 & 3;
        int at;
        byte[] literals;
        if (type < 2) {
            int headerBytes = sizeFormat == 1 ? 2 : sizeFormat == 3 ? 3 : 1;
            ZstdDefect.unless(from + headerBytes <= to, "literals cut off");
            int size = ZstdBits.forward(
                    in, 8 * from + (headerBytes == 1 ? 3 : 4), headerBytes == 1 ? 5 : headerBytes == 2 ? 12 : 20, to);
            at = from + headerBytes;
            literalsAt = headerBytes;
            ZstdDefect.unless(at + (type == 0 ? size : 1) <= to, "literals cut off");
            literals = type == 0 ? Arrays.copyOfRange(in, at, at + size) : new byte[size];
            if (type == 1) {
                Arrays.fill(literals, in[at]);
            }
            at += type == 0 ? size : 1;
        } else {
            int width = sizeFormat < 2 ? 10 : sizeFormat == 2 ? 14 : 18;
            int headerBytes = sizeFormat < 2 ? 3 : sizeFormat + 2;
            ZstdDefect.unless(from + headerBytes <= to, "literals cut off");
            int size = ZstdBits.forward(in, 8 * from + 4, width, to);
            int bytes = ZstdBits.forward(in, 8 * from + 4 + width, width, to);
            at = from + headerBytes;
            literalsAt = headerBytes;
            int end = at + bytes;
            ZstdDefect.unless(end <= to, "literals cut off");
            if (type == 2) {
                tree = ZstdTree.read(in, at, end);
                at += tree.description().length;
            }
            ZstdDefect.unless(tree != null, "literals without a tree before them");
            literals = new byte[size];
            if (sizeFormat == 0) {
                stream(in, at, end, literals, 0, size);
            } else {
                ZstdDefect.unless(at + 6 <= end, "no table of streams");
                int part = (size + 3) / 4;
                int begin = at + 6;
                for (int i = 0; i < 4; i++) {
                    int limit = i == 3 ? end : begin + ZstdBits.forward(in, 8 * (at + 2 * i), 16, to);
                    ZstdDefect.unless(limit <= end, "a stream behind its literals");
                    stream(
                            in,
                            begin,
                            limit,
                            literals,
                            Math.min(size, i * part),
                            i == 3 ? size : Math.min(size, (i + 1) * part));
                    begin = limit;
                }
            }
            at = end;
        }
        literalsEnd = at - from;
        literalCount = literals.length;
        sequenceCount = 0;
        tablesAt = 0;
        sequences(in, at, to, literals);
        tablesAt -= tablesAt == 0 ? 0 : from;
    }

    private void stream(byte[] in, int from, int to, byte[] target, int at, int limit) throws ZstdDefect {
        ZstdBits bits = new ZstdBits(in, from, to);
        for (int i = at; i < limit; i++) {
            int entry = (int) bits.peek(tree.log());
            target[i] = tree.symbols()[entry];
            bits.skip(tree.bits()[entry]);
            ZstdDefect.unless(bits.left() >= 0, "literals end too soon");
        }
        ZstdDefect.unless(bits.left() == 0, "literals are left over");
    }

    private void sequences(byte[] in, int from, int to, byte[] literals) throws ZstdDefect {
        ZstdDefect.unless(from < to, "no sequences");
        int count = in[from] & 0xff;
        int at = from + 1;
        if (count >= 128) {
            ZstdDefect.unless(at + (count == 255 ? 2 : 1) <= to, "sequences cut off");
            if (count < 255) {
                count = (count - 128 << 8) + (in[at++] & 0xff);
            } else {
                count = (in[at] & 0xff) + ((in[at + 1] & 0xff) << 8) + 0x7f00;
                at += 2;
            }
        }
        if (count == 0) {
            ZstdDefect.unless(at == to, "bytes behind no sequences");
            put(literals, 0, literals.length);
            return;
        }
        ZstdDefect.unless(at < to, "no modes");
        int modes = in[at++] & 0xff;
        tablesAt = at;
        sequenceCount = count;
        ZstdDefect.unless((modes & 3) == 0, "a reserved mode");
        for (int table = 0; table < 3; table++) {
            int mode = modes >> 6 - 2 * table & 3;
            switch (mode) {
                case 0 -> tables[table] = ZstdFse.of(PREDEFINED_LOG[table], PREDEFINED[table], 0);
                case 1 -> {
                    ZstdDefect.unless(at < to && (in[at] & 0xff) <= MOST_SYMBOL[table], "a symbol that is none");
                    tables[table] = ZstdFse.ofOne(in[at++] & 0xff);
                }
                case 2 -> {
                    tables[table] = ZstdFse.described(in, at, to, MOST_SYMBOL[table], MOST_LOG[table]);
                    at += tables[table].describedBytes();
                }
                default -> ZstdDefect.unless(tables[table] != null, "a table is repeated before there is one");
            }
        }
        ZstdBits bits = new ZstdBits(in, at, to);
        ZstdFse l = tables[LITERALS];
        ZstdFse o = tables[OFFSETS];
        ZstdFse m = tables[MATCHES];
        int lState = (int) bits.read(l.log());
        int oState = (int) bits.read(o.log());
        int mState = (int) bits.read(m.log());
        int literalAt = 0;
        for (int i = 0; i < count; i++) {
            int oCode = o.symbols()[oState];
            long value = (1L << oCode) + bits.read(oCode);
            int mCode = m.symbols()[mState];
            int matchBytes = MATCH_BASE[mCode] + (int) bits.read(MATCH_BITS[mCode]);
            int lCode = l.symbols()[lState];
            int literalBytes = LITERAL_BASE[lCode] + (int) bits.read(LITERAL_BITS[lCode]);
            ZstdDefect.unless(bits.left() >= 0, "sequences end too soon");
            long offset = offset(value, literalBytes);
            ZstdDefect.unless(literalBytes <= literals.length - literalAt, "too few literals");
            put(literals, literalAt, literalBytes);
            literalAt += literalBytes;
            copy(offset, matchBytes);
            if (i < count - 1) {
                lState = l.bases()[lState] + (int) bits.read(l.bits()[lState]);
                mState = m.bases()[mState] + (int) bits.read(m.bits()[mState]);
                oState = o.bases()[oState] + (int) bits.read(o.bits()[oState]);
            }
        }
        ZstdDefect.unless(bits.left() == 0, "sequences are left over");
        put(literals, literalAt, literals.length - literalAt);
    }

    /** The modes of a block's tables; -1 if it has no sequences. */
    static int modes(byte[] in, int from, int to) throws ZstdDefect {
        ZstdDefect.unless(to - from >= 2, "a block of less than two bytes");
        int type = in[from] & 3;
        int format = in[from] >> 2 & 3;
        int at;
        if (type < 2) {
            int headerBytes = format == 1 ? 2 : format == 3 ? 3 : 1;
            int bits = headerBytes == 1 ? 3 : 4;
            int size = ZstdBits.forward(in, 8 * from + bits, 8 * headerBytes - bits, to);
            at = from + headerBytes + (type == 0 ? size : 1);
        } else {
            int width = format < 2 ? 10 : format == 2 ? 14 : 18;
            at = from + (format < 2 ? 3 : format + 2) + ZstdBits.forward(in, 8 * from + 4 + width, width, to);
        }
        ZstdDefect.unless(at < to, "no sequences");
        int count = in[at] & 0xff;
        int modesAt = at + (count < 128 ? 1 : count < 255 ? 2 : 3);
        ZstdDefect.unless(count == 0 || modesAt < to, "sequences cut off");
        return count == 0 ? -1 : in[modesAt] & 0xff;
    }

    private long offset(long value, int literalBytes) throws ZstdDefect {
        int[] r = repeated;
        if (value > 3) {
            ZstdDefect.unless(value - 3 <= Integer.MAX_VALUE, "an offset beyond all windows");
            repeated = new int[] {(int) (value - 3), r[0], r[1]};
            return value - 3;
        }
        int which = (int) value - 1 + (literalBytes == 0 ? 1 : 0);
        if (which == 0) {
            return r[0];
        }
        int offset = which == 3 ? r[0] - 1 : r[which];
        ZstdDefect.unless(offset > 0, "offset 0");
        repeated = which == 1 ? new int[] {offset, r[0], r[2]} : new int[] {offset, r[0], r[1]};
        return offset;
    }
}
