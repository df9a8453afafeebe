package io.warpcodec.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes the bytes of a body, wherever they lie. */
public final class Bodies {
    private static final int BOUNCE_BYTES = 16 << 10;

    private Bodies() {}

    /** Writes from position to limit; the buffer is not changed. */
    public static void write(ByteBuffer body, OutputStream out) throws IOException {
        if (body.hasArray()) {
            out.write(body.array(), body.arrayOffset() + body.position(), body.remaining());
            return;
        }
        byte[] bounce = new byte[Math.min(BOUNCE_BYTES, body.remaining())];
        ByteBuffer rest = body.duplicate();
        while (rest.hasRemaining()) {
            int count = Math.min(bounce.length, rest.remaining());
            rest.get(bounce, 0, count);
            out.write(bounce, 0, count);
        }
    }
}
