package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.MAX_ALPHABET;
import static io.warpcodec.format.bzip2.Bzip2Format.MAX_GROUPS;
import static io.warpcodec.format.bzip2.Bzip2Format.MAX_SELECTORS;
import static io.warpcodec.format.bzip2.Bzip2Format.maxBlockBytes;

import io.warpcodec.format.bzip2.Bzip2BlockHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a device is told of a block's header: the host has parsed it, and puts this in front of the chunk's bytes.
 * {@code Record} of {@code bzip2_format.cuh}.
 *
 * <pre>
 *    0  symbol_bit       first bit of the symbols, counted from the first byte behind the record, the most significant bit first
 *    4  limit_bit        bit behind the block, counted in the same way; the block must end exactly there
 *    8  orig_ptr         row of the original text
 *   12  crc              of the raw bytes, as stored
 *   16  max_text_bytes   100,000 for each level
 *   20  selector_count   1 to 18,002
 *   24  alphabet         symbols of the prefix codes: bytes in use and 2
 *   28  code_count       2 to 6
 *   32  randomised       0 or 1
 *   36  record_bytes     of all of it, a multiple of 16
 *   40  reserved         8 bytes, zero
 *   48  symbols_in_use   256 bytes: those that occur, ascending, then zeros
 *  304  code_lengths     6 times 258 bytes, zeros where there is no code or symbol
 * 1852  padding          4 bytes, zero
 * 1856  selectors        a byte each, then zeros up to a multiple of 16
 * </pre>
 *
 * Numbers are unsigned, of 32 bits, little-endian. A record begins at a multiple of 16 bytes.
 */
final class Bzip2Record {
    /** Length of all but the selectors, in bytes. */
    static final int FIXED_BYTES = 1856;

    /** What a record and the bytes behind it are aligned to. */
    static final int ALIGNMENT_BYTES = 16;

    /** Length of the longest, in bytes. */
    static final int MOST_BYTES =
            (FIXED_BYTES + MAX_SELECTORS + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;

    static final int SYMBOLS_IN_USE_AT = 48;
    static final int CODE_LENGTHS_AT = 304;

    private Bzip2Record() {}

    /**
     * The record of a block.
     *
     * @param header completely read
     * @param level 1 to 9 bounds the block's size
     */
    static byte[] of(Bzip2BlockHeader header, int symbolBit, int limitBit, int level) {
        int selectorCount = header.selectorCount();
        int bytes = (FIXED_BYTES + selectorCount + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
        ByteBuffer record = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        record.putInt(symbolBit).putInt(limitBit).putInt(header.origPtr()).putInt(header.crc());
        record.putInt(maxBlockBytes(level)).putInt(selectorCount);
        record.putInt(header.alphabet()).putInt(header.groups());
        record.putInt(header.randomised() ? 1 : 0).putInt(bytes);
        record.put(SYMBOLS_IN_USE_AT, header.symbols(), 0, header.symbolCount());
        for (int code = 0; code < Math.min(header.groups(), MAX_GROUPS); code++) {
            record.put(CODE_LENGTHS_AT + code * MAX_ALPHABET, header.codeLengths(code), 0, header.alphabet());
        }
        record.put(FIXED_BYTES, header.selectors(), 0, selectorCount);
        return record.array();
    }
}
