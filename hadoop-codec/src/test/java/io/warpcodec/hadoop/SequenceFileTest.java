package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** SequenceFile and MapFile, which keep streams open over swapped buffers and never close them, through each codec. */
class SequenceFileTest {
    private static final int RECORDS = 700;

    @TempDir
    Path folder;

    static Stream<Arguments> codecsAndTypes() {
        return Stream.of(CodecUnderTest.values())
                .flatMap(format -> Stream.of(
                        Arguments.of(format, CompressionType.RECORD), Arguments.of(format, CompressionType.BLOCK)));
    }

    private static Configuration conf(CodecUnderTest format) {
        Configuration conf = format.conf();
        conf.setInt("io.seqfile.compress.blocksize", 10_000);
        return conf;
    }

    /** Record values: none, small and, now and then, larger than any buffer on the way. */
    private static byte[] value(int record) {
        int bytes = record % 100 == 99 ? 150_000 : new Random(record).nextInt(300);
        return record % 7 == 0 ? new byte[bytes] : Payloads.text(bytes, record);
    }

    @ParameterizedTest
    @MethodSource("codecsAndTypes")
    void everyRecordOfASequenceFileComesBack(CodecUnderTest format, CompressionType type) throws IOException {
        Configuration conf = conf(format);
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(folder.resolve("records.seq").toUri());
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(file),
                SequenceFile.Writer.keyClass(IntWritable.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(type, format.codec(conf)))) {
            for (int i = 0; i < RECORDS; i++) {
                if (i % 150 == 149) {
                    writer.sync();
                }
                writer.append(new IntWritable(i), new BytesWritable(value(i)));
            }
        }
        try (SequenceFile.Reader reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
            assertThat(reader.getCompressionCodec().getClass().getName()).isEqualTo(format.className);
            IntWritable key = new IntWritable();
            BytesWritable value = new BytesWritable();
            for (int i = 0; i < RECORDS; i++) {
                assertThat(reader.next(key)).isTrue();
                assertThat(key.get()).isEqualTo(i);
                if (i % 5 != 0) { // and skips the value of every fifth record
                    reader.getCurrentValue(value);
                    assertThat(value.copyBytes()).isEqualTo(value(i));
                }
            }
            assertThat(reader.next(key)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndTypes")
    void aSequenceFileIsReadFromAnySyncMark(CodecUnderTest format, CompressionType type) throws IOException {
        Configuration conf = conf(format);
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(folder.resolve("synced.seq").toUri());
        List<Long> positions = new ArrayList<>();
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(file),
                SequenceFile.Writer.keyClass(IntWritable.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(type, format.codec(conf)))) {
            for (int i = 0; i < 200; i++) {
                if (i % 20 == 0) {
                    writer.sync();
                    positions.add(writer.getLength());
                }
                writer.append(new IntWritable(i), new BytesWritable(Payloads.text(i, i)));
            }
        }
        try (SequenceFile.Reader reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
            for (int mark : new int[] {7, 2, 9, 1, 5, 5}) {
                reader.sync(positions.get(mark) - 20);
                IntWritable key = new IntWritable();
                BytesWritable value = new BytesWritable();
                assertThat(reader.next(key, value)).isTrue();
                assertThat(key.get()).isEqualTo(mark * 20);
                assertThat(value.copyBytes()).isEqualTo(Payloads.text(mark * 20, mark * 20L));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndTypes")
    void everyKeyOfAMapFileIsFound(CodecUnderTest format, CompressionType type) throws IOException {
        Configuration conf = conf(format);
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(folder.resolve("map").toUri());
        try (MapFile.Writer writer = new MapFile.Writer(
                conf,
                file,
                MapFile.Writer.keyClass(IntWritable.class),
                MapFile.Writer.valueClass(BytesWritable.class),
                MapFile.Writer.compression(type, format.codec(conf)))) {
            for (int i = 0; i < RECORDS; i++) {
                append(writer, i);
            }
        }
        try (MapFile.Reader reader = new MapFile.Reader(file, conf)) {
            Random random = new Random(9);
            for (int i = 0; i < 40; i++) {
                int key = random.nextInt(RECORDS);
                BytesWritable value = new BytesWritable();
                assertThat(reader.get(new IntWritable(2 * key), value)).isNotNull();
                assertThat(value.copyBytes()).isEqualTo(value(key));
                assertThat(reader.get(new IntWritable(2 * key + 1), value)).isNull();
            }
        }
    }

    private static void append(MapFile.Writer writer, int record) {
        try {
            writer.append(new IntWritable(2 * record), new BytesWritable(value(record)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
