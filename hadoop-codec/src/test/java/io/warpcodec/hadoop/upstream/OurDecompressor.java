package io.warpcodec.hadoop.upstream;

import java.io.IOException;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;

/** Our bare decompressor of any format, in a public class. */
public final class OurDecompressor implements Decompressor {
    private final Decompressor ours;

    public OurDecompressor(CompressionCodec codec) {
        ours = codec.createDecompressor();
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
    public boolean needsDictionary() {
        return ours.needsDictionary();
    }

    @Override
    public boolean finished() {
        return ours.finished();
    }

    @Override
    public int decompress(byte[] bytes, int start, int length) throws IOException {
        return ours.decompress(bytes, start, length);
    }

    @Override
    public int getRemaining() {
        return ours.getRemaining();
    }

    @Override
    public void reset() {
        ours.reset();
    }

    @Override
    public void end() {
        ours.end();
    }
}
