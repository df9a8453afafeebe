package io.warpcodec.hadoop.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec.READ_MODE;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the codec does with the index beside a file: a file system that may refuse it, and that counts who reads it. */
class SideCarFileTest {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();
    private static volatile boolean refuses;

    /** The local file system, which knows of every index that is opened. */
    public static final class WatchedFileSystem extends LocalFileSystem {
        @Override
        public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
            FSDataInputStream in = super.open(path, bufferBytes);
            if (path.getName().endsWith(".gz")) {
                return in;
            }
            if (refuses) {
                in.close();
                throw new AccessControlException("refused: " + path);
            }
            OPENED.incrementAndGet();
            return new FSDataInputStream(in) {
                @Override
                public void close() throws IOException {
                    CLOSED.incrementAndGet();
                    super.close();
                }
            };
        }
    }

    @TempDir
    java.nio.file.Path folder;

    private final byte[] raw = Payloads.noise(1_500_000, 1);
    private Configuration conf;
    private Path file;
    private long fileBytes;

    @BeforeEach
    void write() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink)) {
            out.write(raw);
        }
        byte[] gzip = sink.toByteArray();
        fileBytes = gzip.length;
        Files.write(folder.resolve("a.gz"), gzip);
        Files.write(
                folder.resolve(GzipIndex.nameFor("a.gz")),
                GzipIndexer.index(() -> new ByteArrayInputStream(gzip), 20_000));
        file = new Path(folder.resolve("a.gz").toUri());
        conf = CodecUnderTest.GZIP.conf();
        conf.setClass("fs.file.impl", WatchedFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
        conf.setBoolean("fs.file.impl.disable.cache", true);
        OPENED.set(0);
        CLOSED.set(0);
        refuses = false;
    }

    private byte[] split(long start, long end) throws IOException {
        SplittableCompressionCodec codec = (SplittableCompressionCodec) CodecUnderTest.GZIP.codec(conf);
        try (InputStream in = codec.createInputStream(
                file.getFileSystem(conf).open(file), codec.createDecompressor(), start, end, READ_MODE.BYBLOCK)) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatIsOpenedIsClosed() throws IOException {
        assertThat(split(fileBytes / 2, fileBytes)).hasSizeBetween(1, raw.length - 1);
        split(0, fileBytes / 2);
        assertThat(OPENED.get()).isPositive();
        assertThat(CLOSED.get()).isEqualTo(OPENED.get());
    }

    @Test
    void anIndexThatMayNotBeReadIsIgnoredByEveryTaskAndCounted() throws IOException {
        refuses = true;
        long before = Metrics.counter("fallback.decode.gzip.sidecar-unreadable").sum();
        assertThat(split(0, fileBytes / 2)).isEqualTo(raw);
        assertThat(split(fileBytes / 2, fileBytes)).isEmpty();
        assertThat(Metrics.counter("fallback.decode.gzip.sidecar-unreadable").sum() - before)
                .isEqualTo(2);
        assertThat(OPENED.get()).isZero();
    }
}
