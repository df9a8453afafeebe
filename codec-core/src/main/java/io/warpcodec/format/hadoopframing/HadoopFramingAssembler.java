package io.warpcodec.format.hadoopframing;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Makes each chunk an outer block. A chunk's body is its inner chunks, each with its length before it: the encoder
 * decides how many there are. An empty stream is one outer block of size 0, as stock Hadoop writes it.
 */
public final class HadoopFramingAssembler implements Assembler {
    private final ByteBuffer header = ByteBuffer.allocate(HadoopFraming.LENGTH_BYTES);
    private boolean anyBlock;

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        out.write(header.putInt(0, chunk.rawBytes()).array());
        Bodies.write(chunk.body(), out);
        anyBlock = true;
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyBlock) {
            out.write(header.putInt(0, 0).array());
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
