package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TextInputFormat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Codecs that do not split: each codec that splits has such a twin, of the same name below {@code unsplit}. */
class UnsplitCodecTest {
    private static final byte[] TEXT = Payloads.text(400_000, 6);

    private static Configuration conf(CodecUnderTest format) {
        Configuration conf = format.conf();
        conf.set(CodecUnderTest.PREFIX + "chunk.size", "64k");
        conf.set("bzip2.compress.blocksize", "1");
        conf.set("io.compression.codecs", format.className.replace(".hadoop.", ".hadoop.unsplit."));
        return conf;
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BZIP2", "LZ4", "LZ4_HADOOP", "ZSTD"})
    void itReadsAndWritesWhatTheOtherDoes(CodecUnderTest format) throws Exception {
        Configuration conf = conf(format);
        CompressionCodec unsplit = new CompressionCodecFactory(conf).getCodec(new Path("f" + format.suffix));
        CompressionCodec splitting = format.codec(conf);
        assertThat(splitting).isInstanceOf(SplittableCompressionCodec.class);
        assertThat(unsplit)
                .isNotInstanceOf(SplittableCompressionCodec.class)
                .isInstanceOf(DirectDecompressionCodec.class);
        assertThat(unsplit.getClass().getSimpleName())
                .isEqualTo(splitting.getClass().getSimpleName());
        assertThat(((Configurable) unsplit).getConf()).isSameAs(conf);
        assertThat(unsplit.getDefaultExtension()).isEqualTo(format.suffix);
        byte[] file = Coding.compress(unsplit, TEXT);
        assertThat(file).isEqualTo(Coding.compress(splitting, TEXT));
        assertThat(Coding.decompress(unsplit, file)).isEqualTo(TEXT);
        assertThat(unsplit.getCompressorType())
                .isEqualTo(unsplit.createCompressor().getClass());
        assertThat(unsplit.getDecompressorType())
                .isEqualTo(unsplit.createDecompressor().getClass());
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BZIP2", "LZ4", "ZSTD"})
    void itsFilesAreOneSplitEach(CodecUnderTest format, @TempDir java.nio.file.Path folder) throws Exception {
        Configuration conf = conf(format);
        java.nio.file.Path file = folder.resolve("f" + format.suffix);
        java.nio.file.Files.write(file, Coding.compress(format.codec(conf), TEXT));
        for (boolean splits : new boolean[] {true, false}) {
            conf.set(
                    "io.compression.codecs",
                    splits ? format.className : conf(format).get("io.compression.codecs"));
            JobConf job = new JobConf(conf);
            job.setLong("mapreduce.input.fileinputformat.split.maxsize", 10_000);
            job.setLong("fs.local.block.size", 10_000);
            FileInputFormat.setInputPaths(job, new Path(file.toUri()));
            TextInputFormat input = new TextInputFormat();
            input.configure(job);
            assertThat(Arrays.asList(input.getSplits(job, 4)))
                    .matches(found -> splits ? found.size() > 1 : found.size() == 1);
        }
    }
}
