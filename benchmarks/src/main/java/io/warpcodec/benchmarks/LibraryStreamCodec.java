package io.warpcodec.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;

/** Streams of the libraries themselves, set to the block sizes, levels and checksums that ours have by default. */
public enum LibraryStreamCodec implements StreamCodec {
    /** lz4-java: independent 64 KiB blocks, content checksum. */
    LZ4_FRAME {
        @Override
        public OutputStream compress(OutputStream sink) throws IOException {
            return new LZ4FrameOutputStream(
                    sink,
                    BLOCKSIZE.SIZE_64KB,
                    -1L,
                    LZ4Factory.fastestInstance().fastCompressor(),
                    XXHashFactory.fastestInstance().hash32(),
                    FLG.Bits.BLOCK_INDEPENDENCE,
                    FLG.Bits.CONTENT_CHECKSUM);
        }

        @Override
        public InputStream decompress(InputStream source) throws IOException {
            return new LZ4FrameInputStream(source);
        }
    },
    /** The JDK's gzip at its default level, 64 KiB buffers: Spark itself has no gzip codec. */
    JDK_GZIP {
        @Override
        public OutputStream compress(OutputStream sink) throws IOException {
            return new GZIPOutputStream(sink, 64 << 10) {
                {
                    def.setLevel(Deflater.DEFAULT_COMPRESSION);
                }
            };
        }

        @Override
        public InputStream decompress(InputStream source) throws IOException {
            return new GZIPInputStream(source, 64 << 10);
        }
    }
}
