package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Hadoop, and everything built on it, expects of a codec object and of the pool around it. */
class CodecContractTest {
    private static final byte[] TEXT = Payloads.text(10_000, 1);

    @ParameterizedTest
    @EnumSource
    void theClassIsTopLevelPublicAndCheapToMake(CodecUnderTest format) throws Exception {
        Class<?> type = format.unconfigured().getClass();
        assertThat(Modifier.isPublic(type.getModifiers())).isTrue();
        assertThat(type.getEnclosingClass()).isNull();
        assertThat(Modifier.isPublic(type.getDeclaredConstructor().getModifiers()))
                .isTrue();
        int threads = Thread.activeCount();
        for (int i = 0; i < 40_000; i++) {
            format.unconfigured();
        }
        // an engine that starts meanwhile has some
        assertThat(Thread.activeCount()).isLessThan(threads + 40);
    }

    @ParameterizedTest
    @EnumSource
    void theCodecIsConfigurable(CodecUnderTest format) {
        Configuration conf = format.conf();
        CompressionCodec codec = format.codec(conf);
        assertThat(((Configurable) codec).getConf()).isSameAs(conf);
        assertThat(codec.getDefaultExtension()).isEqualTo(format.suffix);
        assertThat(codec instanceof SplittableCompressionCodec).isEqualTo(format.splittableClass);
    }

    @ParameterizedTest
    @EnumSource
    void aCodecNeverToldOfAConfigurationWorks(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.unconfigured();
        assertThat(Coding.decompress(codec, Coding.compress(codec, TEXT))).isEqualTo(TEXT);
        Compressor compressor = CodecPool.getCompressor(format.unconfigured());
        Decompressor decompressor = CodecPool.getDecompressor(format.unconfigured());
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = format.unconfigured().createOutputStream(file, compressor)) {
            out.write(TEXT);
        }
        try (InputStream in =
                format.unconfigured().createInputStream(new ByteArrayInputStream(file.toByteArray()), decompressor)) {
            assertThat(in.readAllBytes()).isEqualTo(TEXT);
        }
        CodecPool.returnCompressor(compressor);
        CodecPool.returnDecompressor(decompressor);
    }

    @ParameterizedTest
    @EnumSource
    void declaredTypesAreTheRuntimeTypes(CodecUnderTest format) {
        CompressionCodec codec = format.codec();
        assertThat(codec.getCompressorType()).isEqualTo(codec.createCompressor().getClass());
        assertThat(codec.getDecompressorType())
                .isEqualTo(codec.createDecompressor().getClass());
    }

    @ParameterizedTest
    @EnumSource
    void fiftyBorrowsOneAfterTheOtherMakeOneObject(CodecUnderTest format) {
        CompressionCodec codec = format.codec();
        for (int i = 0; i < 100; i++) { // empties the pool of what other tests left in it
            CodecPool.getCompressor(codec);
            CodecPool.getDecompressor(codec);
        }
        Set<Compressor> compressors = new HashSet<>();
        Set<Decompressor> decompressors = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            Compressor compressor = CodecPool.getCompressor(codec);
            Decompressor decompressor = CodecPool.getDecompressor(codec);
            compressors.add(compressor);
            decompressors.add(decompressor);
            CodecPool.returnCompressor(compressor);
            CodecPool.returnDecompressor(decompressor);
        }
        assertThat(compressors).hasSize(1);
        assertThat(decompressors).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void pooledObjectsAreComparedByIdentity(CodecUnderTest format) throws Exception {
        CompressionCodec codec = format.codec();
        for (Class<?> type : List.of(codec.getCompressorType(), codec.getDecompressorType())) {
            assertThat(type.getMethod("hashCode").getDeclaringClass()).isEqualTo(Object.class);
            assertThat(type.getMethod("equals", Object.class).getDeclaringClass())
                    .isEqualTo(Object.class);
        }
    }

    @Test
    void noTwoFormatsShareACompressorOrDecompressorClass() {
        Map<Class<?>, String> owners = new HashMap<>();
        for (CodecUnderTest format : CodecUnderTest.values()) {
            CompressionCodec codec = format.codec();
            for (Class<?> type : List.of(codec.getCompressorType(), codec.getDecompressorType())) {
                String owner = owners.putIfAbsent(type, format.className);
                assertThat(owner).isIn(null, format.className);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLastCodecListedReadsTheSuffix(CodecUnderTest format) {
        Configuration conf = new Configuration();
        conf.set(
                "io.compression.codecs",
                "org.apache.hadoop.io.compress.GzipCodec,org.apache.hadoop.io.compress.BZip2Codec," + format.className);
        CompressionCodec found = new CompressionCodecFactory(conf).getCodec(new Path("part-00000" + format.suffix));
        assertThat(found.getClass().getName()).isEqualTo(format.className);
        assertThat(((Configurable) found).getConf()).isNotNull();
    }

    @Test
    void noServiceEntryTakesOverASuffixUnasked() throws IOException {
        for (URL entry : Collections.list(getClass()
                .getClassLoader()
                .getResources("META-INF/services/org.apache.hadoop.io.compress.CompressionCodec"))) {
            try (InputStream in = entry.openStream()) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .as(entry.toString())
                        .doesNotContain("io.warpcodec");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void settingsAreReadAgainWhenACompressorIsRecycled(CodecUnderTest format) throws IOException {
        Configuration small = format.conf();
        small.setInt(CodecUnderTest.PREFIX + "chunk.size", 20_000);
        byte[] content = Payloads.text(300_000, 5);
        byte[] usual = pooled(format, format.conf(), content);
        byte[] chunked = pooled(format, small, content);
        // each chunk has a header of its own and does not know what came before it
        assertThat(chunked).hasSizeGreaterThan(usual.length);
        assertThat(Coding.decompress(format.codec(), chunked)).isEqualTo(content);
        assertThat(pooled(format, format.conf(), content)).isEqualTo(usual);
        assertThat(pooled(format, small, content)).isEqualTo(chunked);
    }

    @Test
    void theFramingOfLz4IsReadAgainWhenACompressorIsRecycled() throws IOException {
        for (CodecUnderTest format :
                List.of(CodecUnderTest.LZ4, CodecUnderTest.LZ4_HADOOP, CodecUnderTest.LZ4, CodecUnderTest.LZ4_HADOOP)) {
            byte[] file = pooled(format, format.conf(), TEXT);
            boolean hadoop =
                    Arrays.equals(file, 0, 4, new Bytes().be32(TEXT.length).toArray(), 0, 4);
            assertThat(hadoop).as(format.toString()).isEqualTo(format == CodecUnderTest.LZ4_HADOOP);
        }
    }

    private static byte[] pooled(CodecUnderTest format, Configuration conf, byte[] content) throws IOException {
        CompressionCodec codec = format.codec(conf);
        Compressor compressor = CodecPool.getCompressor(codec, conf);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = codec.createOutputStream(file, compressor)) {
            out.write(content);
        }
        CodecPool.returnCompressor(compressor);
        return file.toByteArray();
    }
}
