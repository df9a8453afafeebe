package io.warpcodec.hadoop;

import io.warpcodec.Format;
import io.warpcodec.hadoop.file.SideCarFile;
import io.warpcodec.stream.gzipindex.SideCar;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * {@code .gz}: reads any gzip file; writes members that standard tools read and that splits can begin at. Plain gzip
 * files of others, which have nowhere to split, are read once, by the split that starts at 0, unless there is an
 * index beside them; BGZF files split.
 */
public final class GpuGzipCodec extends GpuCodec implements SplittableCompressionCodec {
    public GpuGzipCodec() {
        super(Format.GZIP);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return GzipCompressor.class;
    }

    @Override
    public Compressor createCompressor() {
        return new GzipCompressor(getConf());
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return GzipDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new GzipDecompressor(getConf());
    }

    @Override
    public SplitCompressionInputStream createInputStream(
            InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
        SideCar.Finder sideCars = () -> SideCarFile.beside(in, getConf());
        return SplitDecodingStream.open(
                in, format(), options(decompressor), start, end, mode == READ_MODE.CONTINUOUS, sideCars.splitIndex());
    }

    /** This codec's compressor; a class of its own because Hadoop pools by class. */
    static final class GzipCompressor extends ChunkCompressor {
        GzipCompressor(Configuration conf) {
            super(Format.GZIP, conf);
        }
    }

    /** This codec's decompressor; a class of its own because Hadoop pools by class. */
    static final class GzipDecompressor extends ChunkDecompressor {
        GzipDecompressor(Configuration conf) {
            super(Format.GZIP, conf);
        }
    }
}
