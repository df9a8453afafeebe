package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.PushDecoder;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * A bare decompressor: bytes of a file in, raw bytes out, one chunk at a time on the caller's thread, stopping after
 * each complete member, frame or outer block. It never uses bytes behind that. Each codec has a subclass of its own,
 * because Hadoop pools by class.
 *
 * <p>One thread at a time uses it. Another one may reset or end it at any moment, as a pool does that is given it
 * back: a call that is going on keeps its buffers to itself, and gives them back when it leaves.
 */
abstract class ChunkDecompressor implements Decompressor {
    private final Format format;
    private final Configuration conf;
    private volatile PushDecoder decoder;
    private volatile boolean ended;

    ChunkDecompressor(Format format, Configuration conf) {
        this.format = format;
        this.conf = conf;
    }

    private PushDecoder decoder() {
        PushDecoder used = decoder;
        if (used == null) {
            CodecOptions options;
            try {
                options = HadoopSettings.options(conf, format);
            } catch (IOException bad) {
                throw new IllegalArgumentException(bad.getMessage(), bad);
            }
            used = new PushDecoder(format, options);
            decoder = used;
        }
        return used;
    }

    @Override
    public final void setInput(byte[] bytes, int start, int length) {
        Arguments.checkRange(bytes, start, length);
        decoder().setInput(bytes, start, length);
    }

    @Override
    public final boolean needsInput() {
        return decoder().needsInput();
    }

    /** Never needed by what we read; ignored. */
    @Override
    public final void setDictionary(byte[] bytes, int start, int length) {
        Arguments.checkRange(bytes, start, length);
    }

    @Override
    public final boolean needsDictionary() {
        return false;
    }

    @Override
    public final boolean finished() {
        return decoder().finished();
    }

    @Override
    public final int decompress(byte[] bytes, int start, int length) throws IOException {
        Arguments.checkRange(bytes, start, length);
        if (ended) {
            throw AfterEnd.exception("decompressor is ended");
        }
        return decoder().decode(bytes, start, length);
    }

    @Override
    public final int getRemaining() {
        return decoder().remaining();
    }

    @Override
    public final void reset() {
        PushDecoder used = decoder;
        if (used != null && !used.reset()) {
            drop();
        }
    }

    private void drop() {
        PushDecoder used = decoder;
        decoder = null;
        if (used != null) {
            used.close();
        }
    }

    @Override
    public final void end() {
        ended = true;
        drop();
    }
}
