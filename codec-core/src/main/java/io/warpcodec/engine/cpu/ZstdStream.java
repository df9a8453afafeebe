package io.warpcodec.engine.cpu;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.nio.ByteBuffer;

/**
 * A libzstd decoding context for one frame as a stream, with a direct buffer on either side. Its native memory is freed by
 * {@link #close}, or when it is found abandoned. Not thread-safe.
 */
final class ZstdStream implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    /** What libzstd 1.5 takes for a context with its tables, and for two blocks of input beside the window. */
    private static final long CONTEXT_BYTES = (160 << 10) + (256 << 10);

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private final Runnable free;
    private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final ByteBuffer output = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    /** @param windowBytes most that libzstd will keep of the frame's output */
    ZstdStream(long windowBytes) {
        free = NativeMemory.own(this, CONTEXT_BYTES + windowBytes, context::close);
    }

    /** Compressed bytes that libzstd has not taken yet, from position to limit. */
    ByteBuffer input() {
        return input;
    }

    /** Decoded bytes not handed on yet, from position to limit. */
    ByteBuffer output() {
        return output;
    }

    /**
     * Decodes into a direct buffer, from its position.
     *
     * @return whether the frame has ended and all of it is in the target
     * @throws com.github.luben.zstd.ZstdException if the data is bad
     */
    boolean decode(ByteBuffer target) {
        return context.decompressDirectByteBufferStream(target, input);
    }

    @Override
    public void close() {
        free.run();
    }
}
