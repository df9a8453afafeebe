package io.warpcodec.hadoop.unsplit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;
import org.apache.hadoop.io.compress.DirectDecompressor;

/**
 * One of our codecs without its splits. Hadoop, Spark and Hive ask {@code instanceof SplittableCompressionCodec};
 * this one is none, so a file is one task. It writes the same files, which split where the other class reads them.
 * Thread-safe once configured.
 */
abstract class UnsplitCodec implements DirectDecompressionCodec, Configurable {
    private final CompressionCodec codec;

    UnsplitCodec(CompressionCodec codec) {
        this.codec = codec;
    }

    @Override
    public final Configuration getConf() {
        return ((Configurable) codec).getConf();
    }

    @Override
    public final void setConf(Configuration value) {
        ((Configurable) codec).setConf(value);
    }

    @Override
    public final String getDefaultExtension() {
        return codec.getDefaultExtension();
    }

    @Override
    public final CompressionOutputStream createOutputStream(OutputStream out) throws IOException {
        return codec.createOutputStream(out);
    }

    @Override
    public final CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor)
            throws IOException {
        return codec.createOutputStream(out, compressor);
    }

    @Override
    public final Class<? extends Compressor> getCompressorType() {
        return codec.getCompressorType();
    }

    @Override
    public final Compressor createCompressor() {
        return codec.createCompressor();
    }

    @Override
    public final CompressionInputStream createInputStream(InputStream in) throws IOException {
        return codec.createInputStream(in);
    }

    @Override
    public final CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
            throws IOException {
        return codec.createInputStream(in, decompressor);
    }

    @Override
    public final Class<? extends Decompressor> getDecompressorType() {
        return codec.getDecompressorType();
    }

    @Override
    public final Decompressor createDecompressor() {
        return codec.createDecompressor();
    }

    @Override
    public final DirectDecompressor createDirectDecompressor() {
        return ((DirectDecompressionCodec) codec).createDirectDecompressor();
    }
}
