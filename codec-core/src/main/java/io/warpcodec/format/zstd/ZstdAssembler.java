package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes frame behind frame: a chunk's body is a frame up to its checksum. An empty stream is one empty frame. */
public final class ZstdAssembler implements Assembler {
    /** Content size 0 in a single segment, one empty raw block, the checksum of nothing (XXH64, low 32 bits). */
    private static final byte[] EMPTY_FRAME = ByteBuffer.allocate(13)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .put((byte) (SINGLE_SEGMENT | CHECKSUM))
            .put((byte) 0)
            .put(new byte[] {1, 0, 0})
            .putInt(0x51d8e999)
            .array();

    private final ByteBuffer checksum = ByteBuffer.allocate(CHECKSUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean anyFrame;

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        Bodies.write(chunk.body(), out);
        out.write(checksum.putInt(0, chunk.checksum()).array());
        anyFrame = true;
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyFrame) {
            out.write(EMPTY_FRAME);
        }
        anyFrame = false;
    }

    @Override
    public byte[] tornEnd(int openBytes) {
        return TornEnds.ofMagics(MAGIC);
    }

    @Override
    public void reset() {
        anyFrame = false;
    }
}
