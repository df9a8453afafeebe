package io.warpcodec.stream;

import java.io.IOException;
import java.io.InputStream;

/** A stream that is read by arrays: a single byte is read as an array of one. */
public abstract class BulkInputStream extends InputStream {

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] target, int start, int length) throws IOException;
}
