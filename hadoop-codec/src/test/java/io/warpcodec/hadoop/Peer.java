package io.warpcodec.hadoop;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Assumptions;

/** Other people's readers and writers of our formats. */
public enum Peer {
    JDK_GZIP(CodecUnderTest.GZIP, GZIPOutputStream::new, GZIPInputStream::new),
    /** Its reader needs a newer commons-io than Hadoop brings; the JDK reads in its place. */
    COMMONS_GZIP(CodecUnderTest.GZIP, GzipCompressorOutputStream::new, GZIPInputStream::new),
    HADOOP_GZIP(CodecUnderTest.GZIP, GzipCodec.class),
    TOOL_GZIP(CodecUnderTest.GZIP, "gzip"),
    JDK_ZLIB(CodecUnderTest.DEFLATE, DeflaterOutputStream::new, InflaterInputStream::new),
    HADOOP_DEFAULT(CodecUnderTest.DEFLATE, DefaultCodec.class),
    COMMONS_BZIP2(
            CodecUnderTest.BZIP2, BZip2CompressorOutputStream::new, in -> new BZip2CompressorInputStream(in, true)),
    HADOOP_BZIP2(CodecUnderTest.BZIP2, BZip2Codec.class),
    TOOL_BZIP2(CodecUnderTest.BZIP2, "bzip2"),
    LZ4_JAVA(CodecUnderTest.LZ4, LZ4FrameOutputStream::new, LZ4FrameInputStream::new),
    LZ4_JAVA_CHECKED(
            CodecUnderTest.LZ4,
            out -> new LZ4FrameOutputStream(
                    out,
                    BLOCKSIZE.SIZE_64KB,
                    FLG.Bits.BLOCK_INDEPENDENCE,
                    FLG.Bits.BLOCK_CHECKSUM,
                    FLG.Bits.CONTENT_CHECKSUM),
            LZ4FrameInputStream::new),
    COMMONS_LZ4(
            CodecUnderTest.LZ4,
            FramedLZ4CompressorOutputStream::new,
            in -> new FramedLZ4CompressorInputStream(in, true)),
    TOOL_LZ4(CodecUnderTest.LZ4, "lz4"),
    HADOOP_LZ4(CodecUnderTest.LZ4_HADOOP, Lz4Codec.class),
    HADOOP_SNAPPY(CodecUnderTest.SNAPPY, SnappyCodec.class),
    ZSTD_JNI(CodecUnderTest.ZSTD, ZstdOutputStream::new, ZstdInputStream::new),
    TOOL_ZSTD(CodecUnderTest.ZSTD, "zstd"),
    TOOL_PZSTD(CodecUnderTest.ZSTD, "pzstd");

    interface Writer {
        OutputStream open(OutputStream out) throws IOException;
    }

    interface Reader {
        InputStream open(InputStream in) throws IOException;
    }

    public final CodecUnderTest format;
    private final Writer writer;
    private final Reader reader;
    private final String tool;

    Peer(CodecUnderTest format, Writer writer, Reader reader) {
        this.format = format;
        this.writer = writer;
        this.reader = reader;
        this.tool = null;
    }

    Peer(CodecUnderTest format, Class<? extends CompressionCodec> stock) {
        this(
                format,
                out -> ReflectionUtils.newInstance(stock, CodecUnderTest.DEFAULTS)
                        .createOutputStream(out),
                in -> ReflectionUtils.newInstance(stock, CodecUnderTest.DEFAULTS)
                        .createInputStream(in));
    }

    Peer(CodecUnderTest format, String tool) {
        this.format = format;
        this.writer = null;
        this.reader = null;
        this.tool = tool;
    }

    /** Skips, visibly, a test with a tool that is not installed. */
    public void assumeThere() {
        Assumptions.assumeTrue(
                tool == null || Files.isExecutable(Path.of("/usr/bin", tool)), () -> tool + " is not installed");
    }

    public byte[] write(byte[] content) throws IOException {
        if (tool != null) {
            return run(List.of("/usr/bin/" + tool, "-c"), content);
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = writer.open(file)) {
            out.write(content);
        }
        return file.toByteArray();
    }

    byte[] read(byte[] file) throws IOException {
        if (tool != null) {
            return run(List.of("/usr/bin/" + tool, "-dc"), file);
        }
        try (InputStream in = reader.open(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static byte[] run(List<String> command, byte[] input) throws IOException {
        Process process = new ProcessBuilder(command).start();
        CompletableFuture<Void> fed = CompletableFuture.runAsync(() -> {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input);
            } catch (IOException closedEarly) {
                // the exit status says why
            }
        });
        byte[] output = process.getInputStream().readAllBytes();
        byte[] complaint = process.getErrorStream().readAllBytes();
        fed.join();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + ": " + new String(complaint, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            process.destroy();
            throw new IOException(e);
        }
        return output;
    }
}
