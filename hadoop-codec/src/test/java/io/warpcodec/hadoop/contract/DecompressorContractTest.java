package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.engine.cpu.base.NativeBytes;
import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DecompressorStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol of {@link Decompressor}, which is that of {@code java.util.zip.Inflater} and a little more. */
class DecompressorContractTest {
    private static final byte[] TEXT = Payloads.text(20_000, 1);
    private static final long SEED = 72;

    @ParameterizedTest
    @EnumSource
    void badArgumentsAreRefusedByTheExactExceptions(CodecUnderTest format) {
        Decompressor decompressor = format.codec().createDecompressor();
        byte[] ten = new byte[10];
        assertThatThrownBy(() -> decompressor.setInput(null, 0, 1)).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> decompressor.decompress(null, 0, 1)).isExactlyInstanceOf(NullPointerException.class);
        int[][] ranges = {{-1, 1}, {0, -1}, {0, 11}, {5, 6}, {11, 0}, {1, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            assertThatThrownBy(() -> decompressor.setInput(ten, range[0], range[1]))
                    .isExactlyInstanceOf(ArrayIndexOutOfBoundsException.class);
            assertThatThrownBy(() -> decompressor.decompress(ten, range[0], range[1]))
                    .isExactlyInstanceOf(ArrayIndexOutOfBoundsException.class);
        }
        decompressor.end();
    }

    @ParameterizedTest
    @EnumSource
    void aFreshDecompressorNeedsInputAndIsNotFinished(CodecUnderTest format) throws IOException {
        Decompressor decompressor = format.codec().createDecompressor();
        assertThat(decompressor.finished()).isFalse();
        assertThat(decompressor.needsDictionary()).isFalse();
        assertThat(decompressor.decompress(new byte[10], 0, 10)).isZero();
        assertThat(decompressor.needsInput()).isTrue();
        assertThat(decompressor.finished()).isFalse();
        assertThat(decompressor.getRemaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void framesOneAfterTheOtherAreReadWithAnyFeedAndOutput(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] one = Coding.compress(codec, TEXT);
        byte[] empty = Coding.compress(codec, new byte[0]);
        byte[] file = Bytes.concat(one, empty, empty, one);
        Decompressor decompressor = codec.createDecompressor();
        for (Sizes[] sizes : new Sizes[][] {
            {Sizes.of(1), Sizes.of(1)},
            {Sizes.of(1), Sizes.of(65_536)},
            {Sizes.of(65_536), Sizes.of(1)},
            {Sizes.of(7), Sizes.of(4096)},
            {Sizes.of(4096), Sizes.of(7)},
            {Sizes.random(SEED, 4096), Sizes.random(SEED + 1, 4096)}
        }) {
            Outcome outcome =
                    Decoding.throughDecompressor(decompressor, new ByteArrayInputStream(file), sizes[0], sizes[1]);
            assertThat(outcome.isExactly(Bytes.concat(TEXT, TEXT)))
                    .as("feeds of " + sizes[0] + ", outputs of " + sizes[1] + ": " + outcome)
                    .isTrue();
            decompressor.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void remainingIsExactWhateverFollowsTheFrame(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, Payloads.text(1000, 3));
        Decompressor decompressor = codec.createDecompressor();
        for (int tail = 0; tail < 40; tail++) {
            byte[] foreign = new byte[tail];
            Arrays.fill(foreign, (byte) 'x');
            byte[] fed = Bytes.concat(file, foreign);
            for (int cut : new int[] {0, 1, file.length / 2, file.length - 1}) {
                decompressor.reset();
                assertThat(remaining(decompressor, fed, cut, 1000))
                        .as("tail of " + tail + ", fed in two at " + cut)
                        .isEqualTo(tail);
            }
        }
    }

    /** Feeds [0,cut) and [cut,end); the bytes unread when the frame that completes the content is finished. */
    private static int remaining(Decompressor decompressor, byte[] fed, int cut, int contentBytes) throws IOException {
        byte[] out = new byte[256];
        int from = 0;
        int limit = cut == 0 ? fed.length : cut;
        int delivered = 0;
        decompressor.setInput(fed, from, limit - from);
        for (; ; ) {
            int got = decompressor.decompress(out, 0, out.length);
            delivered += got;
            if (got > 0) {
                continue;
            }
            if (decompressor.finished()) {
                int remaining = decompressor.getRemaining();
                if (delivered == contentBytes && limit == fed.length) {
                    return remaining;
                }
                from = limit - remaining;
                limit = remaining > 0 ? limit : fed.length;
                decompressor.reset();
            } else {
                assertThat(decompressor.needsInput()).isTrue();
                assertThat(limit).as("asks for more than the whole frame").isLessThan(fed.length);
                from = limit;
                limit = fed.length;
            }
            decompressor.setInput(fed, from, limit - from);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theInputIsOnlyRead(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        byte[] fed = file.clone();
        Decompressor decompressor = codec.createDecompressor();
        decompressor.setInput(fed, 0, fed.length);
        byte[] out = new byte[1000];
        while (decompressor.decompress(out, 0, out.length) > 0) {
            assertThat(fed).isEqualTo(file);
        }
        assertThat(decompressor.finished()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anOutputOfNoBytesChangesNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Decompressor decompressor = codec.createDecompressor();
        decompressor.setInput(file, 0, file.length);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] out = new byte[100];
        while (!decompressor.finished()) {
            assertThat(decompressor.decompress(out, 100, 0)).isZero();
            content.write(out, 0, decompressor.decompress(out, 0, out.length));
        }
        assertThat(content.toByteArray()).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void resetIsAFreshStartInAnyState(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Decompressor decompressor = codec.createDecompressor();
        for (int fed : new int[] {0, 1, 3, 10, file.length / 2, file.length - 1, file.length}) {
            decompressor.setInput(file, 0, fed);
            decompressor.decompress(new byte[50], 0, 50);
            decompressor.reset();
            assertThat(decompressor.finished()).isFalse();
            assertThat(decompressor.getRemaining()).isZero();
            Outcome outcome = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(file), Sizes.of(512), Sizes.of(512));
            assertThat(outcome.isExactly(TEXT))
                    .as("after " + fed + " bytes: " + outcome)
                    .isTrue();
            decompressor.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPooledDecompressorForgetsABadFile(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Decompressor decompressor = CodecPool.getDecompressor(codec);
        for (int flipped = 0; flipped < Math.min(60, file.length); flipped++) {
            byte[] bad = file.clone();
            bad[flipped] ^= (byte) 0xff;
            Outcome outcome = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(bad), Sizes.of(4096), Sizes.of(4096));
            if (!outcome.isSuccess()) {
                assertThat(outcome.error()).isInstanceOf(IOException.class);
            }
            decompressor.reset();
            Outcome good = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(file), Sizes.of(4096), Sizes.of(4096));
            assertThat(good.isExactly(TEXT))
                    .as("after byte " + flipped + ": " + good)
                    .isTrue();
            decompressor.reset();
        }
        CodecPool.returnDecompressor(decompressor);
    }

    @ParameterizedTest
    @EnumSource
    void setInputTakesAnythingAtAnyTime(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Decompressor decompressor = codec.createDecompressor();
        byte[] noise = Payloads.noise(300, SEED);
        decompressor.setInput(noise, 0, noise.length);
        decompressor.setInput(noise, 100, 200);
        decompressor.reset();
        byte[] file = Coding.compress(codec, TEXT);
        Outcome outcome = Decoding.throughDecompressor(
                decompressor, new ByteArrayInputStream(file), Sizes.of(512), Sizes.of(512));
        assertThat(outcome.isExactly(TEXT)).as(outcome.toString()).isTrue();
    }

    /** What the garbage collector does not see goes back at once, not when the decompressor is found abandoned. */
    @Test
    void endFreesNativeMemory() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(sink)) {
            out.write(Payloads.noise(1 << 20, 3)); // a frame of unknown size, which a session decodes
        }
        byte[] file = sink.toByteArray();
        Decompressor decompressor = CodecUnderTest.ZSTD.codec().createDecompressor();
        long before = NativeBytes.taken();
        decompressor.setInput(file, 0, file.length / 2);
        decompressor.decompress(new byte[10], 0, 10);
        assertThat(NativeBytes.taken()).isGreaterThan(before);
        decompressor.end();
        assertThat(NativeBytes.taken()).isLessThanOrEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void endMayBeCalledAgainAndLaterUseFails(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Decompressor decompressor = codec.createDecompressor();
        decompressor.setInput(file, 0, file.length / 2);
        decompressor.decompress(new byte[10], 0, 10);
        decompressor.end();
        decompressor.end();
        assertThatThrownBy(() -> {
                    decompressor.setInput(file, 0, file.length);
                    decompressor.decompress(new byte[10], 0, 10);
                })
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @EnumSource
    void hadoopsDecompressorStreamReadsFrameAfterFrame(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] one = Coding.compress(codec, Payloads.text(2000, 9));
        byte[] file = Bytes.concat(one, one, one);
        for (int buffer : new int[] {1, 2, 13, one.length - 1, one.length, one.length + 1, 65_536}) {
            Decompressor decompressor = codec.createDecompressor();
            try (DecompressorStream in = new DecompressorStream(new ByteArrayInputStream(file), decompressor, buffer)) {
                byte[] content = in.readAllBytes();
                byte[] text = Payloads.text(2000, 9);
                assertThat(content).as("buffer of " + buffer).isEqualTo(Bytes.concat(text, text, text));
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }
}
