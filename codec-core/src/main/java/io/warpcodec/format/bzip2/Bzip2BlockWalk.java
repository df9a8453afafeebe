package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import java.nio.ByteBuffer;

/**
 * Finds where a block ends by reading its symbols, without decoding them any further: what a magic that stands there by
 * chance cannot deceive. Goes on where the bits ended last time. Not thread-safe.
 */
final class Bzip2BlockWalk {
    private final Bzip2BlockHeader header = new Bzip2BlockHeader();
    private final Bzip2BitReader in = new Bzip2BitReader();
    private final Bzip2Code[] codes = new Bzip2Code[MAX_GROUPS];
    private boolean inSymbols;
    private int position;
    private int group;
    private int leftInGroup;

    void start(int bit, int level, long offset) {
        header.start(bit, level, offset);
        inSymbols = false;
    }

    /** How far the walk has come. */
    int reachedBit() {
        return inSymbols ? position : header.reachedBit();
    }

    /**
     * Walks on.
     *
     * @param bytes the same bytes as before, and more
     * @return the first bit after the block, or -1 if it does not end within these bytes
     * @throws CorruptDataException if its header or a symbol is not one
     */
    int end(ByteBuffer bytes) throws CorruptDataException {
        in.over(bytes, 8 * bytes.capacity());
        if (!inSymbols) {
            if (!header.read(in)) {
                return -1;
            }
            for (int code = 0; code < header.groups(); code++) {
                if (codes[code] == null) {
                    codes[code] = new Bzip2Code();
                }
                codes[code].build(header.codeLengths(code), header.alphabet());
            }
            inSymbols = true;
            position = in.position();
            group = -1;
            leftInGroup = 0;
        }
        int endOfBlock = header.alphabet() - 1;
        in.seek(position);
        while (true) {
            if (leftInGroup == 0) {
                group++;
                leftInGroup = GROUP_SYMBOLS;
            }
            if (group == header.selectorCount()) {
                throw header.corrupt("there are more symbols than selectors");
            }
            int entry = codes[header.selectors()[group]].entry((int) in.peek(MAX_CODE_BITS));
            boolean whole = in.position() + (entry == 0 ? MAX_CODE_BITS : entry & Bzip2Code.LENGTH_MASK) <= in.limit();
            if (!whole) {
                return -1;
            }
            if (entry == 0) {
                throw header.corrupt("a symbol's bits are no word of its code");
            }
            position += entry & Bzip2Code.LENGTH_MASK;
            in.seek(position);
            leftInGroup--;
            if (entry >> Bzip2Code.LENGTH_BITS == endOfBlock) {
                return position;
            }
        }
    }
}
