package io.warpcodec.hadoop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * A program that uses all codecs, in a JVM whose class path or temporary folder lacks something. It prints for each
 * format and each way of use {@code SUFFIX WAY ANSWER}: ok, or the exception with its message. Anything that is not
 * an IOException ends it.
 */
final class PlainHadoop {
    private static final byte[] CONTENT = "warp and weft\n".repeat(100).getBytes(StandardCharsets.US_ASCII);

    private interface Way {
        void go() throws IOException;
    }

    private PlainHadoop() {}

    public static void main(String[] arguments) throws IOException {
        Configuration conf = new Configuration();
        conf.set(
                "io.compression.codecs",
                Arrays.stream(CodecUnderTest.values())
                        .map(each -> each.className)
                        .distinct()
                        .collect(Collectors.joining(",")));
        CompressionCodecFactory factory = new CompressionCodecFactory(conf);
        for (String suffix : new String[] {".gz", ".deflate", ".bz2", ".lz4", ".snappy", ".zst"}) {
            CompressionCodec codec = factory.getCodec(new Path("part" + suffix));
            codec.getCompressorType();
            codec.getDecompressorType();
            Compressor compressor = CodecPool.getCompressor(codec);
            Decompressor decompressor = CodecPool.getDecompressor(codec);
            byte[] small = HexFormat.of().parseHex(small(suffix));
            say(suffix, "write", () -> {
                try (OutputStream out = codec.createOutputStream(new ByteArrayOutputStream(), compressor)) {
                    out.write(CONTENT);
                }
            });
            say(suffix, "compress", () -> {
                compressor.setInput(CONTENT, 0, CONTENT.length);
                compressor.finish();
                compressor.compress(new byte[5000], 0, 5000);
            });
            say(suffix, "read", () -> {
                try (InputStream in = codec.createInputStream(new ByteArrayInputStream(small), decompressor)) {
                    in.readAllBytes();
                }
            });
            say(suffix, "decompress", () -> {
                decompressor.setInput(small, 0, small.length);
                decompressor.decompress(new byte[5000], 0, 5000);
            });
        }
    }

    private static void say(String suffix, String way, Way go) {
        String answer = "ok";
        try {
            go.go();
        } catch (IOException told) {
            answer = told.getMessage();
        }
        System.out.println("@ " + suffix + " " + way + " " + answer);
    }

    /** A file of "warp" by other tools. */
    private static String small(String suffix) {
        return switch (suffix) {
            case ".gz" -> "1f8b08000000000000032b4f2c2a0000668cb5d304000000";
            case ".deflate" -> "789c2b4f2c2a0000045701bb";
            case ".bz2" -> "425a6839314159265359958378de0000018180200050802000219a68334d173c5dc914e14242560de378";
            case ".lz4" -> "04224d186440a704000080776172700000000030daecf6";
            case ".snappy" -> "0000000400000006040c77617270";
            case ".zst" -> "28b52ffd045821000077617270038b0b93";
            default -> throw new IllegalArgumentException(suffix);
        };
    }
}
