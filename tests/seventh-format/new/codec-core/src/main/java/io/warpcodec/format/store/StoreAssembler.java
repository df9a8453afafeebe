package io.warpcodec.format.store;

import io.warpcodec.format.Assembler;
import io.warpcodec.format.Bodies;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Lays chunks, which are whole units already, one behind the other. A stream of nothing is one unit of nothing. */
final class StoreAssembler implements Assembler {
    private boolean any;

    @Override
    public void append(EncodedChunk chunk, OutputStream out) throws IOException {
        any = true;
        Bodies.write(chunk.body(), out);
    }

    @Override
    public void finish(OutputStream out) throws IOException {
        if (!any) {
            ByteBuffer empty = ByteBuffer.allocate(StoreHeader.unitBytes(0));
            StoreHeader.put(empty, 0);
            out.write(empty.array());
        }
        reset();
    }

    /** Longer than anything that can be missing, and no head. */
    @Override
    public byte[] tornEnd(int openBytes) {
        return new byte
                [openBytes
                        + openBytes / StoreHeader.MAX_RAW_BYTES * StoreHeader.unitBytes(0)
                        + 2 * StoreHeader.unitBytes(0)];
    }

    @Override
    public void reset() {
        any = false;
    }
}
