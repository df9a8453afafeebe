package io.warpcodec.stream;

import static io.warpcodec.stream.OtherThread.await;
import static io.warpcodec.stream.OtherThread.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bare coders that another thread closes or resets while the first one is inside an engine. */
class CoderClosedByAnotherThreadTest {
    private static final byte[] RAW = StreamRig.text(60_000, 1);
    /** Chunks of which the data has more than three: a part is still in memory when three are coded. */
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withChunkBytes(16 << 10);

    /** A decoder or an encoder that has all of its input. */
    private interface Coder {
        int code(byte[] target) throws IOException;

        boolean finished();

        boolean reset();

        void close();

        /** The raw bytes of all that was coded. */
        byte[] raw(byte[] coded) throws IOException;
    }

    static Stream<Arguments> coders() {
        return Stream.of(Format.values())
                .flatMap(format -> Stream.of("decoder", "encoder").map(kind -> Arguments.of(format, kind)));
    }

    private static Coder coder(Format format, String kind) throws IOException {
        StreamRig rig = new StreamRig(format, OPTIONS);
        return kind.equals("decoder") ? decoder(rig) : encoder(rig);
    }

    private static Coder decoder(StreamRig rig) throws IOException {
        byte[] file = rig.write(RAW);
        PushDecoder decoder = new PushDecoder(rig.format(), rig.options());
        decoder.setInput(file, 0, file.length);
        return new Coder() {
            @Override
            public int code(byte[] target) throws IOException {
                if (decoder.finished()) {
                    int left = decoder.remaining();
                    decoder.reset();
                    decoder.setInput(file, file.length - left, left);
                }
                return decoder.decode(target, 0, target.length);
            }

            @Override
            public boolean finished() {
                return decoder.finished() && decoder.remaining() == 0;
            }

            @Override
            public boolean reset() {
                return decoder.reset();
            }

            @Override
            public void close() {
                decoder.close();
            }

            @Override
            public byte[] raw(byte[] coded) {
                return coded;
            }
        };
    }

    private static Coder encoder(StreamRig rig) {
        PushEncoder encoder = new PushEncoder(rig.format(), rig.options());
        encoder.setInput(RAW, 0, RAW.length);
        encoder.finish();
        return new Coder() {
            @Override
            public int code(byte[] target) throws IOException {
                return encoder.encode(target, 0, target.length);
            }

            @Override
            public boolean finished() {
                return encoder.finished();
            }

            @Override
            public boolean reset() {
                return encoder.reset() || encoder.reset(rig.options());
            }

            @Override
            public void close() {
                encoder.close();
            }

            @Override
            public byte[] raw(byte[] coded) throws IOException {
                return rig.read(coded);
            }
        };
    }

    private static byte[] all(Coder coder) throws IOException {
        ByteArrayOutputStream coded = new ByteArrayOutputStream();
        byte[] target = new byte[10_000];
        while (!coder.finished()) {
            coded.write(target, 0, coder.code(target));
        }
        return coded.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("coders")
    void theCallThatIsInsideGivesTheMemoryBackWhenItLeaves(Format format, String kind) throws Exception {
        Coder coder = coder(format, kind);
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> all(coder));
        await(engine.inside);
        int lent = engine.lent.get();
        assertThat(lent).isPositive();
        coder.close();
        assertThat(engine.lent).as("while the call is inside").hasValue(lent);
        engine.mayGoOn.countDown();
        assertThatThrownBy(user::get)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("stream was closed while it was used");
        assertThat(engine.lent).hasValue(0);
        assertThatThrownBy(() -> coder.code(new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage("stream is closed");
        coder.close();
        assertThat(coder.reset()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("coders")
    void aCloseBetweenTwoCallsGivesTheMemoryBack(Format format, String kind) throws Exception {
        Coder coder = coder(format, kind);
        HeldEngine engine = HeldEngine.installed();
        engine.mayGoOn.countDown();
        supply(() -> coder.code(new byte[100])).get();
        assertThat(engine.lent.get()).isPositive();
        coder.close();
        assertThat(engine.lent).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("coders")
    void aResetUnderACallDoesNothing(Format format, String kind) throws Exception {
        Coder coder = coder(format, kind);
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> all(coder));
        await(engine.inside);
        assertThat(coder.reset()).isFalse();
        engine.mayGoOn.countDown();
        assertThat(coder.raw(user.get())).isEqualTo(RAW);
        assertThat(coder.reset()).isTrue();
        assertThat(engine.lent).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("coders")
    void aSecondCallIsRefused(Format format, String kind) throws Exception {
        Coder coder = coder(format, kind);
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> all(coder));
        await(engine.inside);
        assertThatThrownBy(() -> coder.code(new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage("stream is in use by another thread");
        engine.mayGoOn.countDown();
        assertThat(coder.raw(user.get())).isEqualTo(RAW);
        coder.close();
        assertThat(engine.lent).hasValue(0);
    }
}
