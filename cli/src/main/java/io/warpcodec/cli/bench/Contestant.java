package io.warpcodec.cli.bench;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * One compressor with its decompressor. Methods may be called by several threads at once; the streams may not.
 *
 * @param name as the table shows it
 * @param suffix the format
 */
record Contestant(String name, String suffix, Encoder encoder, Decoder decoder) {

    private static final int STREAM_BUFFER_BYTES = 64 << 10;

    /** Opens a compressing stream. */
    interface Encoder {
        OutputStream open(OutputStream sink) throws IOException;
    }

    /** Opens a decompressing stream. */
    interface Decoder {
        InputStream open(InputStream source) throws IOException;
    }

    /** Our streams, each followed by the library that others would use for the format, at the same level. */
    static List<Contestant> all(Mode mode) {
        List<Contestant> all = new ArrayList<>();
        CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
        all.add(ours(Format.GZIP, options));
        all.add(new Contestant(
                "zlib (JDK)",
                ".gz",
                sink -> new GZIPOutputStream(sink, STREAM_BUFFER_BYTES),
                source -> new GZIPInputStream(source, STREAM_BUFFER_BYTES)));
        all.add(ours(Format.ZLIB, options));
        all.add(ours(Format.BZIP2, options));
        all.add(new Contestant(
                "commons-compress",
                ".bz2",
                BZip2CompressorOutputStream::new,
                source -> new BZip2CompressorInputStream(source, true)));
        all.add(ours(Format.LZ4, options));
        all.add(new Contestant(
                "lz4-java",
                ".lz4",
                sink -> new LZ4FrameOutputStream(
                        sink, BLOCKSIZE.SIZE_64KB, Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM),
                LZ4FrameInputStream::new));
        all.add(ours(Format.SNAPPY, options.withFraming(Framing.HADOOP)));
        all.add(new Contestant(
                "snappy-java",
                ".snappy",
                sink -> new SnappyOutputStream(sink, STREAM_BUFFER_BYTES),
                SnappyInputStream::new));
        all.add(ours(Format.ZSTD, options));
        all.add(new Contestant("zstd-jni", ".zst", Contestant::zstd, ZstdInputStream::new));
        return all;
    }

    private static Contestant ours(Format format, CodecOptions options) {
        return new Contestant(
                "warpcodec",
                format.suffix(),
                sink -> new ChunkedOutputStream(sink, format, options),
                source -> new ChunkedInputStream(source, format, options));
    }

    private static OutputStream zstd(OutputStream sink) throws IOException {
        ZstdOutputStream stream = new ZstdOutputStream(sink, Format.ZSTD.defaultLevel());
        stream.setChecksum(true);
        return stream;
    }
}
