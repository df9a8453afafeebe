package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Spark relies on when it reads and writes: contracts §3.5. */
class StreamBehaviourTest {
    @ParameterizedTest
    @EnumSource
    void singleByteReadsDeliverEverythingAndThenKeepSayingEnd(CodecPair codecs) throws IOException {
        byte[] plain = Payloads.text(100_000);
        try (InputStream in = open(codecs, codecs.compress(plain))) {
            for (byte expected : plain) {
                assertThat((byte) in.read()).isEqualTo(expected);
            }
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[10])).isEqualTo(-1);
            assertThat(in.available()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void singleByteWritesGiveTheSameBytesAsOneLargeWrite(CodecPair codecs) throws IOException {
        byte[] plain = Payloads.text(80_000);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (OutputStream out = codecs.ours().compressedOutputStream(sink)) {
            for (byte value : plain) {
                out.write(value);
            }
        }
        assertThat(sink.toByteArray()).isEqualTo(codecs.compress(plain));
    }

    @ParameterizedTest
    @EnumSource
    void makingStreamsTouchesNeitherSourceNorSink(CodecPair codecs) {
        InputStream source = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("read too early");
            }
        };
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        assertThat(codecs.ours().compressedInputStream(source)).isNotNull();
        assertThat(codecs.ours().compressedOutputStream(sink)).isNotNull();
        assertThat(sink.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void closingTwiceIsClosingOnce(CodecPair codecs) throws IOException {
        CountingSink sink = new CountingSink();
        OutputStream out = codecs.ours().compressedOutputStream(sink);
        out.write(Payloads.text(1000));
        out.close();
        int size = sink.size();
        out.close();
        assertThat(sink.size()).isEqualTo(size);
        assertThat(sink.closeCount).isEqualTo(1);
        InputStream in = open(codecs, sink.toByteArray());
        assertThat(in.read()).isNotNegative();
        in.close();
        in.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyTruncationIsAnIoExceptionOrEndsBetweenChunks(CodecPair codecs) throws IOException {
        byte[] plain = Payloads.text(3000);
        byte[] compressed = compressInKibibytes(codecs, plain);
        for (int length = 0; length < compressed.length; length++) {
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            try (InputStream in = open(codecs, Arrays.copyOf(compressed, length))) {
                in.transferTo(got);
                assertThat(got.size() % 1024)
                        .as("clean end after %d of %d bytes", length, compressed.length)
                        .isZero();
            } catch (IOException expected) {
                assertThat(expected).hasMessageMatching(".+");
            }
            assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(plain, got.size()));
        }
    }

    private static byte[] compressInKibibytes(CodecPair codecs, byte[] plain) throws IOException {
        CompressionCodec codec = codecs.ours(new SparkConf(false).set(Settings.SPARK_PREFIX + "chunk.size", "1k"));
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (OutputStream out = codec.compressedOutputStream(sink)) {
            out.write(plain);
        }
        return sink.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void flippedBitsAreRefusedOrMeanTheSame(CodecPair codecs) throws IOException {
        byte[] plain = Payloads.text(2000);
        byte[] compressed = codecs.compress(plain);
        for (int bit = 0; bit < compressed.length * 8; bit++) {
            byte[] damaged = compressed.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try (InputStream in = open(codecs, damaged)) {
                byte[] got = in.readAllBytes();
                if (codecs.hasChecksums()) {
                    assertThat(got).as("bit %d", bit).isEqualTo(plain);
                }
            } catch (IOException expected) {
                assertThat(expected).hasMessageMatching("(?s).+");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandHalfReadStreamsInOneThreadAllFinish(CodecPair codecs) throws IOException {
        byte[] plain = Payloads.text(60_000);
        byte[] compressed = codecs.compress(plain);
        CompressionCodec codec = codecs.ours();
        List<InputStream> streams = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            InputStream in = codec.compressedInputStream(new ByteArrayInputStream(compressed));
            assertThat(in.readNBytes(plain.length / 2)).hasSize(plain.length / 2);
            streams.add(in);
        }
        byte[] rest = Arrays.copyOfRange(plain, plain.length / 2, plain.length);
        for (InputStream in : streams) {
            assertThat(Arrays.equals(in.readAllBytes(), rest)).isTrue();
            in.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void streamsMoveBetweenThreads(CodecPair codecs) throws Exception {
        byte[] plain = Payloads.text(700_000);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            OutputStream out = codecs.ours().compressedOutputStream(sink);
            for (int at = 0; at < plain.length; at += 7000) {
                int from = at;
                (at % 2000 == 0 ? one : other)
                        .submit(() -> {
                            out.write(plain, from, 7000);
                            return null;
                        })
                        .get();
            }
            other.submit(() -> {
                        out.close();
                        return null;
                    })
                    .get();
            InputStream in = open(codecs, sink.toByteArray());
            for (int turn = 0; back.size() < plain.length; turn++) {
                back.writeBytes((turn % 2 == 0 ? one : other)
                        .submit(() -> in.readNBytes(9999))
                        .get());
            }
            one.submit(() -> {
                        in.close();
                        return null;
                    })
                    .get();
        } finally {
            one.shutdown();
            other.shutdown();
        }
        assertThat(back.toByteArray()).isEqualTo(plain);
    }

    @ParameterizedTest
    @EnumSource
    void oneCodecServesManyThreadsAtOnce(CodecPair codecs) throws Exception {
        CompressionCodec codec = codecs.ours();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                byte[] plain = Payloads.text(50_000 + 997 * i);
                results.add(threads.submit(() -> {
                    ByteArrayOutputStream sink = new ByteArrayOutputStream();
                    try (OutputStream out = codec.compressedOutputStream(sink)) {
                        out.write(plain);
                    }
                    try (InputStream in = codec.compressedInputStream(new ByteArrayInputStream(sink.toByteArray()))) {
                        return Arrays.equals(in.readAllBytes(), plain);
                    }
                }));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void foreignBytesAreAnIoException(CodecPair codecs) {
        byte[] foreign = Payloads.text(5000);
        try (InputStream in = open(codecs, foreign)) {
            assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(CodecPair codecs, byte[] compressed) {
        return codecs.ours().compressedInputStream(new ByteArrayInputStream(compressed));
    }

    private static final class CountingSink extends ByteArrayOutputStream {
        private int closeCount;

        @Override
        public void close() {
            closeCount++;
        }
    }
}
