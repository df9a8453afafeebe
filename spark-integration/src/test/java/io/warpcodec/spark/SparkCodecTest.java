package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.io.LZ4CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The codec objects, as Spark finds and asks them. */
class SparkCodecTest {
    @ParameterizedTest
    @EnumSource
    void sparkFindsTheCodecByClassName(CodecPair codecs) {
        SparkConf conf = new SparkConf(false).set("spark.io.compression.codec", codecs.className());
        CompressionCodec codec = CompressionCodec$.MODULE$.createCodec(conf);
        assertThat(codec.getClass().getName()).isEqualTo(codecs.className());
    }

    @ParameterizedTest
    @EnumSource
    void sparkConcatenatesOutputsInsteadOfRecoding(CodecPair codecs) {
        assertThat(CompressionCodec$.MODULE$.supportsConcatenationOfSerializedStreams(codecs.ours()))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void noStreamMethodIsLeftToTheParent(CodecPair codecs) throws Exception {
        for (String method : new String[] {
            "compressedOutputStream", "compressedContinuousOutputStream",
        }) {
            assertThat(codecs.ours()
                            .getClass()
                            .getMethod(method, OutputStream.class)
                            .getDeclaringClass())
                    .isNotEqualTo(LZ4CompressionCodec.class);
        }
        for (String method : new String[] {
            "compressedInputStream", "compressedContinuousInputStream",
        }) {
            assertThat(codecs.ours()
                            .getClass()
                            .getMethod(method, InputStream.class)
                            .getDeclaringClass())
                    .isNotEqualTo(LZ4CompressionCodec.class);
        }
        assertThat(Modifier.isPublic(
                        codecs.ours().getClass().getConstructor(SparkConf.class).getModifiers()))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void wrongSettingIsNamedWhenTheFirstStreamIsMadeAndNotBefore(CodecPair codecs) {
        SparkConf conf = new SparkConf(false).set("spark.io.compression.gpu.mode", "fast");
        CompressionCodec codec = codecs.ours(conf);
        assertThatThrownBy(() -> codec.compressedOutputStream(new ByteArrayOutputStream()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spark.io.compression.gpu.")
                .hasMessageContaining("mode")
                .hasMessageContaining("fast");
    }

    @ParameterizedTest
    @EnumSource
    void modeGpuWithoutAnyDeviceIsAnIoExceptionThatSaysWhy(CodecPair codecs) {
        CompressionCodec codec = codecs.ours(new SparkConf(false).set("spark.io.compression.gpu.mode", "gpu"));
        assertThatThrownBy(() -> {
                    try (OutputStream out = codec.compressedOutputStream(new ByteArrayOutputStream())) {
                        out.write(1);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("mode=gpu");
    }

    @Test
    void blockSizesOfSparkAreTakenOverWithinOurRange() {
        SparkConf conf = new SparkConf(false);
        String key = "spark.io.compression.lz4.blockSize";
        assertThat(SparkSettings.chunkBytes(conf, key, "32k")).isEqualTo(32 << 10);
        assertThat(SparkSettings.chunkBytes(conf.set(key, "64k"), key, "32k")).isEqualTo(64 << 10);
        assertThat(SparkSettings.chunkBytes(conf.set(key, "32m"), key, "32k")).isEqualTo(1 << 20);
        assertThat(SparkSettings.chunkBytes(conf.set(key, "64"), key, "32k")).isEqualTo(1 << 10);
    }

    @Test
    void framingOfFilesDoesNotReachShuffleStreams() {
        SparkConf conf = new SparkConf(false).set("spark.io.compression.gpu.lz4.framing", "hadoop");
        CodecOptions options = CodecOptions.DEFAULTS.withFraming(Framing.SPARK);
        assertThat(SparkSettings.codecOptions(conf, Format.LZ4, options).framing())
                .isEqualTo(Framing.SPARK);
    }

    @Test
    void everySettingReachesTheStreams() {
        SparkConf conf = new SparkConf(false)
                .set("spark.io.compression.gpu.mode", "cpu")
                .set("spark.io.compression.gpu.level", "9")
                .set("spark.io.compression.gpu.chunk.size", "128k")
                .set("spark.io.compression.gpu.index", "false")
                .set("spark.io.compression.gpu.lenient", "true")
                .set("spark.io.compression.gpu.cpu.weight", "0.5")
                .set("spark.io.compression.gpu.verify.writes", "0.25");
        assertThat(SparkSettings.codecOptions(conf, Format.GZIP, CodecOptions.DEFAULTS))
                .isEqualTo(CodecOptions.DEFAULTS
                        .withMode(Mode.CPU)
                        .withLevel(9)
                        .withChunkBytes(128 << 10)
                        .withIndex(false)
                        .withLenient(true)
                        .withCpuWeight(0.5)
                        .withVerifyWrites(0.25));
    }

    @ParameterizedTest
    @EnumSource
    void codecsAreMadeEvenWithNonsenseSettings(CodecPair codecs) {
        SparkConf conf = new SparkConf(false)
                .set("spark.io.compression.gpu.level", "high")
                .set("spark.io.compression.gpu.chunk.size", "-3")
                .set("spark.io.compression.zstd.level", "high");
        assertThat(codecs.ours(conf)).isNotNull();
    }
}
