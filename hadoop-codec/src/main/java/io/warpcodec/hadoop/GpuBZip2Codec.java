package io.warpcodec.hadoop;

import io.warpcodec.Format;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * {@code .bz2}: reads any bzip2 file, splits at every bzip2 block, writes one standard bzip2 stream.
 */
public final class GpuBZip2Codec extends GpuCodec implements SplittableCompressionCodec {
    public GpuBZip2Codec() {
        super(Format.BZIP2);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return BZip2Compressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new BZip2Compressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return BZip2Decompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new BZip2Decompressor(getConf());
    }

    @Override
    public SplitCompressionInputStream createInputStream(
            InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
        return SplitDecodingStream.open(in, format(), options(decompressor), start, end, mode == READ_MODE.CONTINUOUS);
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class BZip2Compressor extends ChunkCompressor {
        BZip2Compressor(Configuration conf) {
            super(Format.BZIP2, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class BZip2Decompressor extends ChunkDecompressor {
        BZip2Decompressor(Configuration conf) {
            super(Format.BZIP2, conf);
        }
    }
}
