package io.warpcodec.hadoop;

import io.warpcodec.Format;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * {@code .deflate}: zlib streams, as Hadoop's DefaultCodec reads and writes them. Not splittable.
 */
public final class GpuDeflateCodec extends GpuCodec {
    public GpuDeflateCodec() {
        super(Format.ZLIB);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return DeflateCompressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new DeflateCompressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return DeflateDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new DeflateDecompressor(getConf());
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class DeflateCompressor extends ChunkCompressor {
        DeflateCompressor(Configuration conf) {
            super(Format.ZLIB, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class DeflateDecompressor extends ChunkDecompressor {
        DeflateDecompressor(Configuration conf) {
            super(Format.ZLIB, conf);
        }
    }
}
