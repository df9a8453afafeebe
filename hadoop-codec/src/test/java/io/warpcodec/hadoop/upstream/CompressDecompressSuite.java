package io.warpcodec.hadoop.upstream;

import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressDecompressTester;
import org.apache.hadoop.io.compress.CompressDecompressTester.CompressionTestStrategy;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.thirdparty.com.google.common.collect.ImmutableSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Hadoop's {@code CompressDecompressTester} on the bare compressors and decompressors of all our codecs, as Hadoop's
 * {@code TestCompressorDecompressor} runs it on stock's. Not for the JVM's own class path: {@link HadoopSuitesTest}
 * runs it where the tester knows {@link OurCompressor}.
 *
 * <p>Of its four strategies, the one for empty streams is left out: it puts the compressor into a
 * {@code BlockCompressorStream}, which is for compressors of raw blocks. Ours make whole files.
 */
public class CompressDecompressSuite {
    private static final int RAW_BYTES = 44 * 1024;

    @TestFactory
    Stream<DynamicTest> bareHandlesKeepTheContract() {
        return Stream.<CompressionCodec>of(
                        new GpuGzipCodec(),
                        new GpuDeflateCodec(),
                        new GpuBZip2Codec(),
                        new GpuLz4Codec(),
                        new GpuSnappyCodec(),
                        new GpuZstdCodec())
                .map(codec -> DynamicTest.dynamicTest(codec.getClass().getSimpleName(), () -> test(codec)));
    }

    private static void test(CompressionCodec codec) throws Exception {
        test(codec, words());
        test(codec, sixteenValues());
    }

    private static void test(CompressionCodec codec, byte[] raw) throws Exception {
        CompressDecompressTester.of(raw)
                .withCompressDecompressPair(new OurCompressor(codec), new OurDecompressor(codec))
                .withTestCases(ImmutableSet.of(
                        CompressionTestStrategy.COMPRESS_DECOMPRESS_SINGLE_BLOCK,
                        CompressionTestStrategy.COMPRESS_DECOMPRESS_BLOCK,
                        CompressionTestStrategy.COMPRESS_DECOMPRESS_ERRORS))
                .test();
    }

    /** As Hadoop's own tests make their bytes: the tester expects 495 of them to become at most 512. */
    private static byte[] sixteenValues() {
        byte[] bytes = new byte[RAW_BYTES];
        Random random = new Random(12345);
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) random.nextInt(16);
        }
        return bytes;
    }

    /** Words that compress in every format. */
    private static byte[] words() {
        Random random = new Random(12345);
        byte[][] words = new byte[16][8];
        for (byte[] word : words) {
            random.nextBytes(word);
        }
        ByteBuffer bytes = ByteBuffer.allocate(RAW_BYTES);
        while (bytes.hasRemaining()) {
            bytes.put(words[random.nextInt(words.length)]);
        }
        return bytes.array();
    }
}
