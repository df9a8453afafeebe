package io.warpcodec.forge;

import io.warpcodec.format.bzip2.Bzip2Randomisation;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Builds bzip2 streams field by field, down to the symbols of a block. What a block means is worked out by the plainest
 * possible decoder, so that its CRC is right whatever its symbols are.
 */
public final class Bzip2Forge {
    public static final long BLOCK_MAGIC = 0x314159265359L;
    public static final long END_MAGIC = 0x177245385090L;

    private final StringBuilder bits = new StringBuilder();
    private int combinedCrc;

    static String bits(long value, int count) {
        StringBuilder bits = new StringBuilder(count);
        for (int i = count - 1; i >= 0; i--) {
            bits.append((value >>> i & 1) == 1 ? '1' : '0');
        }
        return bits.toString();
    }

    /** A stream header: the magic, the version and the level. */
    public Bzip2Forge header(String text) {
        for (char letter : text.toCharArray()) {
            put(letter, 8);
        }
        combinedCrc = 0;
        return this;
    }

    public Bzip2Forge put(long value, int count) {
        bits.append(bits(value, count));
        return this;
    }

    public Bzip2Forge block(Block block) {
        combinedCrc = Integer.rotateLeft(combinedCrc, 1) ^ block.crc();
        block.write(this);
        return this;
    }

    public Bzip2Forge block(PackedBzip2Block block) {
        combinedCrc = Integer.rotateLeft(combinedCrc, 1) ^ (int) block.crc();
        put(block.magic(), 48).put(block.crc(), 32).bits.append(block.body());
        return this;
    }

    /** The block that commons-compress makes of the content. */
    public Bzip2Forge block(byte[] content) {
        return block(PackedBzip2Block.of(content));
    }

    public Bzip2Forge end() {
        return end(combinedCrc);
    }

    public Bzip2Forge end(int crc) {
        return end(END_MAGIC, crc);
    }

    /** As {@link #end()}, but with any magic. */
    public Bzip2Forge endMagic(long magic) {
        return end(magic, combinedCrc);
    }

    private Bzip2Forge end(long magic, int crc) {
        put(magic, 48).put(crc, 32);
        return put(0, (8 - bits.length() % 8) % 8);
    }

    public int bitCount() {
        return bits.length();
    }

    public byte[] toArray() {
        byte[] bytes = new byte[(bits.length() + 7) / 8];
        for (int i = 0; i < bits.length(); i++) {
            if (bits.charAt(i) == '1') {
                bytes[i >> 3] |= (byte) (0x80 >> (i & 7));
            }
        }
        return bytes;
    }

    /** A stream of one block. */
    public static byte[] streamOf(Block block) {
        return new Bzip2Forge().header("BZh9").block(block).end().toArray();
    }

    /** A block; change a field to break a rule. */
    public static final class Block {
        public Integer crc;
        public boolean randomised;
        public int origPtr;
        public int[] used;
        public int[] symbols;
        public int groups = 2;
        public int[] selectorRanks;
        public int declaredSelectors = -1;
        public int[][] lengths;
        /** Steps to and fro before each code length. */
        public int detours;

        /** All symbols with codes of the same length where the alphabet is a power of two. */
        public static Block of(int[] used, int... symbols) {
            Block block = new Block();
            block.used = used;
            block.symbols = symbols;
            int alphabet = used.length + 2;
            int bits = 32 - Integer.numberOfLeadingZeros(alphabet - 1);
            int[] equal = new int[Math.max(alphabet, 2)];
            Arrays.fill(equal, bits);
            block.lengths = new int[][] {equal, equal, equal, equal, equal, equal, equal};
            block.selectorRanks = new int[(symbols.length + 49) / 50];
            return block;
        }

        /** Bytes 0 to 253, so that each of the 256 symbols is a byte in the file; 255 ends the block. */
        public static Block ofBytes(int... symbols) {
            return of(IntStream.range(0, 254).toArray(), symbols);
        }

        public int crc() {
            return crc != null ? crc : Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, raw(), 0, raw().length));
        }

        /** What the symbols mean; nothing where they mean nothing. */
        public byte[] raw() {
            byte[] column = column();
            if (origPtr >= column.length) {
                return new byte[0];
            }
            byte[] text = unsorted(column);
            if (randomised) {
                Bzip2Randomisation.undo(text, text.length);
            }
            return expanded(text);
        }

        private byte[] column() {
            ByteArrayOutputStream column = new ByteArrayOutputStream();
            int[] list = used.clone();
            int weight = 1;
            for (int symbol : symbols) {
                if (symbol == used.length + 1) {
                    break;
                }
                if (symbol < 2) {
                    for (int i = 0; i < weight << symbol && column.size() < 2_000_000; i++) {
                        column.write(list[0]);
                    }
                    weight <<= 1;
                } else {
                    weight = 1;
                    int value = list[symbol - 1];
                    System.arraycopy(list, 0, list, 1, symbol - 1);
                    list[0] = value;
                    column.write(value);
                }
            }
            return column.toByteArray();
        }

        private byte[] unsorted(byte[] column) {
            int[] starts = new int[257];
            for (byte value : column) {
                starts[(value & 0xff) + 1]++;
            }
            for (int value = 0; value < 256; value++) {
                starts[value + 1] += starts[value];
            }
            int[] following = new int[column.length];
            for (int row = 0; row < column.length; row++) {
                following[starts[column[row] & 0xff]++] = row;
            }
            byte[] text = new byte[column.length];
            int row = following[origPtr];
            for (int i = 0; i < text.length; i++) {
                text[i] = column[row];
                row = following[row];
            }
            return text;
        }

        private static byte[] expanded(byte[] text) {
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            int run = 0;
            for (int i = 0; i < text.length; i++) {
                run = run > 0 && text[i] == text[i - 1] ? run + 1 : 1;
                raw.write(text[i]);
                if (run == 4 && i + 1 < text.length) {
                    byte value = text[i];
                    for (int more = text[++i] & 0xff; more > 0; more--) {
                        raw.write(value);
                    }
                    run = 0;
                }
            }
            return raw.toByteArray();
        }

        private void write(Bzip2Forge to) {
            to.put(BLOCK_MAGIC, 48).put(crc(), 32).put(randomised ? 1 : 0, 1).put(origPtr, 24);
            writeMap(to);
            to.put(groups, 3).put(declaredSelectors < 0 ? selectorRanks.length : declaredSelectors, 15);
            int[] order = IntStream.range(0, 8).toArray();
            int[] selected = new int[selectorRanks.length];
            for (int i = 0; i < selectorRanks.length; i++) {
                int rank = selectorRanks[i];
                to.put(-2, rank + 1);
                selected[i] = order[rank];
                System.arraycopy(order, 0, order, 1, rank);
                order[0] = selected[i];
            }
            for (int group = 0; group < groups; group++) {
                writeLengths(to, lengths[group]);
            }
            for (int i = 0; i < symbols.length; i++) {
                int[] code = lengths[selected[Math.min(i / 50, selected.length - 1)]];
                to.put(word(code, symbols[i]), code[symbols[i]]);
            }
        }

        private void writeMap(Bzip2Forge to) {
            int[] rows = new int[16];
            int rowsUsed = 0;
            for (int value : used) {
                rows[value >> 4] |= 0x8000 >> (value & 15);
                rowsUsed |= 0x8000 >> (value >> 4);
            }
            to.put(rowsUsed, 16);
            for (int row : rows) {
                if (row != 0) {
                    to.put(row, 16);
                }
            }
        }

        private void writeLengths(Bzip2Forge to, int[] wanted) {
            int now = Math.max(0, Math.min(20, wanted[0]));
            to.put(now, 5);
            for (int length : wanted) {
                for (int detour = 0; detour < detours; detour++) {
                    to.put(0b1011, 4);
                }
                for (; now < length; now++) {
                    to.put(0b10, 2);
                }
                for (; now > length; now--) {
                    to.put(0b11, 2);
                }
                to.put(0, 1);
            }
        }

        private static int word(int[] lengths, int symbol) {
            int word = 0;
            for (int bits = 1; bits <= 20; bits++) {
                for (int other = 0; other < lengths.length; other++) {
                    if (lengths[other] == bits) {
                        if (other == symbol) {
                            return word;
                        }
                        word++;
                    }
                }
                word <<= 1;
            }
            return 0;
        }
    }
}
