package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.hadoop.file.FileInput;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.io.compress.CompressionInputStream;

/** Hadoop's face of {@link ChunkedInputStream} over a whole stream. Making one reads nothing. */
final class DecodingStream extends CompressionInputStream implements ByteBufferReadable {
    private final ChunkedInputStream stream;
    private boolean ended;

    DecodingStream(InputStream in, Format format, CodecOptions options) throws IOException {
        super(in);
        stream = new ChunkedInputStream(FileInput.of(in), format, options);
    }

    @Override
    public int read() throws IOException {
        int value = stream.read();
        ended |= value < 0;
        return value;
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
        int count = stream.read(bytes, start, length);
        ended |= count < 0;
        return count;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = stream.read(target);
        ended |= count < 0;
        return count;
    }

    /**
     * At least 1 until a read has met the end, as with Hadoop's own streams: callers that read while something is
     * available would otherwise stop, without a word, where a chunk ends.
     */
    @Override
    public int available() {
        return ended ? 0 : Math.max(1, stream.available());
    }

    /** The bytes behind this stream were swapped: forget what was read ahead. */
    @Override
    public void resetState() throws IOException {
        stream.restart();
        ended = false;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        stream.close();
    }
}
