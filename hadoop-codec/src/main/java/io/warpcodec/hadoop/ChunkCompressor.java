package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.PushEncoder;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;

/**
 * A bare compressor: bytes in, a complete file of the format out, one chunk at a time on the caller's thread. It
 * holds no memory of any pool between streams. Each codec has a subclass of its own, because Hadoop pools by class.
 *
 * <p>One thread at a time uses it. Another one may reset or end it at any moment, as a pool does that is given it
 * back: a call that is going on keeps its buffers to itself, and gives them back when it leaves. After an exception
 * every call throws until the next reset.
 */
abstract class ChunkCompressor implements Compressor {
    private final Format format;
    private Configuration conf;
    private CodecOptions options;
    private IOException settingsError;
    private volatile PushEncoder encoder;
    private volatile boolean ended;

    ChunkCompressor(Format format, Configuration conf) {
        this.format = format;
        configure(conf);
    }

    private void configure(Configuration value) {
        conf = value;
        settingsError = null;
        options = null;
        try {
            options = HadoopSettings.options(conf, format);
        } catch (IOException bad) {
            settingsError = bad;
        }
    }

    /** The settings in force, or null if they could not be read. */
    final CodecOptions options() {
        return options;
    }

    private PushEncoder encoder() {
        PushEncoder used = encoder;
        if (used == null) {
            used = new PushEncoder(format, options == null ? CodecOptions.DEFAULTS : options);
            encoder = used;
        }
        return used;
    }

    @Override
    public final void setInput(byte[] bytes, int start, int length) {
        Arguments.checkRange(bytes, start, length);
        encoder().setInput(bytes, start, length);
    }

    @Override
    public final boolean needsInput() {
        return encoder().needsInput();
    }

    /** Dictionaries do not exist in the formats that we write; ignored, as by Hadoop's block codecs. */
    @Override
    public final void setDictionary(byte[] bytes, int start, int length) {
        Arguments.checkRange(bytes, start, length);
    }

    @Override
    public final long getBytesRead() {
        return encoder().bytesRead();
    }

    @Override
    public final long getBytesWritten() {
        return encoder().bytesWritten();
    }

    @Override
    public final void finish() {
        encoder().finish();
    }

    @Override
    public final boolean finished() {
        return encoder().finished();
    }

    @Override
    public final int compress(byte[] bytes, int start, int length) throws IOException {
        Arguments.checkRange(bytes, start, length);
        if (ended) {
            throw AfterEnd.exception("compressor is ended");
        }
        if (settingsError != null) {
            throw settingsError;
        }
        return encoder().encode(bytes, start, length);
    }

    @Override
    public final void reset() {
        PushEncoder used = encoder;
        if (used != null && !used.reset()) {
            drop();
        }
    }

    private void drop() {
        PushEncoder used = encoder;
        encoder = null;
        if (used != null) {
            used.close();
        }
    }

    @Override
    public final void end() {
        ended = true;
        drop();
    }

    /** Reads all settings again; null keeps those in force. */
    @Override
    public final void reinit(Configuration value) {
        if (value != null) {
            configure(value);
        }
        PushEncoder used = encoder;
        if (used != null && !used.reset(options == null ? CodecOptions.DEFAULTS : options)) {
            drop();
        }
    }
}
