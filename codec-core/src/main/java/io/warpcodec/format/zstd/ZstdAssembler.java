package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.Framing;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a marker before each frame; a chunk's body is a whole frame. In Spark's streams, which are never split,
 * frames stand alone. An empty stream is one empty frame.
 */
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

    private final boolean marks;
    private final int loneBytes;
    private final ByteBuffer marker = ByteBuffer.allocate(MARKER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean anyFrame;

    /**
     * @param framing {@link Framing#SPARK} leaves the markers out
     * @param loneBytes a first chunk of less raw bytes is the only one, and has no marker; 0: every chunk has one
     */
    ZstdAssembler(Framing framing, int loneBytes) {
        this.marks = framing != Framing.SPARK;
        this.loneBytes = loneBytes;
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        mark(chunk.body().remaining(), chunk.rawBytes(), out);
        Bodies.write(chunk.body(), out);
        anyFrame = true;
    }

    private void mark(int frameBytes, int rawBytes, OutputStream out) throws IOException {
        if (marks && (anyFrame || rawBytes >= loneBytes)) {
            marker.clear();
            marker.putInt(MARKER_MAGIC).putInt(FRAME_SIZE_WITHOUT_SEGMENTS).putLong(SIGNATURE);
            marker.putInt(0);
            marker.putInt(MARKER_BYTES + frameBytes).putInt(rawBytes);
            out.write(marker.array());
        }
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyFrame) {
            mark(EMPTY_FRAME.length, 0, out);
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
