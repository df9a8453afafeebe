package io.warpcodec.hadoop.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.ForkedJvm;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec.READ_MODE;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What may lie under the name of a side-car index: only a regular file is opened, and the gzip file is read in any
 * case.
 */
class SideCarKindsTest {
    private static final byte[] CONTENT = Payloads.text(400_000, 1);

    @TempDir
    Path folder;

    private Path file;
    private Path index;

    @BeforeEach
    void write() throws IOException {
        file = Files.write(folder.resolve("part-00000.gz"), gzip(CONTENT));
        index = folder.resolve(GzipIndex.nameFor("part-00000.gz"));
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int at = 0; at < content.length; at += 40_000) {
                out.write(content, at, Math.min(40_000, content.length - at));
                out.flush();
            }
        }
        return file.toByteArray();
    }

    /** The bytes of the split that is the first half, which is all of the file where there is no index. */
    static byte[] firstHalf(Path file) throws IOException {
        Configuration conf = CodecUnderTest.GZIP.conf();
        conf.setBoolean("fs.file.impl.disable.cache", true);
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
        SplittableCompressionCodec codec = (SplittableCompressionCodec) CodecUnderTest.GZIP.codec(conf);
        try (FileSystem fileSystem = FileSystem.newInstance(file.toUri(), conf);
                InputStream in = codec.createInputStream(
                        fileSystem.open(path), null, 0, Files.size(file) / 2, READ_MODE.BYBLOCK)) {
            return in.readAllBytes();
        }
    }

    private static long counted(String name) {
        return Metrics.counter(name).sum();
    }

    private void assertIgnored() throws IOException {
        long used = counted("decode.gzip.sidecar.used");
        long ignored = counted("fallback.decode.gzip.sidecar-unreadable");
        assertThat(firstHalf(file)).isEqualTo(CONTENT);
        assertThat(counted("decode.gzip.sidecar.used") - used).isZero();
        assertThat(counted("fallback.decode.gzip.sidecar-unreadable") - ignored).isEqualTo(1);
    }

    @Test
    void aRegularFileIsUsed() throws IOException {
        Files.write(index, GzipIndexer.index(() -> Files.newInputStream(file), 20_000));
        long used = counted("decode.gzip.sidecar.used");
        firstHalf(file);
        assertThat(counted("decode.gzip.sidecar.used") - used).isEqualTo(1);
    }

    /** Opening one waits until something writes into it, and nothing interrupts that. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsIgnored() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", index.toString()).start();
        Assumptions.assumeTrue(mkfifo.waitFor() == 0, "no pipes here");
        assertIgnored();
    }

    @Test
    void aLinkIsIgnoredWhereverItLeads() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Files.write(elsewhere, GzipIndexer.index(() -> Files.newInputStream(file), 20_000));
        Files.createSymbolicLink(index, elsewhere);
        assertIgnored();
    }

    @Test
    void aFolderIsIgnored() throws IOException {
        Files.createDirectory(index);
        assertIgnored();
    }

    /**
     * 2^20 points beside a small file, in a JVM of 128 MiB: each of them a lie, but header and sum of the table are
     * right.
     */
    @Test
    void aTableOfAMillionPointsFitsASmallJvm() throws Exception {
        byte[] gzip = Files.readAllBytes(file);
        int tableBytes = GzipIndex.HEADER_BYTES + 40 * (GzipIndex.MAX_POINTS + 1) + 4;
        ByteBuffer table = ByteBuffer.allocate(tableBytes).order(ByteOrder.LITTLE_ENDIAN);
        table.putLong(0x0a1a_0a0d_4943_5789L)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(GzipIndex.MAX_POINTS);
        int sampleBytes = Math.min(gzip.length, GzipIndex.SAMPLE_BYTES);
        table.putLong(gzip.length)
                .putInt(crc(gzip, 0, sampleBytes))
                .putInt(crc(gzip, gzip.length - sampleBytes, sampleBytes));
        table.putInt(tableBytes - 4, crc(table.array(), 0, tableBytes - 4));
        Files.write(index, table.array());
        String output = ForkedJvm.run(SmallJvm.class, List.of("-Xmx128m", "-XX:+UseSerialGC"), file.toString());
        assertThat(output).contains("@ 2 readers, " + CONTENT.length + " bytes each, lying 2");
    }

    private static int crc(byte[] bytes, int start, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, start, length);
        return (int) crc.getValue();
    }

    /** Reads a file twice. */
    static final class SmallJvm {
        private SmallJvm() {}

        public static void main(String[] arguments) throws IOException {
            int bytes = firstHalf(Path.of(arguments[0])).length;
            int again = firstHalf(Path.of(arguments[0])).length;
            System.out.println("@ 2 readers, " + (bytes == again ? bytes : -1) + " bytes each, lying "
                    + counted("fallback.decode.gzip.sidecar-lying"));
        }
    }
}
