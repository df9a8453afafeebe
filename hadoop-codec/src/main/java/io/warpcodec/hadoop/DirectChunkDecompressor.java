package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.PushDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.apache.hadoop.io.compress.DirectDecompressor;

/**
 * Decodes buffers into buffers: a file, or a page of one, may come in any pieces, and concatenated streams are decoded one after the other. The source's position moves behind what was
 * used, never behind the end of a stream; the target's moves behind what was written. A call goes on until the target is full or the source is empty. An error is sticky.
 *
 * <p>Raw bytes are copied once, from where they were decoded to the target. Compressed bytes pass through 64 KiB of heap. One thread at a time uses it. Between streams it holds no other
 * memory.
 */
final class DirectChunkDecompressor implements DirectDecompressor {
    private static final int SLICE_BYTES = 64 << 10;

    private final PushDecoder decoder;
    private final byte[] slice = new byte[SLICE_BYTES];

    DirectChunkDecompressor(Format format, CodecOptions options) {
        decoder = new PushDecoder(format, options);
    }

    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        while (target.hasRemaining()) {
            decoder.decode(target);
            if (decoder.finished()) {
                endStream(source);
            } else if (decoder.needsInput()) {
                if (!source.hasRemaining()) {
                    return;
                }
                int count = Math.min(slice.length, source.remaining());
                source.get(slice, 0, count);
                decoder.setInput(slice, 0, count);
            }
        }
    }

    /** Gives back what the stream did not use; what follows is another stream's. */
    private void endStream(ByteBuffer source) {
        source.position(source.position() - decoder.remaining());
        decoder.reset();
    }
}
