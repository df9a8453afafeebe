package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.SettingWords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.zlib.ZlibCompressor.CompressionLevel;
import org.apache.hadoop.io.compress.zlib.ZlibFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys of Hadoop's configuration, ours and its own. */
class HadoopSettingsTest {
    private static Configuration conf(String... pairs) {
        Configuration conf = new Configuration(CodecUnderTest.DEFAULTS);
        for (int i = 0; i < pairs.length; i += 2) {
            conf.set(pairs[i], pairs[i + 1]);
        }
        return conf;
    }

    private static int level(Format format, String... pairs) throws IOException {
        return HadoopSettings.options(conf(pairs), format).level(format);
    }

    @ParameterizedTest
    @CsvSource({
        "GZIP, zlib.compress.level, BEST_SPEED, 1",
        "GZIP, zlib.compress.level, SEVEN, 7",
        "GZIP, zlib.compress.level, BEST_COMPRESSION, 9",
        "GZIP, zlib.compress.level, DEFAULT_COMPRESSION, 6",
        "ZLIB, zlib.compress.level, NO_COMPRESSION, 0",
        "BZIP2, bzip2.compress.blocksize, 3, 3",
        "BZIP2, bzip2.compress.blocksize, 50, 9",
        "LZ4, io.compression.codec.lz4.use.lz4hc, true, 9",
        "LZ4, io.compression.codec.lz4.use.lz4hc, false, 1",
        "ZSTD, io.compression.codec.zstd.level, 12, 12",
        "ZSTD, io.compression.codec.zstd.level, 40, 22"
    })
    void hadoopsOwnKeyIsTheDefaultAndOursWins(Format format, String key, String value, int level) throws IOException {
        assertThat(level(format, key, value)).isEqualTo(level);
        assertThat(level(format, key, value, CodecUnderTest.PREFIX + "level." + format.word(), "2"))
                .isEqualTo(2);
        if (format != Format.LZ4) {
            assertThat(level(format, key, value, CodecUnderTest.PREFIX + "level", "2"))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnyKeyTheLevelIsOurDefault(Format format) throws IOException {
        assertThat(level(format)).isEqualTo(format.defaultLevel());
        assertThat(HadoopSettings.options(null, format)).isEqualTo(CodecOptions.DEFAULTS);
    }

    /** We read the level off the order of the names. */
    @Test
    void theNamesOfZlibsLevelsMeanWhatHadoopMeans() throws IOException {
        for (CompressionLevel name : CompressionLevel.values()) {
            Configuration conf = conf();
            ZlibFactory.setCompressionLevel(conf, name);
            assertThat(HadoopSettings.options(conf, Format.GZIP).level(Format.GZIP))
                    .as(name.toString())
                    .isEqualTo(
                            switch (name) {
                                case NO_COMPRESSION -> 0;
                                case BEST_SPEED -> 1;
                                case TWO -> 2;
                                case THREE -> 3;
                                case FOUR -> 4;
                                case FIVE -> 5;
                                case SIX, DEFAULT_COMPRESSION -> 6;
                                case SEVEN -> 7;
                                case EIGHT -> 8;
                                case BEST_COMPRESSION -> 9;
                            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GZIP, zlib.compress.level, 9",
        "BZIP2, bzip2.compress.blocksize, large",
        "ZSTD, io.compression.codec.zstd.level, high",
        "GZIP, io.compression.codec.gpu.level.gzip, 22",
        "LZ4, io.compression.codec.gpu.level.lz4, 13"
    })
    void aLevelThatCannotBeMeantIsAnIOExceptionThatNamesTheKey(Format format, String key, String value) {
        assertThatThrownBy(() -> level(format, key, value))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(key.replace(CodecUnderTest.PREFIX, ""))
                .hasMessageContaining(value);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "DEFLATE", "BZIP2", "LZ4", "ZSTD"})
    void theLevelOfAFormatReachesItsFiles(CodecUnderTest format) throws IOException {
        byte[] content = Payloads.text(400_000, 3);
        String word = Format.ofFileName(format.suffix).word();
        Configuration low = format.conf();
        low.set(CodecUnderTest.PREFIX + "level." + word, "1");
        low.set(CodecUnderTest.PREFIX + "mode", "cpu");
        Configuration high = new Configuration(low);
        high.set(CodecUnderTest.PREFIX + "level." + word, "9");
        assertThat(Coding.compress(format.codec(high), content))
                .hasSizeLessThan(Coding.compress(format.codec(low), content).length);
    }

    @Test
    void aMisspeltKeyIsNamedOnceAProcess() throws IOException {
        try (LogLines log = new LogLines(SettingWords.class)) {
            Configuration conf = conf(CodecUnderTest.PREFIX + "chunk.siez", "64k");
            for (Configuration each : new Configuration[] {conf, conf, new Configuration(conf)}) {
                HadoopSettings.options(each, Format.GZIP);
            }
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains(CodecUnderTest.PREFIX + "chunk.siez is no setting")
                    .contains(CodecUnderTest.PREFIX + "chunk.size");
        }
    }

    @Test
    void lz4FramesInAFileAreWarnedOfOnceAndOnlyWhereTheyMayNotBeMeant() throws IOException {
        try (LogLines log = new LogLines(GpuLz4Codec.class);
                OutputStream file = new FSDataOutputStream(new ByteArrayOutputStream(), null)) {
            Lz4FrameWarning warning = new Lz4FrameWarning();
            CodecOptions frames = CodecOptions.DEFAULTS;
            warning.beforeWriting(new ByteArrayOutputStream(), frames, conf());
            warning.beforeWriting(file, frames.withFraming(Framing.HADOOP), conf());
            warning.beforeWriting(file, frames, conf(CodecUnderTest.PREFIX + "lz4.framing", "frame"));
            assertThat(log.warnings()).isEmpty();
            warning.beforeWriting(file, frames, conf());
            warning.beforeWriting(file, frames, null);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("io.compression.codec.gpu.lz4.framing=hadoop");
        }
    }

    @Test
    void theCodecOfLz4AsksForThatWarning() throws IOException {
        try (LogLines log = new LogLines(GpuLz4Codec.class)) {
            for (int file = 0; file < 3; file++) {
                CompressionCodec codec = CodecUnderTest.LZ4.codec();
                codec.createOutputStream(new FSDataOutputStream(new ByteArrayOutputStream(), null))
                        .close();
            }
            // another test of this process may have had the one line
            assertThat(log.warnings().size()).isLessThanOrEqualTo(1);
            assertThat(Lz4FrameWarning.OF_THE_PROCESS.wasGiven()).isTrue();
        }
    }
}
