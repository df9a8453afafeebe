package io.warpcodec.format.lz4;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes each chunk a block of an LZ4Block stream. A body as long as the raw bytes is the raw bytes. The end mark
 * closes the stream; an empty stream is the end mark.
 */
public final class Lz4BlockAssembler implements Assembler {
    private final int blockMaxBytes;
    private final ByteBuffer header = ByteBuffer.allocate(Lz4BlockHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** @param blockMaxBytes the most raw bytes of a chunk */
    public Lz4BlockAssembler(int blockMaxBytes) {
        this.blockMaxBytes = blockMaxBytes;
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        int bodyBytes = chunk.body().remaining();
        int method = bodyBytes == chunk.rawBytes() ? Lz4BlockHeader.RAW : Lz4BlockHeader.LZ4;
        Lz4BlockHeader.write(header.clear(), blockMaxBytes, method, bodyBytes, chunk.rawBytes(), chunk.checksum());
        out.write(header.array());
        Bodies.write(chunk.body(), out);
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        Lz4BlockHeader.write(header.clear(), blockMaxBytes, Lz4BlockHeader.RAW, 0, 0, 0);
        out.write(header.array());
    }

    /** Without an end mark the stream is cut short already, unless nothing has been written. */
    @Override
    public byte[] tornEnd(int openBytes) {
        return Lz4BlockHeader.magic();
    }

    @Override
    public void reset() {
        // nothing is kept between chunks
    }
}
