package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;

/**
 * What all our codecs share. Codec objects are made all the time, one for each record reader and registered codec:
 * making one touches no device, loads no library and never throws. Streams do not work through the (de)compressor
 * that they are given, which is a cheap handle from Hadoop's pool; they take the settings from it.
 *
 * <p>Thread-safe once configured.
 */
abstract class GpuCodec implements DirectDecompressionCodec, Configurable {
    private final Format format;
    private volatile Configuration conf;

    GpuCodec(Format format) {
        this.format = format;
    }

    @Override
    public final Configuration getConf() {
        return conf;
    }

    @Override
    public final void setConf(Configuration value) {
        conf = value;
    }

    @Override
    public final String getDefaultExtension() {
        return format.suffix();
    }

    final Format format() {
        return format;
    }

    /** Settings of a stream: those of the coder that it is given where that is one of ours. */
    final CodecOptions options(Object coder) throws IOException {
        return coder instanceof ChunkCompressor compressor && compressor.options() != null
                ? compressor.options()
                : HadoopSettings.options(conf, format);
    }

    @Override
    public final CompressionOutputStream createOutputStream(OutputStream out) throws IOException {
        return createOutputStream(out, null);
    }

    @Override
    public final CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor)
            throws IOException {
        CodecOptions options = options(compressor);
        beforeWriting(out, options);
        return new EncodingStream(out, format, options);
    }

    /** Told of each stream that is to be written. */
    void beforeWriting(OutputStream out, CodecOptions options) {}

    @Override
    public final CompressionInputStream createInputStream(InputStream in) throws IOException {
        return createInputStream(in, null);
    }

    @Override
    public final CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
            throws IOException {
        return new DecodingStream(in, format, options(decompressor));
    }

    /**
     * A decompressor of whole pages in buffers, which may be direct.
     *
     * @throws IllegalArgumentException if a setting is wrong
     */
    @Override
    public final DirectChunkDecompressor createDirectDecompressor() {
        try {
            return new DirectChunkDecompressor(format, options(null));
        } catch (IOException bad) {
            throw new IllegalArgumentException(bad.getMessage(), bad);
        }
    }
}
