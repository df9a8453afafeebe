package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.CrankyEngine;
import io.warpcodec.engine.ForwardingBatch;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.EncodedChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an output stream does after an exception: it throws again, and what it leaves behind is no whole stream. */
class FailedOutputTest {
    private static final byte[] RAW = StreamRig.text(20_000, 7);

    static List<StreamRig> rigs() {
        CodecOptions small = CodecOptions.DEFAULTS.withChunkBytes(4 << 10);
        List<StreamRig> rigs = new ArrayList<>();
        for (Format format : Format.values()) {
            rigs.add(new StreamRig(format, small));
        }
        rigs.add(new StreamRig(Format.LZ4, small.withFraming(Framing.HADOOP)));
        for (Format format : List.of(Format.GZIP, Format.LZ4, Format.SNAPPY, Format.ZSTD)) {
            rigs.add(new StreamRig(format, small.withFraming(Framing.SPARK)));
        }
        return rigs;
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
    }

    /** Takes so many bytes, then fails once, in the middle of a write, and goes on after that. */
    private static final class FailingSink extends OutputStream {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final long limit;
        boolean failed;
        int closes;

        FailingSink(long limit) {
            this.limit = limit;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            int count = failed ? length : (int) Math.min(length, limit - taken.size());
            taken.write(bytes, start, count);
            if (count < length) {
                failed = true;
                throw new IOException("no space");
            }
        }

        @Override
        public void close() {
            closes++;
        }
    }

    /** Writes in pieces, on and on, whatever is thrown. */
    private static void writeOn(OutputStream out) {
        for (int at = 0; at < RAW.length; at += 1000) {
            try {
                out.write(RAW, at, Math.min(1000, RAW.length - at));
            } catch (IOException thrown) {
                // the next write is tried
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void whereverTheSinkFailsOnceTheFileIsNoWholeStream(StreamRig rig) throws Exception {
        int fileBytes = rig.write(RAW).length;
        assertThat(rig.read(rig.write(RAW))).isEqualTo(RAW);
        int step = Integer.getInteger("warpcodec.test.failed-output.step", 31);
        for (int limit = 0; limit < fileBytes; limit += limit < 40 || limit > fileBytes - 60 ? 1 : step) {
            FailingSink sink = new FailingSink(limit);
            ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
            writeOn(out);
            try {
                out.close();
            } catch (IOException thrown) {
                // where the end of the stream is what failed
            }
            assertThat(sink.failed).isTrue();
            assertThat(sink.closes).isEqualTo(1);
            byte[] got;
            try {
                got = rig.read(sink.taken.toByteArray());
            } catch (IOException seen) {
                continue;
            }
            assertThat(got)
                    .as("%s, whole after a failure at byte %d", rig, limit)
                    .isEqualTo(RAW);
            assertThat(Arrays.copyOf(sink.taken.toByteArray(), fileBytes)).isEqualTo(rig.write(RAW));
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void everyLaterCallThrowsWithTheFirstExceptionAsItsCause(StreamRig rig) throws Exception {
        FailingSink sink = new FailingSink(10);
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        IOException[] first = new IOException[1];
        try {
            out.write(RAW);
            out.finish();
        } catch (IOException thrown) {
            first[0] = thrown;
        }
        assertThat(first[0]).hasMessage("no space");
        assertThatThrownBy(() -> out.write(RAW)).isInstanceOf(IOException.class).hasCause(first[0]);
        assertThatThrownBy(out::flush).isInstanceOf(IOException.class).hasCause(first[0]);
        assertThatThrownBy(out::finish).isInstanceOf(IOException.class).hasCause(first[0]);
        out.restart();
        assertThatThrownBy(() -> out.write(RAW)).isInstanceOf(IOException.class).hasCause(first[0]);
        out.close();
        out.close();
        assertThat(sink.closes).isEqualTo(1);
        assertThatThrownBy(() -> rig.read(sink.taken.toByteArray())).isInstanceOf(IOException.class);
    }

    /** An engine that fails one chunk for good, between whole ones: what lies in the sink ends where a unit does. */
    private static final class FailingEngine extends ForwardingEngine {
        private int chunks;

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> raw) {
            Batch<EncodedChunk> batch = super.encode(format, options, raw);
            return new ForwardingBatch<>(batch) {
                @Override
                public EncodedChunk take(int index) throws IOException {
                    if (++chunks == 3) {
                        throw new IllegalStateException("a bug in an encoder");
                    }
                    return super.take(index);
                }
            };
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void anEncoderThatFailsLeavesNoWholeStream(StreamRig rig) throws Exception {
        Engines.installAccelerator(new FailingEngine());
        FailingSink sink = new FailingSink(Long.MAX_VALUE);
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        assertThatThrownBy(() -> {
                    out.write(RAW);
                    out.finish();
                })
                .hasMessage("a bug in an encoder");
        out.close();
        assertThat(sink.closes).isEqualTo(1);
        Engines.installAccelerator(null);
        assertThatThrownBy(() -> rig.read(sink.taken.toByteArray())).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aPushedEncoderThrowsUntilItIsResetAndIsAsNewThen(StreamRig rig) throws Exception {
        Engines.installAccelerator(new FailingEngine());
        PushEncoder encoder = new PushEncoder(rig.format(), rig.options());
        byte[] target = new byte[2 * RAW.length + 1000];
        encoder.setInput(RAW, 0, RAW.length);
        encoder.finish();
        IllegalStateException[] first = new IllegalStateException[1];
        try {
            encode(encoder, target);
        } catch (IllegalStateException thrown) {
            first[0] = thrown;
        }
        assertThat(first[0]).hasMessage("a bug in an encoder");
        for (int again = 0; again < 3; again++) {
            assertThatThrownBy(() -> encoder.encode(target, 0, target.length))
                    .isInstanceOf(IOException.class)
                    .hasRootCause(first[0]);
            assertThat(encoder.finished()).isFalse();
        }
        assertThat(encoder.reset()).isTrue();
        encoder.setInput(RAW, 0, RAW.length);
        encoder.finish();
        int bytes = encode(encoder, target);
        assertThat(rig.read(Arrays.copyOf(target, bytes))).isEqualTo(RAW);
    }

    private static int encode(PushEncoder encoder, byte[] target) throws IOException {
        int bytes = 0;
        while (!encoder.finished()) {
            bytes += encoder.encode(target, bytes, target.length - bytes);
        }
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aFailedStreamHasGivenItsMemoryBackBeforeItIsClosed(StreamRig rig) throws Exception {
        CrankyEngine cranky = new CrankyEngine(new CpuEngine(), 3);
        Engines.install(cranky.selector());
        ChunkedOutputStream out = new ChunkedOutputStream(
                new FailingSink(100), rig.format(), rig.options().withVerifyWrites(0.5));
        assertThatThrownBy(() -> {
                    // more than three buffers where an engine works ahead
                    for (int i = 0; i < 1000; i++) {
                        out.write(RAW);
                    }
                })
                .hasMessage("no space");
        while (!cranky.lentLeases().isEmpty()) {
            // what is in work is given back when its work ends
            Thread.onSpinWait();
        }
        out.close();
    }
}
