package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spark's own codec reads our streams, and ours reads its. */
class WireFormatTest {
    @ParameterizedTest
    @EnumSource
    void stockReadsOurs(CodecPair codecs) {
        for (byte[] plain : Payloads.all()) {
            assertThat(codecs.stockDecompress(codecs.compress(plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oursReadsStock(CodecPair codecs) {
        for (byte[] plain : Payloads.all()) {
            assertThat(codecs.decompress(codecs.stockCompress(plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oursReadsOurs(CodecPair codecs) {
        for (byte[] plain : Payloads.all()) {
            assertThat(codecs.decompress(codecs.compress(plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource
    void concatenatedOutputsReadAsOneStreamOnBothSides(CodecPair codecs) {
        List<byte[]> parts = List.of(
                new byte[0], Payloads.text(100_000), new byte[0], Payloads.noise(40_000), new byte[1], new byte[0]);
        byte[] plain = Payloads.concatenate(parts);
        List<byte[]> compressed = parts.stream().map(codecs::compress).toList();
        assertThat(codecs.decompress(Payloads.concatenate(compressed))).isEqualTo(plain);
        assertThat(codecs.stockDecompress(Payloads.concatenate(compressed))).isEqualTo(plain);
    }

    @ParameterizedTest
    @EnumSource
    void outputsOfBothSidesMayBeMixedInOneConcatenation(CodecPair codecs) {
        List<byte[]> compressed = new ArrayList<>();
        List<byte[]> parts = new ArrayList<>();
        for (int size : new int[] {0, 10, 70_000, 0, 300_000, 5}) {
            byte[] part = Payloads.text(size);
            parts.add(part);
            parts.add(part);
            compressed.add(codecs.compress(part));
            compressed.add(codecs.stockCompress(part));
        }
        assertThat(codecs.decompress(Payloads.concatenate(compressed))).isEqualTo(Payloads.concatenate(parts));
        assertThat(codecs.stockDecompress(Payloads.concatenate(compressed))).isEqualTo(Payloads.concatenate(parts));
    }

    @ParameterizedTest
    @EnumSource
    void manyFlushesNeitherCutNorLoseAnything(CodecPair codecs) throws Exception {
        byte[] plain = Payloads.text(200_000);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        Random random = new Random(7);
        try (OutputStream out = codecs.ours().compressedOutputStream(sink)) {
            for (int at = 0; at < plain.length; ) {
                int length = Math.min(plain.length - at, random.nextInt(40));
                out.write(plain, at, length);
                out.flush();
                at += length;
            }
            out.flush();
        }
        assertThat(codecs.stockDecompress(sink.toByteArray())).isEqualTo(plain);
        assertThat(sink.size()).as("flushes cut no chunk").isEqualTo(codecs.compress(plain).length);
    }

    @ParameterizedTest
    @EnumSource
    void continuousStreamsAreTheSameStreams(CodecPair codecs) throws Exception {
        byte[] plain = Payloads.text(50_000);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        ChunkedCompressionCodec ours = (ChunkedCompressionCodec) codecs.ours();
        try (OutputStream out = ours.compressedContinuousOutputStream(sink)) {
            out.write(plain);
        }
        assertThat(sink.toByteArray()).isEqualTo(codecs.compress(plain));
        assertThat(ours.compressedContinuousInputStream(new java.io.ByteArrayInputStream(sink.toByteArray())))
                .hasBinaryContent(plain);
    }
}
