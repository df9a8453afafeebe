package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.PzstdForge;
import io.warpcodec.forge.SeekTableForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Peer;
import io.warpcodec.hadoop.split.SplitLines.Api;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of pzstd and of the seekable format, through Hadoop's LineRecordReader: each line exactly once. */
class ForeignZstdSplitTest {
    private static final String CUSTOM = "@@|";

    @TempDir
    Path folder;

    private static byte[] lines(int bytes, String ending) {
        return SplitLines.numbered(bytes, ending, 77);
    }

    /** The local file system as Hadoop has it by default, also where another test of this JVM has asked for another. */
    private static Configuration conf() {
        Configuration conf = CodecUnderTest.ZSTD.conf();
        conf.setBoolean("fs.file.impl.disable.cache", true);
        return conf;
    }

    private SplitLines open(byte[] zstd, String delimiter, byte[] content) throws IOException {
        Path file = Files.write(Files.createTempFile(folder, "a folder", ".zst"), zstd);
        return new SplitLines(conf(), new org.apache.hadoop.fs.Path(file.toUri()), zstd.length, delimiter, content);
    }

    private static long decodedBytes() {
        return Metrics.sum("decode.zstd.", "bytesOut");
    }

    /** A split reads into the next, so more was decoded than the content; yet more where an engine works ahead. */
    private static void wasDecodedOnce(long bytes, byte[] content, long more) {
        if (System.getProperty("warpcodec.test.engine", "").isEmpty()) {
            assertThat(bytes).isBetween(content.length + 1L, content.length + more);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n", CUSTOM})
    void everySplitSizeDeliversEachLineOnce(String ending) throws IOException {
        byte[] content = lines(230, ending);
        String delimiter = ending.equals(CUSTOM) ? CUSTOM : null;
        for (byte[] file : new byte[][] {
            PzstdForge.file(content, 61, 3, true),
            SeekTableForge.of(content, 37, 3).build(),
            SeekTableForge.of(content, 53, 3).withChecksums().build()
        }) {
            SplitLines lines = open(file, delimiter, content);
            assertThat(lines.lineCount()).isGreaterThan(12);
            int stride = ending.equals("\n") ? 1 : 5;
            for (int size = 1; size <= file.length; size += size < 20 ? 1 : stride) {
                lines.checkSplitSize(Api.MAPREDUCE, size);
            }
            for (int size = 40; size <= file.length; size += 7) {
                lines.checkSplitSize(Api.MAPRED, size);
            }
        }
    }

    @Test
    void sixSplitsReadASixthEach() throws IOException {
        byte[] content = lines(12_000_000, "\n");
        for (byte[] file : new byte[][] {
            PzstdForge.file(content, 1 << 20, 3, true),
            SeekTableForge.of(content, 1 << 20, 3).build()
        }) {
            SplitLines lines = open(file, null, content);
            long before = decodedBytes();
            lines.checkSplitSize(Api.MAPREDUCE, file.length / 6 + 1);
            // each also reads to the end of a line, and with it the first frame of the next
            wasDecodedOnce(decodedBytes() - before, content, 6L << 20);
            lines.check(Api.MAPRED, 1, 2, file.length / 3, file.length / 2, file.length - 1);
        }
    }

    /** Files of the tool itself: frames of 8 MiB at its level 3, and more processors than one. */
    @Test
    void filesOfPzstdItselfSplit() throws IOException {
        Peer.TOOL_PZSTD.assumeThere();
        byte[] content = lines(20_000_000, "\n");
        byte[] file = Peer.TOOL_PZSTD.write(content);
        SplitLines lines = open(file, null, content);
        long before = decodedBytes();
        lines.checkSplitSize(Api.MAPREDUCE, file.length / 2 + 1);
        wasDecodedOnce(decodedBytes() - before, content, 16L << 20);
        lines.check(Api.MAPRED, 11, 12, 13, file.length / 3, file.length - 1);
    }

    @Test
    void theSeekTableIsFoundOnHdfs() throws IOException {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        try {
            FileSystem files = hdfs.getFileSystem();
            byte[] content = lines(4_000_000, "\n");
            byte[] zstd = SeekTableForge.of(content, 200_000, 3).build();
            org.apache.hadoop.fs.Path file = files.makeQualified(new org.apache.hadoop.fs.Path("/a folder/text.zst"));
            try (var out = files.create(file)) {
                out.write(zstd);
            }
            SplitLines lines = new SplitLines(conf(), file, zstd.length, null, content);
            long before = decodedBytes();
            lines.checkSplitSize(Api.MAPREDUCE, zstd.length / 4 + 1);
            wasDecodedOnce(decodedBytes() - before, content, 4L * 200_000);
        } finally {
            hdfs.shutdown(true);
        }
    }
}
