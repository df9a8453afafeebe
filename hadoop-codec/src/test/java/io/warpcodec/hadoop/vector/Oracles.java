package io.warpcodec.hadoop.vector;

import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.xerial.snappy.Snappy;

/** Decoders by other people, to say which outputs are legitimate for a file on which they disagree. */
final class Oracles {
    private final CodecUnderTest format;

    Oracles(CodecUnderTest format) {
        this.format = format;
    }

    private interface Opener {
        InputStream open(InputStream in) throws IOException;
    }

    /** The digests of every complete decoding that some reference decoder delivers without an error. */
    Set<String> decodings(byte[] file) {
        Set<String> digests = new LinkedHashSet<>();
        for (Opener opener : openers()) {
            try (InputStream in = opener.open(new ByteArrayInputStream(file))) {
                digests.add(Outcome.sha256(in.readAllBytes()));
            } catch (IOException | RuntimeException refused) {
                // this decoder has no opinion
            }
        }
        return digests;
    }

    private Opener[] openers() {
        return switch (format) {
            case GZIP -> new Opener[] {GZIPInputStream::new};
            case DEFLATE -> new Opener[] {InflaterInputStream::new};
            case BZIP2 -> new Opener[] {in -> new BZip2CompressorInputStream(in, true)};
            case LZ4, LZ4_HADOOP ->
                new Opener[] {
                    LZ4FrameInputStream::new,
                    in -> new FramedLZ4CompressorInputStream(in, true),
                    in -> new ByteArrayInputStream(hadoopFraming(in, true))
                };
            case SNAPPY -> new Opener[] {in -> new ByteArrayInputStream(hadoopFraming(in, false))};
            case ZSTD -> new Opener[] {ZstdInputStream::new};
        };
    }

    /** Hadoop's framing as its description has it, read strictly: plain and slow, the reference of these suites. */
    static byte[] hadoopFraming(InputStream source, boolean lz4) throws IOException {
        DataInputStream in = new DataInputStream(source);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (; ; ) {
            int first = in.read();
            if (first < 0) {
                return out.toByteArray();
            }
            int total = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            for (int done = 0; done < total; ) {
                byte[] chunk = in.readNBytes(in.readInt());
                byte[] raw = lz4
                        ? LZ4Factory.safeInstance().safeDecompressor().decompress(chunk, total - done)
                        : Snappy.uncompress(chunk);
                if (raw.length > total - done) {
                    throw new EOFException("chunk larger than its block");
                }
                out.write(raw);
                done += raw.length;
            }
        }
    }
}
