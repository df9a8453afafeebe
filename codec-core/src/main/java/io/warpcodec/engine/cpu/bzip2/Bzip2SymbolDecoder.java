package io.warpcodec.engine.cpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.format.bzip2.Bzip2BitReader;
import io.warpcodec.format.bzip2.Bzip2Block;
import io.warpcodec.format.bzip2.Bzip2BlockHeader;
import io.warpcodec.format.bzip2.Bzip2Code;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * First half of decoding a bzip2 block: prefix codes, run digits, move-to-front. What comes out is the last column of
 * the sorted matrix, one byte in each element of {@link #column}, and how often each byte occurs. It refuses what
 * bzip2 1.0.8 refuses. Reused from block to block; not thread-safe.
 */
final class Bzip2SymbolDecoder {
    // The next bits stand at the top of a 64-bit word, filled up with 32 whenever fewer than MAX_CODE_BITS are left.
    // The end of the input is looked for once per group of 50 symbols only. A group is at most GROUP_BYTES long, and
    // the fill runs at most 8 bytes ahead. So PADDING_BYTES of zeros behind the input keep every read inside the
    // array.

    private static final int GROUP_BYTES = (GROUP_SYMBOLS * MAX_CODE_BITS + 7) / 8;
    private static final int PADDING_BYTES = GROUP_BYTES + 32;
    private static final int FIRST_COLUMN_BYTES = 16 << 10;
    /** From this rank on a block move is faster than a loop. */
    private static final int FAR_RANK = 16;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final Bzip2BlockHeader header = new Bzip2BlockHeader();
    private final Bzip2BitReader headerBits = new Bzip2BitReader();
    private final Bzip2Code[] codes = new Bzip2Code[MAX_GROUPS];
    private final byte[] recent = new byte[256];
    private final int[] counts = new int[256];
    private byte[] input = new byte[0];
    private int[] column = new int[FIRST_COLUMN_BYTES];
    private int length;
    private long offset;

    /** The header of the block decoded last. */
    Bzip2BlockHeader header() {
        return header;
    }

    /** The last column, one byte in the lowest bits of each element; the caller may use the rest. */
    int[] column() {
        return column;
    }

    /** How many elements of the column count. */
    int length() {
        return length;
    }

    /** How often each byte occurs in the column. The caller may change them. */
    int[] counts() {
        return counts;
    }

    /**
     * Decodes a block that must fill its bits exactly.
     *
     * @param chunk all bytes that the block touches
     * @param chunkOffset absolute offset of the chunk, for messages
     */
    void decode(ByteBuffer chunk, Bzip2Block block, long chunkOffset) throws CorruptDataException {
        offset = chunkOffset;
        int bytes = chunk.remaining();
        if (input.length < bytes + PADDING_BYTES) {
            input = new byte[bytes + (bytes >> 2) + PADDING_BYTES];
        }
        chunk.get(chunk.position(), input, 0, bytes);
        Arrays.fill(input, bytes, bytes + PADDING_BYTES, (byte) 0);
        int limitBit = block.bitOffset() + block.bitLength();
        header.start(block.bitOffset(), block.level(), chunkOffset);
        if (!header.read(headerBits.over(ByteBuffer.wrap(input), limitBit))) {
            throw corrupt("the bits end inside its header");
        }
        for (int group = 0; group < header.groups(); group++) {
            if (codes[group] == null) {
                codes[group] = new Bzip2Code();
            }
            codes[group].build(header.codeLengths(group), header.alphabet());
        }
        System.arraycopy(header.symbols(), 0, recent, 0, header.symbolCount());
        Arrays.fill(counts, 0);
        int endBit = decodeSymbols(headerBits.position(), limitBit, maxBlockBytes(block.level()));
        if (endBit != limitBit) {
            throw corrupt(endBit > limitBit ? "the bits end inside its symbols" : "it ends before its bits do");
        }
        if (header.origPtr() >= length) {
            throw corrupt("the row of the original text is " + header.origPtr() + " of " + length);
        }
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.BZIP2, offset, reason);
    }

    /** Returns the bit behind the end-of-block symbol. */
    private int decodeSymbols(int startBit, int limitBit, int maxLength) throws CorruptDataException {
        byte[] bytes = input;
        byte[] list = recent;
        int at = startBit >>> 3;
        long bits = (long) (int) WORD.get(bytes, at) << 32 << (startBit & 7);
        int live = 32 - (startBit & 7);
        at += 4;

        int[] out = column;
        int n = 0;
        int end = Math.min(out.length, maxLength);
        int endOfBlock = header.alphabet() - 1;
        byte[] selectors = header.selectors();
        int selectorCount = header.selectorCount();
        int run = 0;
        int weight = 1;

        for (int group = 0; group < selectorCount; group++) {
            if (8 * at - live > limitBit) {
                return 8 * at - live;
            }
            Bzip2Code code = codes[selectors[group]];
            short[] table = code.table();
            for (int left = GROUP_SYMBOLS; left > 0; left--) {
                if (live < MAX_CODE_BITS) {
                    bits |= ((int) WORD.get(bytes, at) & 0xffff_ffffL) << 32 - live;
                    at += 4;
                    live += 32;
                }
                int entry = table[(int) (bits >>> Long.SIZE - Bzip2Code.TABLE_BITS)];
                if (entry == 0) {
                    entry = code.entry((int) (bits >>> Long.SIZE - MAX_CODE_BITS));
                    if (entry == 0) {
                        throw corrupt("a symbol's bits are no word of its code");
                    }
                }
                int codeBits = entry & Bzip2Code.LENGTH_MASK;
                bits <<= codeBits;
                live -= codeBits;
                int symbol = entry >> Bzip2Code.LENGTH_BITS;
                if (symbol <= RUN_B) {
                    if (weight >= MAX_RUN_WEIGHT) {
                        throw corrupt("a run is too long");
                    }
                    run += weight << symbol;
                    weight <<= 1;
                    continue;
                }
                if (weight > 1) {
                    if (run > maxLength - n) {
                        throw corrupt("it is larger than its stream's level allows");
                    }
                    if (run > end - n) {
                        out = grow(n + run, maxLength);
                        end = Math.min(out.length, maxLength);
                    }
                    int value = list[0] & 0xff;
                    counts[value] += run;
                    Arrays.fill(out, n, n + run, value);
                    n += run;
                    run = 0;
                    weight = 1;
                }
                if (symbol == endOfBlock) {
                    length = n;
                    return 8 * at - live;
                }
                if (n == end) {
                    if (n == maxLength) {
                        throw corrupt("it is larger than its stream's level allows");
                    }
                    out = grow(n + 1, maxLength);
                    end = Math.min(out.length, maxLength);
                }
                int rank = symbol - 1;
                byte value = list[rank];
                if (rank < FAR_RANK) {
                    for (int i = rank; i > 0; i--) {
                        list[i] = list[i - 1];
                    }
                } else {
                    System.arraycopy(list, 0, list, 1, rank);
                }
                list[0] = value;
                counts[value & 0xff]++;
                out[n++] = value & 0xff;
            }
        }
        throw corrupt("there are more symbols than selectors");
    }

    private int[] grow(int needed, int maxLength) {
        column = Arrays.copyOf(column, Math.min(maxLength, Math.max(needed, 2 * column.length)));
        return column;
    }
}
