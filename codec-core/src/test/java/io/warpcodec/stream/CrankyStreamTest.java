package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.CrankyEngine;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams on an engine that is late, out of order, forgetful, short of memory and that fails now and then. */
class CrankyStreamTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(16 << 10);

    private CrankyEngine cranky;

    @BeforeEach
    void install() {
        cranky = new CrankyEngine(new CpuEngine(), 42);
        Engines.install(cranky.selector());
    }

    private static byte[] write(Format format, byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, format, SMALL_CHUNKS)) {
            Random random = new Random(raw.length);
            int at = 0;
            while (at < raw.length) {
                int count = Math.min(raw.length - at, 1 + random.nextInt(40_000));
                out.write(raw, at, count);
                at += count;
            }
        }
        return sink.toByteArray();
    }

    private static ChunkedInputStream open(Format format, byte[] file) {
        return new ChunkedInputStream(new ByteArrayInputStream(file), format, SMALL_CHUNKS);
    }

    private void assertNothingIsLent() throws InterruptedException {
        for (int i = 0; i < 500 && !cranky.lentLeases().isEmpty(); i++) {
            Thread.sleep(10);
        }
        assertThat(cranky.lentLeases()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everySizeRoundTripsAndEveryLeaseComesBack(Format format) throws Exception {
        for (int size : new int[] {0, 1, 16383, 16384, 16385, 1_500_000}) {
            byte[] raw = StreamRig.text(size, size);
            byte[] file = write(format, raw);
            try (InputStream in = open(format, file)) {
                assertThat(in.readAllBytes()).isEqualTo(raw);
            }
        }
        assertThat(cranky.chunkCount()).isPositive();
        assertNothingIsLent();
    }

    @ParameterizedTest
    @EnumSource
    void halfReadStreamsGiveEverythingBackWhenClosed(Format format) throws Exception {
        byte[] raw = StreamRig.text(700_000, 3);
        byte[] file = write(format, raw);
        List<ChunkedInputStream> open = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ChunkedInputStream in = open(format, file);
            assertThat(in.readNBytes(1000 + i)).isEqualTo(java.util.Arrays.copyOf(raw, 1000 + i));
            open.add(in);
        }
        for (int i = 0; i < 50; i++) {
            if (i % 2 == 0) {
                assertThat(open.get(i).readAllBytes())
                        .isEqualTo(java.util.Arrays.copyOfRange(raw, 1000 + i, raw.length));
            }
            open.get(i).close();
        }
        assertNothingIsLent();
    }

    @ParameterizedTest
    @EnumSource
    void abandonedStreamsLeakNothing(Format format) throws Exception {
        byte[] file = write(format, StreamRig.text(400_000, 5));
        for (int i = 0; i < 20; i++) {
            assertThat(open(format, file).read()).isNotNegative();
            new ChunkedOutputStream(OutputStreamNull.INSTANCE, format, SMALL_CHUNKS).write(file, 0, 30_000);
        }
        for (int i = 0; i < 200 && !cranky.lentLeases().isEmpty(); i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(cranky.lentLeases()).isEmpty();
    }

    private static final class OutputStreamNull extends java.io.OutputStream {
        static final OutputStreamNull INSTANCE = new OutputStreamNull();

        @Override
        public void write(int value) {
            // dropped
        }
    }

    /** One chunk a file, some of which go back to a session: that is still one stream. */
    @ParameterizedTest
    @EnumSource
    void aPushedStreamFinishesAtItsEndAndNotBefore(Format format) throws Exception {
        byte[] raw = StreamRig.text(10_000, 6);
        byte[] file = write(format, raw);
        byte[] got = new byte[raw.length + 1];
        long goneBack = Metrics.counter("fallback.decode." + format.word() + ".over-budget")
                .sum();
        for (int round = 0; round < 100; round++) {
            PushDecoder decoder = new PushDecoder(format, SMALL_CHUNKS);
            decoder.setInput(file, 0, file.length);
            int count = 0;
            while (!decoder.finished()) {
                count += decoder.decode(got, count, got.length - count);
            }
            assertThat(java.util.Arrays.copyOf(got, count))
                    .as("round %d", round)
                    .isEqualTo(raw);
            assertThat(decoder.remaining()).isZero();
            decoder.reset();
        }
        // pushed gzip, zlib and LZ4 frame streams are sessions from the start, and the engine never lacks room for
        // bzip2
        if (format == Format.SNAPPY || format == Format.ZSTD) {
            assertThat(Metrics.counter("fallback.decode." + format.word() + ".over-budget")
                            .sum())
                    .isGreaterThan(goneBack);
        }
    }

    @ParameterizedTest
    @EnumSource
    void damageIsAnIoExceptionAndTheBytesBeforeItAreDelivered(Format format) throws Exception {
        byte[] raw = StreamRig.text(600_000, 8);
        byte[] file = write(format, raw);
        Random random = new Random(11);
        for (int round = 0; round < 20; round++) {
            byte[] bad = java.util.Arrays.copyOf(file, file.length / 2 + random.nextInt(file.length / 4));
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            assertThatThrownBy(() -> {
                        try (InputStream in = open(format, bad)) {
                            in.transferTo(got);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(got.toByteArray()).isEqualTo(java.util.Arrays.copyOf(raw, got.size()));
        }
        assertNothingIsLent();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BZIP2")
    void verifiedWritesSurviveAnEngineThatLies(Format format) throws Exception {
        cranky.lie();
        byte[] raw = StreamRig.text(300_000, 9);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, format, SMALL_CHUNKS.withVerifyWrites(1))) {
            out.write(raw);
        }
        assertNothingIsLent();
        Engines.installAccelerator(null);
        try (InputStream in = open(format, sink.toByteArray())) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
    }
}
