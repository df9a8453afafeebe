package io.warpcodec.benchmarks;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Streams of zstd-jni, one frame each, with a checksum.
 *
 * @param level of zstd's scale
 */
public record ZstdStreamCodec(int level) implements StreamCodec {
    /** The level that ours has by default. */
    public static final ZstdStreamCodec DEFAULT = new ZstdStreamCodec(3);

    @Override
    public OutputStream compress(OutputStream sink) throws IOException {
        return new ZstdOutputStream(sink, level).setChecksum(true);
    }

    @Override
    public InputStream decompress(InputStream source) throws IOException {
        return new ZstdInputStream(source);
    }
}
