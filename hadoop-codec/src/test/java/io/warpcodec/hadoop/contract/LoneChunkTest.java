package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Peer;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a record of a container costs: a stream that is no file, and has less than a chunk. */
class LoneChunkTest {
    private static final int MOST_MORE_BYTES = 32;

    static Stream<Arguments> formatsAndSizes() {
        return Arrays.stream(CodecUnderTest.values())
                .flatMap(format ->
                        IntStream.of(0, 1, 494, 64 << 10).mapToObj(rawBytes -> Arguments.of(format, rawBytes)));
    }

    private static Peer bare(CodecUnderTest format) {
        return switch (format) {
            case GZIP -> Peer.JDK_GZIP;
            case DEFLATE -> Peer.JDK_ZLIB;
            case BZIP2 -> Peer.COMMONS_BZIP2;
            case LZ4 -> Peer.LZ4_JAVA;
            case LZ4_HADOOP -> Peer.HADOOP_LZ4;
            case SNAPPY -> Peer.HADOOP_SNAPPY;
            case ZSTD -> Peer.ZSTD_JNI;
        };
    }

    private static byte[] throughStream(CompressionCodec codec, byte[] raw) throws IOException {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        try (CompressionOutputStream out = codec.createOutputStream(record, codec.createCompressor())) {
            out.write(new byte[10]);
            out.finish();
            out.resetState();
            record.reset();
            out.write(raw);
            out.finish();
            return record.toByteArray();
        }
    }

    private static Map<String, byte[]> records(CompressionCodec codec, byte[] raw) throws IOException {
        Map<String, byte[]> records = new LinkedHashMap<>();
        records.put("stream", Coding.compress(codec, raw));
        records.put("stream that was reset", throughStream(codec, raw));
        records.put("compressor", Coding.compress(codec.createCompressor(), raw, Sizes.of(100), Sizes.of(512)));
        return records;
    }

    @ParameterizedTest
    @MethodSource("formatsAndSizes")
    void aRecordIsAtMostALittleLongerThanTheBareFormat(CodecUnderTest format, int rawBytes) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] raw = rawBytes < 1000 ? Payloads.text(rawBytes, 3) : Payloads.noise(rawBytes, 3);
        int bareBytes = bare(format).write(raw).length;
        for (Map.Entry<String, byte[]> record : records(codec, raw).entrySet()) {
            byte[] bytes = record.getValue();
            assertThat(bytes.length)
                    .as("%s, where the bare format has %d", record.getKey(), bareBytes)
                    .isLessThanOrEqualTo(bareBytes + MOST_MORE_BYTES);
            assertThat(Coding.decompress(codec, bytes)).isEqualTo(raw);
            Decompressor decompressor = codec.createDecompressor();
            Outcome outcome = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(bytes), Sizes.of(77), Sizes.of(1000));
            decompressor.end();
            assertThat(outcome.isExactly(raw)).as(outcome.toString()).isTrue();
            assertThat(Coding.decompress(codec, Bytes.concat(bytes, bytes))).isEqualTo(Bytes.concat(raw, raw));
        }
    }

    /** Of what is written where a file of some file system lies, every chunk says where it ends. */
    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4"})
    void aFileIsMarkedHoweverShortItIs(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] raw = Payloads.text(494, 3);
        byte[] file = Coding.compressToFile(codec, raw);
        assertThat(file.length).isGreaterThan(Coding.compress(codec, raw).length + 20);
        assertThat(Coding.decompress(codec, file)).isEqualTo(raw);
    }
}
