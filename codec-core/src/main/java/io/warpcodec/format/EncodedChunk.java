package io.warpcodec.format;

import java.nio.ByteBuffer;

/**
 * One encoded chunk on its way to an {@link Assembler}: the compressed body without its container.
 *
 * @param body compressed bytes, from position to limit; heap or direct
 * @param bodyBits length of the body in bits; 8 x bytes except for bzip2, whose blocks end anywhere
 * @param rawBytes size before compression
 * @param checksum the checksum of the raw bytes that the container carries (CRC32, Adler32, XXH64's low word, bzip2's
 *     CRC), 0 if it has none
 * @param checksums how many checksums {@code checksum} combines: the bzip2 blocks in the body; 1 for all other formats
 * @param release gives the body's memory back; run once, by the writer of the body
 */
public record EncodedChunk(
        ByteBuffer body, long bodyBits, int rawBytes, int checksum, int checksums, Runnable release) {

    /** A chunk with one checksum. */
    public EncodedChunk(ByteBuffer body, long bodyBits, int rawBytes, int checksum, Runnable release) {
        this(body, bodyBits, rawBytes, checksum, 1, release);
    }
}
