package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;

/** Hadoop's face of {@link ChunkedOutputStream}. Making one and resetting its state write nothing. */
final class EncodingStream extends CompressionOutputStream {
    private final ChunkedOutputStream stream;

    EncodingStream(OutputStream out, Format format, CodecOptions options) {
        super(out);
        stream = new ChunkedOutputStream(out, format, options, isFile(out));
    }

    /**
     * Whether a stream is a file, and not what a container or a job has for itself: records, blocks of SequenceFiles,
     * map output.
     */
    static boolean isFile(OutputStream out) {
        return out instanceof FSDataOutputStream || out instanceof FileOutputStream;
    }

    @Override
    public void write(int value) throws IOException {
        stream.write(value);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        stream.write(bytes, start, length);
    }

    @Override
    public void finish() throws IOException {
        stream.finish();
    }

    /**
     * Begins a new compressed stream behind the finished stream.
     *
     * @throws IOException if bytes were written since the last {@code finish}: they would be missing, without a sign
     *     of it
     */
    @Override
    public void resetState() throws IOException {
        stream.restart();
    }

    @Override
    public void flush() throws IOException {
        stream.flush();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
