package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.Bytes;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.file.StreamPath;
import io.warpcodec.hadoop.split.SplitLines.Api;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordinary gzip files with an index beside them, through Hadoop's LineRecordReader: each line exactly once. */
class SideCarSplitTest {
    private static final long SEED = 512L;
    private static final String CUSTOM = "@@|";

    @TempDir
    Path folder;

    private static byte[] lines(int bytes, String ending) {
        return SplitLines.numbered(bytes, ending, SEED);
    }

    /** A gzip stream as another program writes it, flushed now and then, so that it has many blocks. */
    private static byte[] gzip(byte[] content, int pieceBytes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int at = 0; at < content.length; at += pieceBytes) {
                out.write(content, at, Math.min(pieceBytes, content.length - at));
                out.flush();
            }
        }
        return file.toByteArray();
    }

    /** The local file system as Hadoop has it by default, also where another test of this JVM has asked for another. */
    private static Configuration conf() {
        Configuration conf = CodecUnderTest.GZIP.conf();
        conf.setBoolean("fs.file.impl.disable.cache", true);
        return conf;
    }

    private static long used() {
        return Metrics.counter("decode.gzip.sidecar.used").sum();
    }

    private Path write(byte[] file) throws IOException {
        return Files.write(Files.createTempFile(folder, "split", ".gz"), file);
    }

    private static Path indexOf(Path file) {
        return file.resolveSibling(GzipIndex.nameFor(file.getFileName().toString()));
    }

    private static SplitLines open(Path file, String delimiter, byte[] content) throws IOException {
        return new SplitLines(
                conf(), new org.apache.hadoop.fs.Path(file.toUri()), Files.size(file), delimiter, content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n", CUSTOM})
    void everySplitSizeDeliversEachLineOnce(String ending) throws IOException {
        byte[] content = lines(230, ending);
        byte[] gzip = gzip(content, 37);
        Path file = write(gzip);
        byte[] index = GzipIndexer.index(() -> Files.newInputStream(file), 1);
        assertThat(index).isNotNull();
        Files.write(indexOf(file), index);
        SplitLines lines = open(file, ending.equals(CUSTOM) ? CUSTOM : null, content);
        assertThat(lines.lineCount()).isGreaterThan(12);
        long before = used();
        int stride = ending.equals("\n") ? 1 : 5;
        for (int size = 1; size <= gzip.length; size += size < 20 ? 1 : stride) {
            lines.checkSplitSize(Api.MAPREDUCE, size);
        }
        for (int size = 40; size <= gzip.length; size += 7) {
            lines.checkSplitSize(Api.MAPRED, size);
        }
        assertThat(used() - before).isGreaterThan(100);
    }

    @Test
    void eightSplitsOfALargerFileReadAnEighthEach() throws IOException {
        byte[] content = lines(6_000_000, "\n");
        byte[] gzip = gzip(content, content.length);
        Path file = write(gzip);
        Files.write(indexOf(file), GzipIndexer.index(() -> Files.newInputStream(file), 100_000));
        SplitLines lines = open(file, null, content);
        long usedBefore = used();
        long bytesBefore = Metrics.sum("decode.gzip.", "bytesOut");
        lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 8 + 1);
        assertThat(used() - usedBefore).isEqualTo(8);
        // each also reads to the end of a line, and with it the first span of the next
        long decoded = Metrics.sum("decode.gzip.", "bytesOut") - bytesBefore;
        assertThat(decoded).isBetween((long) content.length, content.length * 3L / 2);
        // four of these have a point of the index
        lines.check(Api.MAPRED, 1, 2, gzip.length / 3, gzip.length / 2, gzip.length - 1);
        byte[] index = Files.readAllBytes(indexOf(file));
        index[40]++;
        Files.write(indexOf(file), index);
        lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 8 + 1);
        Files.write(indexOf(file), new byte[0]);
        lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 8 + 1);
        Files.delete(indexOf(file));
        lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 8 + 1);
        assertThat(used() - usedBefore).isEqualTo(8 + 4);
    }

    @Test
    void aFileThatWasChangedIsReadAsItIs() throws IOException {
        byte[] content = lines(300_000, "\n");
        Path file = write(gzip(content, 20_000));
        byte[] index = GzipIndexer.index(() -> Files.newInputStream(file), 10_000);
        Files.write(indexOf(file), index);
        long stale = Metrics.counter("fallback.decode.gzip.sidecar-stale").sum();
        Files.write(file, gzip(content, 20_000), StandardOpenOption.APPEND);
        open(file, null, Bytes.concat(content, content)).checkSplitSize(Api.MAPREDUCE, 30_000);
        byte[] other = lines(200_000, "\n");
        Files.write(file, gzip(other, 10_000));
        open(file, null, other).checkSplitSize(Api.MAPREDUCE, 30_000);
        assertThat(Metrics.counter("fallback.decode.gzip.sidecar-stale").sum() - stale)
                .isGreaterThan(5);
    }

    @Test
    void aStreamOfALocalFileTellsWhichItIs() throws IOException {
        Path file = write(new byte[] {1, 2, 3});
        org.apache.hadoop.fs.Path qualified = new org.apache.hadoop.fs.Path(file.toUri());
        Path working = Path.of("").toAbsolutePath();
        try (FileSystem local = FileSystem.newInstanceLocal(conf())) {
            for (String name : List.of(file.toString(), working.relativize(file).toString())) {
                try (var in = local.open(new org.apache.hadoop.fs.Path(name))) {
                    Path found = Path.of(StreamPath.of(in).toUri());
                    assertThat(found.normalize()).isEqualTo(file);
                }
            }
            try (var in = local.open(qualified)) {
                assertThat(Path.of(StreamPath.of(in).toUri())).isEqualTo(file);
            }
        }
        assertThat(StreamPath.of(new MemoryFile(new byte[1]))).isNull();
        assertThat(StreamPath.of(null)).isNull();
    }

    @Test
    void theIndexIsFoundOnHdfs() throws IOException {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        try {
            FileSystem files = hdfs.getFileSystem();
            byte[] content = lines(500_000, "\n");
            byte[] gzip = gzip(content, content.length);
            org.apache.hadoop.fs.Path file = files.makeQualified(new org.apache.hadoop.fs.Path("/a folder/text.gz"));
            try (var out = files.create(file)) {
                out.write(gzip);
            }
            SplitLines lines = new SplitLines(conf(), file, gzip.length, null, content);
            long before = used();
            lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 4 + 1);
            assertThat(used()).isEqualTo(before);
            try (var out =
                    files.create(new org.apache.hadoop.fs.Path(file.getParent(), GzipIndex.nameFor("text.gz")))) {
                out.write(GzipIndexer.index(() -> files.open(file), 20_000));
            }
            lines.checkSplitSize(Api.MAPREDUCE, gzip.length / 4 + 1);
            assertThat(used() - before).isEqualTo(4);
            assertThat(StreamPath.of(files.open(file))).isEqualTo(file);
        } finally {
            hdfs.shutdown(true);
        }
    }
}
