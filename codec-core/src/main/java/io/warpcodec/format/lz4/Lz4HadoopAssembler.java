package io.warpcodec.format.lz4;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Makes each chunk an outer block of Hadoop's framing. A chunk's body is the inner chunks with their sizes. An empty stream is
 * one outer block of raw size 0.
 */
public final class Lz4HadoopAssembler implements Assembler {
    private final ByteBuffer rawSize = ByteBuffer.allocate(4);
    private boolean anyBlock;

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        out.write(rawSize.clear().putInt(chunk.rawBytes()).array());
        Bodies.write(chunk.body(), out);
        anyBlock = true;
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyBlock) {
            out.write(rawSize.clear().putInt(0).array());
        }
        anyBlock = false;
    }

    @Override
    public byte[] tornEnd(int openBytes) {
        return TornEnds.ofLengths(openBytes);
    }

    @Override
    public void reset() {
        anyBlock = false;
    }
}
