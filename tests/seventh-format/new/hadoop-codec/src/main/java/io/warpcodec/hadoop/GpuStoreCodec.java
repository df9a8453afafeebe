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
 * {@code .store}: stored units with checksums, which split everywhere.
 */
public final class GpuStoreCodec extends GpuCodec implements SplittableCompressionCodec {
    public GpuStoreCodec() {
        super(Format.STORE);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return StoreCompressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new StoreCompressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return StoreDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new StoreDecompressor(getConf());
    }

    @Override
    public SplitCompressionInputStream createInputStream(
            InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
        return SplitDecodingStream.open(in, format(), options(decompressor), start, end, mode == READ_MODE.CONTINUOUS);
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class StoreCompressor extends ChunkCompressor {
        StoreCompressor(Configuration conf) {
            super(Format.STORE, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class StoreDecompressor extends ChunkDecompressor {
        StoreDecompressor(Configuration conf) {
            super(Format.STORE, conf);
        }
    }
}
