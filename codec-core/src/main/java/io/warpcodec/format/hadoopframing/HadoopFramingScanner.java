package io.warpcodec.format.hadoopframing;

import static io.warpcodec.format.hadoopframing.HadoopFraming.*;

import io.warpcodec.format.Scanner;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks outer blocks. One whose inner chunks can be walked without decoding them, and that is small, is a chunk; any
 * other goes to a session, which also says what is wrong with a bad one. LZ4's bodies do not name their size, and
 * have a scanner of their own.
 *
 * <p>An outer block of size 0 is skipped and reading goes on. The lenient reading leaves all to the session.
 */
public final class HadoopFramingScanner implements Scanner {
    private final BodySizes sizes;
    private final boolean lenient;
    private boolean hintsIgnored;

    /** @param lenient read damaged streams as stock Hadoop does */
    public HadoopFramingScanner(BodySizes sizes, boolean lenient) {
        this.sizes = sizes;
        this.lenient = lenient;
    }

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            return window.ended() ? Unit.END : Unit.NEEDS_INPUT;
        }
        if (lenient) {
            return Unit.SESSION;
        }
        if (!window.require(LENGTH_BYTES)) {
            return cutShort(window);
        }
        int rawBytes = window.i32be(0);
        if (rawBytes == 0) {
            int at = LENGTH_BYTES;
            while (at + LENGTH_BYTES <= window.buffered() && window.i32be(at) == 0) {
                at += LENGTH_BYTES;
            }
            return Unit.skip(at, true);
        }
        return hintsIgnored || rawBytes < 0 || rawBytes > MAX_CHUNK_BYTES ? Unit.SESSION : outerBlock(window, rawBytes);
    }

    private Unit outerBlock(Window window, int rawBytes) throws IOException {
        int at = LENGTH_BYTES;
        int rawLeft = rawBytes;
        for (int inner = 0; rawLeft > 0; inner++) {
            if (!window.require(at + LENGTH_BYTES)) {
                return cutShort(window);
            }
            int bodyBytes = window.i32be(at);
            at += LENGTH_BYTES;
            if (bodyBytes <= 0 || bodyBytes > MAX_CHUNK_BYTES - at || inner == MAX_INNER_CHUNKS) {
                return Unit.SESSION;
            }
            int prefixBytes = Math.min(bodyBytes, sizes.prefixBytes());
            if (!window.require(at + prefixBytes)) {
                return cutShort(window);
            }
            int innerRawBytes = sizes.rawBytes(window, at, prefixBytes);
            if (innerRawBytes < 0 || innerRawBytes > rawLeft) {
                return Unit.SESSION;
            }
            at += bodyBytes;
            rawLeft -= innerRawBytes;
        }
        return window.require(at) ? Unit.chunk(at, rawBytes) : cutShort(window);
    }

    private static Unit cutShort(Window window) {
        return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
    }

    @Override
    public void ignoreHints() {
        hintsIgnored = true;
    }
}
