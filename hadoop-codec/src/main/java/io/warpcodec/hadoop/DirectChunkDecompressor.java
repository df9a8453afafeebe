package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.apache.hadoop.io.compress.DirectDecompressor;

/**
 * Decodes pages: buffers that each hold a whole file of the codec's format, which may be several streams one behind
 * the other. The buffers may be direct. For {@code .snappy} a page is Hadoop's framing, not a bare Snappy body as for
 * Hadoop's SnappyDirectDecompressor.
 *
 * <p>A call whose source has bytes begins a page, whatever was before. It takes all of them: the source's position
 * moves to its limit, and its bytes must not change before {@link #finished()}. Where the target is too small for the
 * page, more calls follow, each with a source that has nothing left, until {@code finished()}. The target's position
 * moves behind what was written.
 *
 * <pre>{@code
 * do {
 *     target.clear();
 *     decompressor.decompress(page, target);
 *     use(target.flip());
 * } while (!decompressor.finished());
 * }</pre>
 *
 * <p>A page that is damaged or cut short is an IOException, thrown by the call that meets the damage, also when the
 * target has been filled before. The next call begins anew. One thread at a time uses the object. Between pages it
 * holds no memory but itself.
 */
public final class DirectChunkDecompressor implements DirectDecompressor {
    private static final int NONE = -1;

    private final Format format;
    private final CodecOptions options;
    private ChunkedInputStream page;
    private boolean finished;
    /** The byte of the page that was read to see whether the page goes on behind a full target. */
    private int ahead = NONE;

    DirectChunkDecompressor(Format format, CodecOptions options) {
        this.format = format;
        this.options = options;
    }

    /**
     * Begins a page or goes on with one, until the target is full or the page has ended.
     *
     * @param source a whole page, or nothing where a page goes on; behind the end of a page nothing does nothing
     * @throws EOFException if the page is cut short, also to nothing where the format has no page of 0 bytes: all but
     *     {@code .lz4} and {@code .snappy}
     * @throws IOException if the page is damaged
     * @throws ReadOnlyBufferException if the target cannot be written; nothing happens then
     */
    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (source.hasRemaining()) {
            reset();
        }
        if (!finished) {
            takePage(source);
            boolean good = false;
            try {
                fill(target);
                good = true;
            } finally {
                if (!good) {
                    reset();
                }
            }
        }
    }

    private void takePage(ByteBuffer source) {
        if (page == null) {
            page = new ChunkedInputStream(new PageSource(source.slice()), format, options);
            source.position(source.limit());
        }
    }

    private void fill(ByteBuffer target) throws IOException {
        if (ahead != NONE && target.hasRemaining()) {
            target.put((byte) ahead);
            ahead = NONE;
        }
        while (target.hasRemaining()) {
            if (page.read(target) < 0) {
                end();
                return;
            }
        }
        if (ahead == NONE) {
            ahead = page.read();
            if (ahead < 0) {
                end();
            }
        }
    }

    private void end() throws IOException {
        page.close();
        page = null;
        finished = true;
    }

    /** Whether the page of the last call has been decoded to its end, and all its checksums are right. */
    public boolean finished() {
        return finished;
    }

    /** Forgets the page, gives its memory back, and is ready for another one. */
    public void reset() {
        finished = false;
        ahead = NONE;
        if (page != null) {
            close(page);
            page = null;
        }
    }

    private static void close(ChunkedInputStream page) {
        try {
            page.close();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
