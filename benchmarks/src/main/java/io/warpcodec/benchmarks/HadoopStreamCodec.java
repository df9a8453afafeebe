package io.warpcodec.benchmarks;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.util.ReflectionUtils;

/** A Hadoop codec as TextOutputFormat writes and LineRecordReader reads through it: pooled coders, 64 KiB buffers. */
public final class HadoopStreamCodec implements StreamCodec {
    private final CompressionCodec codec;

    /** @param settings key, value, key, value, ... beside the buffer size */
    public HadoopStreamCodec(Class<? extends CompressionCodec> type, String... settings) {
        Configuration conf = new Configuration();
        conf.setInt("io.file.buffer.size", 64 << 10);
        conf.set("io.compression.codec.gpu.mode", "cpu");
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        codec = ReflectionUtils.newInstance(type, conf);
    }

    @Override
    public OutputStream compress(OutputStream sink) throws IOException {
        return codec.createOutputStream(sink);
    }

    @Override
    public InputStream decompress(InputStream source) throws IOException {
        Decompressor decompressor = CodecPool.getDecompressor(codec);
        return new PooledStream(codec.createInputStream(source, decompressor), decompressor);
    }

    /** Gives the decompressor back when it is closed. Reads into a {@link ByteBuffer} if the codec's stream does. */
    private static final class PooledStream extends FilterInputStream implements ByteBufferReadable {
        private final Decompressor decompressor;
        private boolean closed;

        private PooledStream(InputStream stream, Decompressor decompressor) {
            super(stream);
            this.decompressor = decompressor;
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            return ((ByteBufferReadable) in).read(buffer);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                super.close();
                CodecPool.returnDecompressor(decompressor);
            }
        }
    }
}
