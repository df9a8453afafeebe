package io.warpcodec.hadoop;

import java.io.IOException;
import java.io.InputStream;

/** A source that hands out its bytes in pieces of the given sizes, as a slow socket does. */
public final class Trickle extends InputStream {
    private final InputStream in;
    private final Sizes pieces;

    public Trickle(InputStream in, Sizes pieces) {
        this.in = in;
        this.pieces = pieces;
    }

    @Override
    public int read() throws IOException {
        return in.read();
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        return in.read(b, off, Math.min(len, pieces.next()));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
