package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.compress.CompressionInputStream;

/** Hadoop's face of {@link ChunkedInputStream} over a whole stream. Making one reads nothing. */
final class DecodingStream extends CompressionInputStream {
    private final ChunkedInputStream stream;

    DecodingStream(InputStream in, Format format, CodecOptions options) throws IOException {
        super(in);
        stream = new ChunkedInputStream(FileInput.of(in), format, options);
    }

    @Override
    public int read() throws IOException {
        return stream.read();
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
        return stream.read(bytes, start, length);
    }

    @Override
    public int available() {
        return stream.available();
    }

    /** The bytes behind this stream were swapped: forget what was read ahead. */
    @Override
    public void resetState() throws IOException {
        stream.restart();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
