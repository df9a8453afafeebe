package io.warpcodec.hadoop;

import io.warpcodec.Format;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * {@code .snappy}: Hadoop's framing of raw Snappy. It carries no checksum and does not split.
 */
public final class GpuSnappyCodec extends GpuCodec {
    public GpuSnappyCodec() {
        super(Format.SNAPPY);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return SnappyCompressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new SnappyCompressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return SnappyDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new SnappyDecompressor(getConf());
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class SnappyCompressor extends ChunkCompressor {
        SnappyCompressor(Configuration conf) {
            super(Format.SNAPPY, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class SnappyDecompressor extends ChunkDecompressor {
        SnappyDecompressor(Configuration conf) {
            super(Format.SNAPPY, conf);
        }
    }
}
