package io.warpcodec.hadoop;

import io.warpcodec.Format;
import io.warpcodec.hadoop.file.FileLength;
import io.warpcodec.stream.seektable.SeekTableSplit;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * {@code .zst}: reads any zstd frames without a dictionary; writes several frames with content size and checksum, at
 * which splits can begin. They begin at those of pzstd too, and where a seek table says.
 */
public final class GpuZstdCodec extends GpuCodec implements SplittableCompressionCodec {
    public GpuZstdCodec() {
        super(Format.ZSTD);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return ZstdCompressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new ZstdCompressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return ZstdDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new ZstdDecompressor(getConf());
    }

    @Override
    public SplitCompressionInputStream createInputStream(
            InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
        return SplitDecodingStream.open(
                in,
                format(),
                options(decompressor),
                start,
                end,
                mode == READ_MODE.CONTINUOUS,
                SeekTableSplit.index(() -> FileLength.of(in)));
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class ZstdCompressor extends ChunkCompressor {
        ZstdCompressor(Configuration conf) {
            super(Format.ZSTD, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class ZstdDecompressor extends ChunkDecompressor {
        ZstdDecompressor(Configuration conf) {
            super(Format.ZSTD, conf);
        }
    }
}
