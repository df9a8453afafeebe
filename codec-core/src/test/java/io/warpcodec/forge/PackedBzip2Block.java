package io.warpcodec.forge;

import static io.warpcodec.forge.Bzip2Forge.BLOCK_MAGIC;
import static io.warpcodec.forge.Bzip2Forge.END_MAGIC;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * A block of bzip2 that commons-compress has made, to be moved bit by bit.
 *
 * @param body the bits behind magic and CRC, as characters 0 and 1
 */
public record PackedBzip2Block(long magic, long crc, String body) {
    /** The one block that the content makes. */
    public static PackedBzip2Block of(byte[] content) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(stream, 9)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder bits = new StringBuilder();
        for (byte b : stream.toByteArray()) {
            bits.append(Bzip2Forge.bits(b, Byte.SIZE));
        }
        int end = bits.lastIndexOf(Bzip2Forge.bits(END_MAGIC, 48));
        long crc = Long.parseLong(bits.substring(80, 112), 2);
        return new PackedBzip2Block(BLOCK_MAGIC, crc, bits.substring(112, end));
    }

    public PackedBzip2Block withMagic(long other) {
        return new PackedBzip2Block(other, crc, body);
    }

    public PackedBzip2Block withCrc(long other) {
        return new PackedBzip2Block(magic, other, body);
    }

    /** The first body bit says that the block is randomised; the next 24 are the row of the original text. */
    public PackedBzip2Block withOrigPtr(int origPtr) {
        return new PackedBzip2Block(magic, crc, body.charAt(0) + Bzip2Forge.bits(origPtr, 24) + body.substring(25));
    }

    /** This block without its last bits. */
    public PackedBzip2Block cut(int bitCount) {
        return new PackedBzip2Block(magic, crc, body.substring(0, body.length() - bitCount));
    }
}
