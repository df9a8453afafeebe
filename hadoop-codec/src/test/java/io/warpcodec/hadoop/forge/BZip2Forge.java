package io.warpcodec.hadoop.forge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Builds bzip2 streams field by field: header, blocks at any bit position, end of stream. The bodies of the blocks are
 * made by commons-compress and moved bit by bit.
 */
public final class BZip2Forge {
    public static final long BLOCK_MAGIC = 0x314159265359L;
    public static final long END_MAGIC = 0x177245385090L;

    private int signature = 'B' << 8 | 'Z';
    private int version = 'h';
    private int level = '9';
    private long endMagic = END_MAGIC;
    private Long combinedCrc;
    private final List<Block> blocks = new ArrayList<>();

    /** A block: its magic, its CRC and the bits that follow, as characters 0 and 1. */
    public record Block(long magic, long crc, String body) {
        public Block withMagic(long other) {
            return new Block(other, crc, body);
        }

        public Block withCrc(long other) {
            return new Block(magic, other, body);
        }

        /** The first body bit says that the block is randomised; the next 24 are the row of the original text. */
        public Block withOrigPtr(int origPtr) {
            return new Block(magic, crc, body.charAt(0) + bits(origPtr, 24) + body.substring(25));
        }

        /** This block without its last bits. */
        public Block cut(int bitCount) {
            return new Block(magic, crc, body.substring(0, body.length() - bitCount));
        }
    }

    public BZip2Forge signature(String twoLetters) {
        signature = twoLetters.charAt(0) << 8 | twoLetters.charAt(1);
        return this;
    }

    public BZip2Forge version(char value) {
        version = value;
        return this;
    }

    public BZip2Forge level(char value) {
        level = value;
        return this;
    }

    public BZip2Forge endMagic(long value) {
        endMagic = value;
        return this;
    }

    public BZip2Forge combinedCrc(long value) {
        combinedCrc = value;
        return this;
    }

    public BZip2Forge block(Block block) {
        blocks.add(block);
        return this;
    }

    public BZip2Forge block(byte[] content) {
        return block(blockOf(content));
    }

    public byte[] build() {
        StringBuilder bits = new StringBuilder();
        bits.append(bits(signature, 16)).append(bits(version, 8)).append(bits(level, 8));
        int crc = 0;
        for (Block block : blocks) {
            bits.append(bits(block.magic, 48)).append(bits(block.crc, 32)).append(block.body);
            crc = Integer.rotateLeft(crc, 1) ^ (int) block.crc;
        }
        bits.append(bits(endMagic, 48)).append(bits(combinedCrc == null ? crc : combinedCrc, 32));
        return bytes(bits);
    }

    /** The bits of the one block that {@code content} makes. */
    public static Block blockOf(byte[] content) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(stream, 9)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder bits = new StringBuilder();
        for (byte b : stream.toByteArray()) {
            bits.append(bits(b & 0xff, 8));
        }
        int end = bits.lastIndexOf(bits(END_MAGIC, 48));
        long crc = Long.parseLong(bits.substring(80, 112), 2);
        return new Block(BLOCK_MAGIC, crc, bits.substring(112, end));
    }

    private static String bits(long value, int count) {
        StringBuilder bits = new StringBuilder(count);
        for (int i = count - 1; i >= 0; i--) {
            bits.append((value >>> i & 1) == 1 ? '1' : '0');
        }
        return bits.toString();
    }

    private static byte[] bytes(CharSequence bits) {
        byte[] bytes = new byte[(bits.length() + 7) / 8];
        for (int i = 0; i < bits.length(); i++) {
            if (bits.charAt(i) == '1') {
                bytes[i >> 3] |= (byte) (0x80 >> (i & 7));
            }
        }
        return bytes;
    }
}
