package io.warpcodec.format.zlib;

import static io.warpcodec.format.zlib.ZlibFormat.*;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.checksum.Adler32Combine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Lays chunks, each ended by a sync flush, into one zlib stream. */
public final class ZlibAssembler implements Assembler {
    /** One final fixed block with nothing but its end code: ends a DEFLATE stream that stands at a byte boundary. */
    private static final byte[] FINAL_BLOCK = {3, 0};

    private static final int ADLER_OF_NOTHING = 1;

    private final byte[] header;
    private boolean begun;
    private int adler = ADLER_OF_NOTHING;

    /** @param level zlib's compression level 0 to 9, told in the header */
    public ZlibAssembler(int level) {
        int cmf = CINFO_MAX << CINFO_SHIFT | CM_DEFLATE;
        int flevel = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
        int flg = flevel << FLEVEL_SHIFT;
        flg += FCHECK_MODULUS - (cmf << 8 | flg) % FCHECK_MODULUS;
        header = new byte[] {(byte) cmf, (byte) flg};
    }

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        begin(out);
        Bodies.write(chunk.body(), out);
        adler = Adler32Combine.combine(adler, chunk.checksum(), chunk.rawBytes());
    }

    private void begin(OutputStream out) throws IOException {
        if (!begun) {
            out.write(header);
            begun = true;
        }
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        begin(out);
        out.write(FINAL_BLOCK);
        out.write(ByteBuffer.allocate(TRAILER_BYTES).putInt(adler).array());
        reset();
    }

    @Override
    public int historyBytes() {
        return WINDOW_BYTES;
    }

    /** Without its end the stream is cut short already, unless nothing has been written. */
    @Override
    public byte[] tornEnd(int openBytes) {
        return new byte[] {header[0]};
    }

    @Override
    public void reset() {
        begun = false;
        adler = ADLER_OF_NOTHING;
    }
}
