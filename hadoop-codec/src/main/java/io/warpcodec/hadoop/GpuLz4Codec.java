package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * {@code .lz4}: reads LZ4 frames and Hadoop's own framing, told apart by the first bytes. Writes LZ4 frames, which
 * split and which Hadoop's own Lz4Codec refuses, or Hadoop's framing with
 * {@code io.compression.codec.gpu.lz4.framing=hadoop}, which does not split.
 */
public final class GpuLz4Codec extends GpuCodec implements SplittableCompressionCodec {
    public GpuLz4Codec() {
        super(Format.LZ4);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return Lz4Compressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new Lz4Compressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return Lz4Decompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new Lz4Decompressor(getConf());
    }

    @Override
    void beforeWriting(OutputStream out, CodecOptions options) {
        Lz4FrameWarning.OF_THE_PROCESS.beforeWriting(out, options, getConf());
    }

    @Override
    public SplitCompressionInputStream createInputStream(
            InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
        return SplitDecodingStream.open(in, format(), options(decompressor), start, end, mode == READ_MODE.CONTINUOUS);
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class Lz4Compressor extends ChunkCompressor {
        Lz4Compressor(Configuration conf) {
            super(Format.LZ4, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class Lz4Decompressor extends ChunkDecompressor {
        Lz4Decompressor(Configuration conf) {
            super(Format.LZ4, conf);
        }
    }
}
