package io.warpcodec.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodeSession.State;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xerial.snappy.Snappy;

/** Sessions fed in every piece size: the unit ends exactly where it ends, and what follows is not touched. */
class SessionProtocolTest {
    /** A unit of a format, what it decodes to, and whether each byte of it is needed. */
    private record Sample(String name, Format format, CodecOptions options, byte[] unit, byte[] raw) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] text(int bytes) {
        Random random = new Random(bytes);
        byte[] text = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            text[i] = (byte) ('a' + random.nextInt(1 + random.nextInt(20)));
        }
        return text;
    }

    private static byte[] length(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static Stream<Sample> samples() throws Exception {
        byte[] a = text(3000);
        byte[] b = text(500);
        byte[] bodyA = Snappy.compress(a);
        byte[] bodyB = Snappy.compress(b);
        byte[] chunkA = concat(length(bodyA.length), bodyA);
        byte[] chunkB = concat(length(bodyB.length), bodyB);
        CodecOptions plain = CodecOptions.DEFAULTS;
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(streamed, 3)) {
            out.setChecksum(true);
            out.write(a);
            out.flush();
            out.write(b);
        }
        byte[] skippable = concat(new byte[] {0x55, 0x2a, 0x4d, 0x18, 10, 0, 0, 0}, new byte[10]);
        return Stream.of(
                new Sample("outer block", Format.SNAPPY, plain, concat(length(3500), chunkA, chunkB), concat(a, b)),
                new Sample("xerial block", Format.SNAPPY, plain.withFraming(Framing.SPARK), chunkA, a),
                new Sample("zstd frame", Format.ZSTD, plain, streamed.toByteArray(), concat(a, b)),
                new Sample("skippable frame", Format.ZSTD, plain, skippable, new byte[0]));
    }

    private static byte[] decode(DecodeSession session, byte[] file, int unitBytes, int inputPiece, int outputPiece)
            throws Exception {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        ByteBuffer output = ByteBuffer.allocate(outputPiece);
        int at = 0;
        while (true) {
            ByteBuffer input = ByteBuffer.wrap(file, at, Math.min(inputPiece, file.length - at));
            State state = session.decode(input, output.clear());
            at = input.position();
            got.write(output.array(), 0, output.position());
            switch (state) {
                case FINISHED -> {
                    assertThat(at).isEqualTo(unitBytes);
                    return got.toByteArray();
                }
                case NEEDS_INPUT -> {
                    assertThat(input.hasRemaining()).isFalse();
                    assertThat(session.missing()).isNotBlank();
                }
                case NEEDS_OUTPUT -> assertThat(output.hasRemaining()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyPieceSizeGivesTheSameBytesAndStopsAtTheEnd(Sample sample) throws Exception {
        byte[] file = concat(sample.unit(), new byte[] {1, 2, 3});
        try (DecodeSession session = new CpuEngine().openSession(sample.format(), sample.options(), 0)) {
            for (int[] pieces : new int[][] {{1, 1}, {1, 10_000}, {10_000, 1}, {7, 13}, {10_000, 10_000}}) {
                session.reset(0);
                assertThat(decode(session, file, sample.unit().length, pieces[0], pieces[1]))
                        .as("input %d, output %d", pieces[0], pieces[1])
                        .isEqualTo(sample.raw());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void directBuffersDoAsWell(Sample sample) throws Exception {
        ByteBuffer input = ByteBuffer.allocateDirect(sample.unit().length + 3);
        input.put(sample.unit()).put(new byte[3]).flip();
        ByteBuffer output = ByteBuffer.allocateDirect(10_000);
        try (DecodeSession session = new CpuEngine().openSession(sample.format(), sample.options(), 0)) {
            assertThat(session.decode(input.asReadOnlyBuffer(), output)).isEqualTo(State.FINISHED);
        }
        byte[] got = new byte[output.flip().remaining()];
        output.get(got);
        assertThat(got).isEqualTo(sample.raw());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aSessionWorksAfterItWasResetAnywhere(Sample sample) throws Exception {
        try (DecodeSession session = new CpuEngine().openSession(sample.format(), sample.options(), 0)) {
            for (int cut = 0; cut < sample.unit().length; cut += 1 + sample.unit().length / 50) {
                session.decode(ByteBuffer.wrap(Arrays.copyOf(sample.unit(), cut)), ByteBuffer.allocate(10_000));
                session.reset(0);
                ByteBuffer output = ByteBuffer.allocate(10_000);
                assertThat(session.decode(ByteBuffer.wrap(sample.unit()), output))
                        .isEqualTo(State.FINISHED);
                assertThat(Arrays.copyOf(output.array(), output.position())).isEqualTo(sample.raw());
            }
        }
    }
}
