package io.warpcodec.hadoop.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;

/**
 * Our bare compressor of any format, in a public class. Hadoop's {@code CompressDecompressTester} silently leaves out
 * compressors of classes that it does not know; to it, this one is its {@code SnappyCompressor}.
 */
public final class OurCompressor implements Compressor {
    private final Compressor ours;

    public OurCompressor(CompressionCodec codec) {
        ours = codec.createCompressor();
    }

    /**
     * Whether native code for a codec is there, which Hadoop's tests ask its zstd codec; ours needs none of Hadoop's.
     */
    public static boolean isNativeCodeLoaded() {
        return true;
    }

    @Override
    public void setInput(byte[] bytes, int start, int length) {
        ours.setInput(bytes, start, length);
    }

    @Override
    public boolean needsInput() {
        return ours.needsInput();
    }

    @Override
    public void setDictionary(byte[] bytes, int start, int length) {
        ours.setDictionary(bytes, start, length);
    }

    @Override
    public long getBytesRead() {
        return ours.getBytesRead();
    }

    @Override
    public long getBytesWritten() {
        return ours.getBytesWritten();
    }

    @Override
    public void finish() {
        ours.finish();
    }

    @Override
    public boolean finished() {
        return ours.finished();
    }

    @Override
    public int compress(byte[] bytes, int start, int length) throws IOException {
        return ours.compress(bytes, start, length);
    }

    @Override
    public void reset() {
        ours.reset();
    }

    @Override
    public void end() {
        ours.end();
    }

    @Override
    public void reinit(Configuration conf) {
        ours.reinit(conf);
    }
}
