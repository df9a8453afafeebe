package io.warpcodec.format.hadoopframing;

import static io.warpcodec.format.hadoopframing.HadoopFraming.*;

import io.warpcodec.format.Scanner;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks outer blocks. One whose inner chunks can be walked without decoding them, and that is small, is a chunk; any other
 * goes to a session, which also says what is wrong with a bad one. Where bodies do not name their size (LZ4) an outer block is
 * taken to hold one inner chunk, as most writers make it; once that proved wrong in a stream, the rest of it is streamed.
 *
 * <p>An outer block of size 0 is skipped and reading goes on. Stock Hadoop drops everything after it; so does the lenient
 * reading, which leaves all to the session.
 */
public final class HadoopFramingScanner implements Scanner {
    private final BodySizes sizes;
    private final boolean lenient;
    private boolean guesses = true;
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
            if (innerRawBytes < 0 && guesses && inner == 0) {
                innerRawBytes = rawBytes;
            }
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
    public Unit again(Window window, Unit failed, String reason) {
        guesses = false;
        return Unit.SESSION;
    }

    @Override
    public void ignoreHints() {
        hintsIgnored = true;
    }
}
