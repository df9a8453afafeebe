package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.hadoop.file.FileInput;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.SplitIndex;
import io.warpcodec.stream.SplitRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;

/**
 * One split of a file. Adjusted start and end are those given: the position alone tells a reader when to stop. Making
 * one neither reads nor seeks.
 */
final class SplitDecodingStream extends SplitCompressionInputStream implements ByteBufferReadable {
    private final ChunkedInputStream stream;
    private boolean ended;

    private SplitDecodingStream(InputStream in, Format format, CodecOptions options, SplitRange range, long end)
            throws IOException {
        super(in, range.start(), end);
        stream = new ChunkedInputStream(in, format, options, range);
    }

    /** Opens a split of a file that has no index. */
    static SplitDecodingStream open(
            InputStream in, Format format, CodecOptions options, long start, long end, boolean continuous)
            throws IOException {
        return open(in, format, options, start, end, continuous, null);
    }

    /**
     * @param end exclusive end of the split, reported as the adjusted end
     * @param continuous whether the end is only reported and everything after the start is read
     * @param index where splits begin in a file without sync points; null if nothing tells
     * @throws IOException if the stream cannot seek
     */
    static SplitDecodingStream open(
            InputStream in,
            Format format,
            CodecOptions options,
            long start,
            long end,
            boolean continuous,
            SplitIndex index)
            throws IOException {
        InputStream file = FileInput.of(in);
        if (!(file instanceof Seekable seekable)) {
            throw new IOException(
                    "a split needs a stream that can seek, not " + in.getClass().getName());
        }
        SplitRange range = new SplitRange(start, continuous ? Long.MAX_VALUE : end, seekable::seek, index);
        return new SplitDecodingStream(file, format, options, range, end);
    }

    @Override
    public long getPos() throws IOException {
        return stream.position();
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

    /** At least 1 until a read has met the end, as with Hadoop's own streams. */
    @Override
    public int available() {
        return ended ? 0 : Math.max(1, stream.available());
    }

    /** A split is one stream: there is nothing to start again. */
    @Override
    public void resetState() {
        throw new UnsupportedOperationException("resetState on a split");
    }

    @Override
    public void close() throws IOException {
        ended = true;
        stream.close();
    }
}
