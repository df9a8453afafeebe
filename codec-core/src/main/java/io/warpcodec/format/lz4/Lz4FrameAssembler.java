package io.warpcodec.format.lz4;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.TornEnds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes each chunk a marker and a frame; a short chunk that is alone has no marker. A chunk's body is the frame's
 * blocks with their sizes; its checksum is the XXH32 of its raw bytes. An empty stream is one frame without blocks.
 * The first marker of a stream keeps Hadoop's own reader from taking the file for an empty file. A marker in front of
 * an empty frame does so, too: other files may be joined to it.
 */
public final class Lz4FrameAssembler implements Assembler {
    private static final int TAIL_BYTES = 8;

    private final int loneBytes;
    private final boolean loneIsChecked;
    private final ByteBuffer head = ByteBuffer.allocate(Lz4Marker.FIRST_BYTES + Lz4FrameHeader.OUR_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean anyFrame;

    /** XXH32 of nothing. */
    private static final int CHECKSUM_OF_NOTHING = 0x02CC_5D05;

    /**
     * @param loneBytes a first chunk of less raw bytes is the only one, and has no marker; 0: every chunk has one
     * @param loneIsChecked whether the frame of a chunk that is alone has a content size and a checksum, as all
     *     others have
     */
    Lz4FrameAssembler(int loneBytes, boolean loneIsChecked) {
        this.loneBytes = loneBytes;
        this.loneIsChecked = loneIsChecked;
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        frame(chunk.body(), chunk.rawBytes(), chunk.checksum(), out);
        anyFrame = true;
    }

    private void frame(ByteBuffer body, int rawBytes, int checksum, OutputStream out) throws IOException {
        boolean lone = !anyFrame && rawBytes < loneBytes;
        boolean checked = !lone || loneIsChecked;
        head.clear();
        if (!lone) {
            Lz4Marker.write(head, !anyFrame, Lz4FrameHeader.OUR_BYTES + body.remaining() + TAIL_BYTES, rawBytes);
        }
        if (checked) {
            Lz4FrameHeader.writeOurs(head, rawBytes);
        } else {
            Lz4FrameHeader.writeBare(head);
        }
        out.write(head.array(), 0, head.position());
        Bodies.write(body, out);
        tail.clear().putInt(0).putInt(checksum);
        out.write(tail.array(), 0, checked ? TAIL_BYTES : Integer.BYTES);
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyFrame) {
            frame(ByteBuffer.allocate(0), 0, CHECKSUM_OF_NOTHING, out);
        }
        anyFrame = false;
    }

    @Override
    public byte[] tornEnd(int openBytes) {
        return TornEnds.ofMagics(Lz4Format.FRAME_MAGIC);
    }

    @Override
    public void reset() {
        anyFrame = false;
    }
}
