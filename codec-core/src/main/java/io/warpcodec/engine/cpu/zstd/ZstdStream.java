package io.warpcodec.engine.cpu.zstd;

import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer;
import com.github.luben.zstd.ZstdIOException;
import io.warpcodec.engine.cpu.base.NativeMemory;
import io.warpcodec.engine.zstd.ZstdHandOver;
import io.warpcodec.engine.zstd.ZstdPosition;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A libzstd decoding context for one frame as a stream, from array to array: no copy stands between the source's
 * bytes, libzstd and the reader's. Its native memory is freed by {@link #close}, or when it is found abandoned. Not
 * thread-safe.
 */
final class ZstdStream implements AutoCloseable {
    /** What libzstd 1.5 takes for a context with its tables, and for two blocks of input beside the window. */
    private static final long CONTEXT_BYTES = (160 << 10) + (256 << 10);

    private final Library library = new Library();
    private final Runnable free;

    /** The library's stream, whose source we change as we like. */
    private static final class Library extends ZstdBufferDecompressingStreamNoFinalizer {
        Library() {
            super(ByteBuffer.allocate(0));
        }

        void from(ByteBuffer input) {
            source = input;
        }
    }

    /** @param windowBytes most that libzstd will keep of the frame's output */
    ZstdStream(long windowBytes) {
        free = NativeMemory.own(this, CONTEXT_BYTES + windowBytes, library::close);
    }

    /**
     * A stream for the blocks behind a position, in front of which {@link ZstdHandOver#header} stands.
     *
     * @throws IOException if libzstd does not take the dictionary
     */
    static ZstdStream at(ZstdPosition position, long windowBytes) throws IOException {
        if (position.isBegin()) {
            return new ZstdStream(windowBytes);
        }
        byte[] dictionary = ZstdHandOver.dictionary(position);
        ZstdStream stream = new ZstdStream(windowBytes + dictionary.length);
        try {
            stream.library.setDict(dictionary);
        } catch (IOException | RuntimeException refused) {
            stream.close();
            throw refused;
        }
        return stream;
    }

    /**
     * Goes on decoding from one heap buffer into another; both positions advance.
     *
     * @return whether the frame has ended, all input is taken and all output is in the target
     * @throws ZstdIOException if the data is bad
     */
    boolean decode(ByteBuffer input, ByteBuffer target) throws IOException {
        library.from(input);
        library.read(target);
        return !library.hasRemaining();
    }

    @Override
    public void close() {
        free.run();
    }
}
