package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Hadoop's own Lz4Codec makes of LZ4 frames of ours: it reads another framing, so it must fail. It takes a file
 * whose first inner chunk seems to go past the end of the file for an empty one; a file of ours says there that the
 * chunk has a negative size.
 */
class StockLz4Test {
    private static final byte[] TEXT = Payloads.text(10_000, 1);

    private static byte[] stock(byte[] file, int bufferBytes) throws IOException {
        Configuration conf = new Configuration(CodecUnderTest.DEFAULTS);
        conf.setInt("io.compression.codec.lz4.buffersize", bufferBytes);
        CompressionCodec codec = ReflectionUtils.newInstance(Lz4Codec.class, conf);
        // Not one of Hadoop's pool: that keeps the buffer it was made with.
        try (InputStream in = codec.createInputStream(new ByteArrayInputStream(file), codec.createDecompressor())) {
            return in.readAllBytes();
        }
    }

    /** A file of ours, which has a marker also where it has one chunk: records of containers are no files. */
    private static byte[] ours(byte[] raw) throws IOException {
        return Coding.compressToFile(CodecUnderTest.LZ4.codec(), raw);
    }

    private static void assertRefused(byte[] file, String what) {
        for (int bufferBytes : new int[] {1 << 10, 64 << 10, 256 << 10, 4 << 20}) {
            assertThatThrownBy(() -> stock(file, bufferBytes))
                    .as("%s of %d bytes with a buffer of %d", what, file.length, bufferBytes)
                    .isInstanceOf(ArrayIndexOutOfBoundsException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 10_000, 262_144, 262_145, 1_500_000})
    void filesOfEverySizeAreRefused(int rawBytes) throws IOException {
        assertRefused(ours(Payloads.text(rawBytes, 1)), "text");
    }

    @Test
    void joinedFilesAreRefusedWhateverTheFirstIs() throws IOException {
        byte[] empty = ours(new byte[0]);
        assertRefused(new Bytes().put(empty).put(ours(TEXT)).toArray(), "an empty file and another");
        assertRefused(new Bytes().put(ours(TEXT)).put(empty).toArray(), "a file and an empty one");
    }

    /** Hadoop's own framing in front: its reader gets that far, and then fails too. */
    @Test
    void aFileOfOursBehindHadoopsFramingIsRefused() throws IOException {
        byte[] fitsEveryBuffer = Payloads.text(500, 1);
        byte[] hadoop = Coding.compress(CodecUnderTest.LZ4_HADOOP.codec(), fitsEveryBuffer);
        assertThat(stock(hadoop, 1 << 10)).isEqualTo(fitsEveryBuffer);
        assertRefused(new Bytes().put(hadoop).put(ours(TEXT)).toArray(), "Hadoop's framing and frames");
    }

    @Test
    void whatAStreamWritesAfterItWasResetIsRefused() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (CompressionOutputStream out =
                CodecUnderTest.LZ4.codec().createOutputStream(new FSDataOutputStream(sink, null))) {
            out.write(TEXT);
            out.finish();
            sink.reset();
            out.resetState();
            out.write(TEXT);
        }
        assertRefused(sink.toByteArray(), "a stream after resetState");
    }

    @Test
    void manyChunksOfABareCompressorAreRefusedAlsoWhenItIsUsedAgain() throws IOException {
        byte[] text = Payloads.text(300_000, 1);
        // not one of Hadoop's pool, which keeps the framing that it was made with
        Compressor compressor = CodecUnderTest.LZ4.codec().createCompressor();
        for (int round = 0; round < 2; round++) {
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            byte[] room = new byte[1000];
            compressor.setInput(text, 0, text.length);
            compressor.finish();
            while (!compressor.finished()) {
                sink.write(room, 0, compressor.compress(room, 0, room.length));
            }
            assertRefused(sink.toByteArray(), "a bare compressor's round " + round);
            compressor.reset();
        }
        compressor.end();
    }

    /** The way of MapReduce's and Spark's text formats, from the file's name on. */
    @Test
    void aTaskThatReadsLinesFails(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("part-00000.lz4"), ours(TEXT));
        Configuration conf = new Configuration(CodecUnderTest.DEFAULTS);
        conf.set("io.compression.codecs", Lz4Codec.class.getName());
        FileSplit split =
                new FileSplit(new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), new String[0]);
        try (LineRecordReader reader = new LineRecordReader()) {
            assertThatThrownBy(() -> {
                        reader.initialize(split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
                        reader.nextKeyValue();
                    })
                    .isInstanceOf(ArrayIndexOutOfBoundsException.class);
        }
    }

    /** The tests above do not fail for another reason. */
    @Test
    void stockReadsItsOwnFiles() throws IOException {
        assertThat(stock(Peer.HADOOP_LZ4.write(TEXT), 256 << 10)).isEqualTo(TEXT);
    }
}
