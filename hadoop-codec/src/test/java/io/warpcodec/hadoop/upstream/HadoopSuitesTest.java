package io.warpcodec.hadoop.upstream;

import io.warpcodec.upstream.Redirection;
import io.warpcodec.upstream.UpstreamLoader;
import io.warpcodec.upstream.UpstreamResult;
import io.warpcodec.upstream.UpstreamSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's own tests of its codecs, from its published test jars, on ours.
 *
 * <p>Tests that name a codec of Hadoop's meet ours ({@link Redirection}); those that look for one by the suffix of a
 * file find ours by {@code io.compression.codecs}. Each suite must have opened streams of ours. What cannot hold for
 * our codecs is left out by name, with the reason. Of the bare compressors and decompressors, Hadoop's classes
 * {@code TestLz4CompressorDecompressor} and the like are not here: they test how stock's classes divide raw blocks,
 * and ours make whole files; {@link CompressDecompressSuite} tests the contract. Nor is {@code TestBZip2Codec}: its
 * one test wants the first read of a block to return a single byte, where ours returns as many as asked for, with the
 * same position.
 */
class HadoopSuitesTest {
    private static final String STOCK = "org.apache.hadoop.io.compress.";
    private static final String OURS = "io.warpcodec.hadoop.";

    private static final String CORE_SITE = """
            <configuration><property><name>io.compression.codecs</name><value>
            io.warpcodec.hadoop.GpuGzipCodec,io.warpcodec.hadoop.GpuBZip2Codec,io.warpcodec.hadoop.GpuDeflateCodec,
            io.warpcodec.hadoop.GpuLz4Codec,io.warpcodec.hadoop.GpuSnappyCodec,io.warpcodec.hadoop.GpuZstdCodec
            </value></property></configuration>
            """;
    /** {@code -Dwarpcodec.test.upstream.all=true}, as with {@code -Pcompat}: the slow tests too. */
    private static final boolean ALL = Boolean.getBoolean("warpcodec.test.upstream.all");

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicTest> hadoopsOwnTestsHoldForOurCodecs() throws IOException {
        Files.writeString(folder.resolve("core-site.xml"), CORE_SITE);
        // TestCodec writes files there that are not Hadoop's, and has the folder only if another of its tests made it
        // before
        Files.createDirectories(Path.of("target", "test", "data"));
        UpstreamLoader world = new UpstreamLoader(folder, redirection(), Set.of());
        Map<String, String> properties = Map.of(
                "test.build.data", folder.resolve("data").toString(),
                "test.concat.data", world.extractFolder("testdata").toString(),
                // where Hadoop's local file system puts files without a folder
                "user.dir", folder.toString());
        return suites().map(suite -> DynamicTest.dynamicTest(suite.className(), () -> {
            UpstreamResult result = suite.run(world, properties);
            System.out.println(result.row("Hadoop " + VersionInfo.getVersion()));
            result.check();
        }));
    }

    private static Redirection redirection() {
        return new Redirection()
                .of(STOCK + "GzipCodec", OURS + "GpuGzipCodec")
                .of(STOCK + "BZip2Codec", OURS + "GpuBZip2Codec")
                .of(STOCK + "DefaultCodec", OURS + "GpuDeflateCodec")
                .of(STOCK + "DeflateCodec", OURS + "GpuDeflateCodec")
                .of(STOCK + "Lz4Codec", OURS + "GpuLz4Codec")
                .of(STOCK + "SnappyCodec", OURS + "GpuSnappyCodec")
                .of(STOCK + "ZStandardCodec", OURS + "GpuZstdCodec")
                .of(STOCK + "zlib.BuiltInGzipCompressor", OURS + "GpuGzipCodec$GzipCompressor")
                .of(STOCK + "zlib.BuiltInGzipDecompressor", OURS + "GpuGzipCodec$GzipDecompressor")
                .of(STOCK + "snappy.SnappyCompressor", OurCompressor.class.getName())
                .ofStatic(STOCK + "ZStandardCodec", "isNativeCodeLoaded", OurCompressor.class)
                .notIn(STOCK + "bzip2.BZip2TextFileWriter")
                .notIn(STOCK + "bzip2.BZip2Utils");
    }

    private static Stream<UpstreamSuite> suites() {
        String splits = "counts the splits of a .gz; ours is a splittable codec";
        String pooled =
                "wants handles that are never pooled, like stock's for gzip without libhadoop; ours may be pooled";
        String mapred = "org.apache.hadoop.mapred.";
        String mapreduce = "org.apache.hadoop.mapreduce.lib.input.";
        Stream<UpstreamSuite> fast = Stream.of(
                UpstreamSuite.of(STOCK + "TestCodec")
                        .without(
                                "wants as many bytes as java.util.zip.GZIPOutputStream writes; our members say where they end",
                                "testGzipCompatibilityWithCompressorAndGZIPOutputStream",
                                "testGzipCompatibilityWithCompressorStreamAndGZIPOutputStream")
                        .without(pooled, "testCodecPoolAndGzipCompressor", "testCodecPoolAndGzipDecompressor")
                        .withoutUnless(ALL, "writes and reads 4 GiB", "testGzipLongOverflow"),
                UpstreamSuite.of(STOCK + "TestCodecPool")
                        .without(
                                pooled,
                                "testDoNotPoolCompressorNotUseableAfterReturn",
                                "testDoNotPoolDecompressorNotUseableAfterReturn")
                        .openingNoStream(),
                UpstreamSuite.of(STOCK + "TestGzipCodec"),
                UpstreamSuite.of(STOCK + "TestCompressionStreamReuse"),
                UpstreamSuite.of(CompressDecompressSuite.class.getName()),
                UpstreamSuite.of(mapred + "TestConcatenatedCompressedInput")
                        .without(splits, "testGzip", "testBuiltInGzipDecompressor"),
                UpstreamSuite.of(mapred + "TestLineRecordReaderBZip2"));
        Stream<UpstreamSuite> slow = Stream.of(
                UpstreamSuite.of(mapred + "TestLineRecordReader"),
                UpstreamSuite.of(mapred + "TestTextInputFormat").without(splits, "testGzip", "testGzipEmpty"),
                UpstreamSuite.of(mapreduce + "TestLineRecordReader"),
                UpstreamSuite.of(mapreduce + "TestLineRecordReaderBZip2"));
        return ALL ? Stream.concat(fast, slow) : fast;
    }
}
