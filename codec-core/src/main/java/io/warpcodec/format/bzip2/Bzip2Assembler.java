package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Makes one bzip2 stream of all chunks: a header, the blocks bit to bit, the end with the combined CRC. A chunk's
 * body is one block or more, its checksum the combined CRC of them alone.
 */
public final class Bzip2Assembler implements Assembler {
    private static final int PIECE_BYTES = 16 << 10;
    /** A piece, the bits held before it, and the trailer. */
    private static final int BUFFER_BYTES = PIECE_BYTES + 32;

    private final int level;
    private final Bzip2BitWriter bits = new Bzip2BitWriter();
    private ByteBuffer buffer;
    private int combinedCrc;
    private boolean started;

    /**
     * @param level 1 to 9, at least that of every block
     * @throws IllegalArgumentException if the level is none of these
     */
    public Bzip2Assembler(int level) {
        if (level < MIN_LEVEL || level > MAX_LEVEL) {
            throw new IllegalArgumentException("level " + level + " of bzip2 is not in 1..9");
        }
        this.level = level;
    }

    private void start() {
        if (buffer == null) {
            buffer = ByteBuffer.allocate(BUFFER_BYTES);
        }
        if (!started) {
            bits.put((long) SIGNATURE << 8 | '0' + level, HEADER_BITS, buffer);
            started = true;
        }
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        start();
        ByteBuffer body = chunk.body().duplicate();
        long leftBits = chunk.bodyBits();
        while (leftBits > 0) {
            int pieceBits = (int) Math.min(leftBits, 8 * PIECE_BYTES);
            bits.put(body, pieceBits, buffer);
            body.position(body.position() + (pieceBits >>> 3));
            leftBits -= pieceBits;
            drain(out);
        }
        combinedCrc = Integer.rotateLeft(combinedCrc, chunk.checksums()) ^ chunk.checksum();
    }

    private void drain(OutputStream out) throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        start();
        bits.put(END_MAGIC, MAGIC_BITS, buffer);
        bits.put(combinedCrc, CRC_BITS, buffer);
        bits.pad(buffer);
        drain(out);
        reset();
    }

    /** Where the setting is the default, a chunk is as long as a full block takes. */
    @Override
    public int mostChunkBytes(int chunkBytes) {
        return chunkBytes == Format.BZIP2.defaultChunkBytes() ? MAX_CHUNK_BYTES : chunkBytes;
    }

    /** A chunk ends where its text fills the block, as bzip2's blocks do. */
    @Override
    public int chunkBytes(ByteBuffer raw, int from, int most) {
        return Bzip2TextCut.fitting(raw, from, most, maxEncodedBlockBytes(level));
    }

    /** Without its end the stream is cut short already, unless nothing has been written. */
    @Override
    public byte[] tornEnd(int openBytes) {
        return new byte[] {'B', 'Z'};
    }

    @Override
    public void reset() {
        bits.reset();
        combinedCrc = 0;
        started = false;
        buffer = null;
    }
}
