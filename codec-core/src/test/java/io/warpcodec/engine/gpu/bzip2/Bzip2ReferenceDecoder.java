package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** What a device makes of a record and the bytes behind it, plainly: a bit, a symbol, a byte at a time. */
public final class Bzip2ReferenceDecoder {
    private static final int CRC_AT = 12;
    private static final int GROUP_SYMBOLS = 50;
    private static final int MAX_CODES = 6;
    private static final int MAX_ALPHABET = 258;
    private static final int MAX_CODE_BITS = 20;
    /** A digit of a run of this weight is refused. */
    private static final int MAX_WEIGHT = 1 << 21;

    private final ByteBuffer record;
    private final byte[] block;
    private final int limitBit;
    private final int alphabet;
    private final int[][][] codes;
    private int bit;

    /**
     * What the slot holds then.
     *
     * @param bytes raw bytes if the block is sound, the text if it expands, else nothing
     * @param crc of the raw bytes, where they are there
     */
    public record Answer(Status status, byte[] bytes, int crc) {}

    /** The block has a defect. */
    private static final class Defect extends Exception {
        private static final long serialVersionUID = 1;

        private final Status status;

        Defect(Status status) {
            super(status.name());
            this.status = status;
        }
    }

    private Bzip2ReferenceDecoder(ByteBuffer record, byte[] block) {
        this.record = record;
        this.block = block;
        bit = record.getInt(0);
        limitBit = record.getInt(4);
        alphabet = record.getInt(24);
        codes = IntStream.range(0, record.getInt(28)).mapToObj(this::code).toArray(int[][][]::new);
    }

    /** Decodes a record and the block behind it. */
    public static Answer decode(byte[] input, int slotBytes) {
        ByteBuffer record = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        int recordBytes = record.getInt(36);
        if (!isLegal(record, recordBytes, input.length)) {
            return new Answer(Status.BAD_ENTRY, new byte[0], 0);
        }
        try {
            byte[] text =
                    new Bzip2ReferenceDecoder(record, Arrays.copyOfRange(input, recordBytes, input.length)).text();
            // what is randomised is the host's
            byte[] raw = record.getInt(32) == 1 ? null : expanded(text, slotBytes);
            if (raw == null) {
                return new Answer(Status.EXPANDS, text, 0);
            }
            int crc = Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, raw, 0, raw.length));
            return crc == record.getInt(CRC_AT)
                    ? new Answer(Status.SOUND, raw, crc)
                    : new Answer(Status.BAD_CHECKSUM, new byte[0], crc);
        } catch (Defect defect) {
            return new Answer(defect.status, new byte[0], 0);
        }
    }

    /**
     * The CRC of what a block decodes to, whatever the record says of it; empty if it does not decode, or not within
     * the slot.
     */
    public static OptionalInt crc(byte[] input, int slotBytes) {
        byte[] unsigned = input.clone();
        Answer answer = decode(unsigned, slotBytes);
        if (answer.status() == Status.BAD_CHECKSUM) {
            ByteBuffer.wrap(unsigned).order(ByteOrder.LITTLE_ENDIAN).putInt(CRC_AT, answer.crc());
            answer = decode(unsigned, slotBytes);
        }
        return answer.status() == Status.SOUND ? OptionalInt.of(answer.crc()) : OptionalInt.empty();
    }

    /** What kernels ask of a record. This host never writes another; other processes may. */
    private static boolean isLegal(ByteBuffer record, int recordBytes, int inputBytes) {
        long bits = 8L * (inputBytes - recordBytes);
        int selectors = record.getInt(20);
        int alphabet = record.getInt(24);
        int codes = record.getInt(28);
        return recordBytes % 16 == 0
                && recordBytes <= inputBytes
                && recordBytes >= Bzip2Record.FIXED_BYTES + (long) selectors
                && selectors >= 1
                && selectors <= 18_002
                && alphabet >= 3
                && alphabet <= MAX_ALPHABET
                && codes >= 2
                && codes <= MAX_CODES
                && Integer.compareUnsigned(record.getInt(0), record.getInt(4)) < 0
                && Integer.toUnsignedLong(record.getInt(4)) <= bits
                && Integer.compareUnsigned(record.getInt(16), 900_000) <= 0;
    }

    private byte[] text() throws Defect {
        byte[] column = column();
        int row = record.getInt(8);
        if (row >= column.length) {
            throw new Defect(Status.BAD_HEADER);
        }
        int[] starts = new int[257];
        for (byte value : column) {
            starts[(value & 0xff) + 1]++;
        }
        for (int value = 0; value < 256; value++) {
            starts[value + 1] += starts[value];
        }
        int[] next = new int[column.length];
        for (int i = 0; i < column.length; i++) {
            next[starts[column[i] & 0xff]++] = i;
        }
        byte[] text = new byte[column.length];
        int at = next[row];
        for (int i = 0; i < text.length; i++) {
            text[i] = column[at];
            at = next[at];
        }
        return text;
    }

    /** The last column of the sorted rows. */
    private byte[] column() throws Defect {
        byte[] list = new byte[256];
        record.get(Bzip2Record.SYMBOLS_IN_USE_AT, list);
        byte[] column = new byte[record.getInt(16)];
        int length = 0;
        int run = 0;
        int weight = 1;
        for (int count = 0; ; count++) {
            int symbol = symbol(count / GROUP_SYMBOLS);
            if (symbol <= 1) {
                if (weight >= MAX_WEIGHT) {
                    throw new Defect(Status.BAD_LENGTH);
                }
                run += weight << symbol;
                weight <<= 1;
                continue;
            }
            if (run > column.length - length) {
                throw new Defect(Status.OUTPUT_EXCEEDED);
            }
            Arrays.fill(column, length, length + run, list[0]);
            length += run;
            run = 0;
            weight = 1;
            if (symbol == alphabet - 1) {
                break;
            }
            if (length == column.length) {
                throw new Defect(Status.OUTPUT_EXCEEDED);
            }
            byte value = list[symbol - 1];
            System.arraycopy(list, 0, list, 1, symbol - 1);
            list[0] = value;
            column[length++] = value;
        }
        if (bit != limitBit) {
            throw new Defect(Status.BAD_END);
        }
        return Arrays.copyOf(column, length);
    }

    /**
     * The next symbol, in the code of its group: words of one length are numbered by symbol, and shorter ones come
     * first.
     */
    private int symbol(int group) throws Defect {
        if (group >= record.getInt(20)) {
            throw new Defect(Status.TRUNCATED);
        }
        int[][] code = codes[record.get(Bzip2Record.FIXED_BYTES + group)];
        int word = 0;
        int first = 0;
        for (int bits = 1; bits <= MAX_CODE_BITS; bits++) {
            if (bit >= limitBit) {
                throw new Defect(Status.TRUNCATED);
            }
            word = word << 1 | block[bit >>> 3] >> 7 - (bit & 7) & 1;
            bit++;
            first <<= 1;
            if (word - first < code[bits].length) {
                return code[bits][word - first];
            }
            first += code[bits].length;
        }
        throw new Defect(Status.BAD_SYMBOL);
    }

    /** The symbols of one code by the lengths of their words. */
    private int[][] code(int number) {
        int[][] symbols = new int[MAX_CODE_BITS + 1][];
        for (int bits = 0; bits <= MAX_CODE_BITS; bits++) {
            int wanted = bits;
            int lengthsAt = Bzip2Record.CODE_LENGTHS_AT + number * MAX_ALPHABET;
            symbols[bits] = IntStream.range(0, alphabet)
                    .filter(symbol -> record.get(lengthsAt + symbol) == wanted)
                    .toArray();
        }
        return symbols;
    }

    /** Null if it is longer than the slot. */
    private static byte[] expanded(byte[] text, int slotBytes) throws Defect {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        int equal = 0;
        for (int at = 0; at < text.length; at++) {
            equal = at > 0 && equal > 0 && text[at] == text[at - 1] ? equal + 1 : 1;
            raw.write(text[at]);
            if (equal == 4) {
                if (++at == text.length) {
                    throw new Defect(Status.BAD_END);
                }
                for (int more = text[at] & 0xff; more > 0; more--) {
                    raw.write(text[at - 1]);
                }
                equal = 0;
            }
            if (raw.size() > slotBytes) {
                return null;
            }
        }
        return raw.toByteArray();
    }
}
