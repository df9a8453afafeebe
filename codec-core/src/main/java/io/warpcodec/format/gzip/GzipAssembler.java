package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes each chunk a member that names its size, but for a short chunk that is alone. An empty stream is one empty
 * member.
 */
public final class GzipAssembler implements Assembler {
    /** DEFLATE of nothing: one final fixed block with its end code. */
    private static final byte[] EMPTY_BODY = {3, 0};

    private final int loneBytes;
    private final ByteBuffer header = ByteBuffer.allocate(OUR_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean anyMember;

    /**
     * @param loneBytes a first chunk of less raw bytes is the only one, and has a plain header; 0: every chunk names
     *     its size
     */
    GzipAssembler(int loneBytes) {
        this.loneBytes = loneBytes;
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        writeHeader(chunk.body().remaining(), chunk.rawBytes(), out);
        Bodies.write(chunk.body(), out);
        trailer.clear().putInt(chunk.checksum()).putInt(chunk.rawBytes());
        out.write(trailer.array());
        anyMember = true;
    }

    private void writeHeader(int bodyBytes, int rawBytes, OutputStream out) throws IOException {
        boolean namesSize = anyMember || rawBytes >= loneBytes;
        header.clear();
        header.put((byte) ID1).put((byte) ID2).put((byte) CM_DEFLATE).put((byte) (namesSize ? FEXTRA : 0));
        header.putInt(0).put((byte) 0).put((byte) OS_UNKNOWN);
        if (namesSize) {
            header.putShort((short) (LEN_WITHOUT_SEGMENTS + 4));
            header.put((byte) SI1).put((byte) SI2).putShort((short) LEN_WITHOUT_SEGMENTS);
            header.put((byte) VERSION).put((byte) 0).putLong(SIGNATURE);
            header.putInt(OUR_HEADER_BYTES + bodyBytes + TRAILER_BYTES).putInt(rawBytes);
        }
        out.write(header.array(), 0, header.position());
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!anyMember) {
            writeHeader(EMPTY_BODY.length, 0, out);
            out.write(EMPTY_BODY);
            out.write(trailer.clear().putInt(0).putInt(0).array());
        }
        anyMember = false;
    }

    @Override
    public byte[] tornEnd(int openBytes) {
        return new byte[] {(byte) ID1, (byte) ID2};
    }

    @Override
    public void reset() {
        anyMember = false;
    }
}
