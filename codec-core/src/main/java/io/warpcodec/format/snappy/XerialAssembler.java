package io.warpcodec.format.snappy;

import static io.warpcodec.format.snappy.SnappyFormat.*;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes one xerial header, then the blocks of each chunk; a chunk's body is blocks with their lengths already. An
 * empty stream is the header alone, as snappy-java writes it.
 */
public final class XerialAssembler implements Assembler {
    private static final byte[] HEADER = ByteBuffer.allocate(XERIAL_HEADER_BYTES)
            .putInt(MAGIC_HEAD)
            .putInt(MAGIC_TAIL)
            .putInt(XERIAL_VERSION)
            .putInt(XERIAL_VERSION)
            .array();

    private boolean headerWritten;

    private void header(OutputStream out) throws IOException {
        if (!headerWritten) {
            out.write(HEADER);
            headerWritten = true;
        }
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        header(out);
        Bodies.write(chunk.body(), out);
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        header(out);
        headerWritten = false;
    }

    @Override
    public byte[] tornEnd(int openBytes) {
        return TornEnds.ofLengths(openBytes);
    }

    @Override
    public void reset() {
        headerWritten = false;
    }
}
