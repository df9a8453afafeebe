package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.CompressorStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol of {@link Compressor}, which is that of {@code java.util.zip.Deflater} and a little more. */
class CompressorContractTest {
    private static final byte[] TEXT = Payloads.text(20_000, 1);
    private static final long SEED = 71;

    @ParameterizedTest
    @EnumSource
    void badArgumentsAreRefusedByTheExactExceptions(CodecUnderTest format) {
        Compressor compressor = format.codec().createCompressor();
        byte[] ten = new byte[10];
        assertThatThrownBy(() -> compressor.setInput(null, 0, 1)).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> compressor.compress(null, 0, 1)).isExactlyInstanceOf(NullPointerException.class);
        int[][] ranges = {{-1, 1}, {0, -1}, {0, 11}, {5, 6}, {11, 0}, {1, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            assertThatThrownBy(() -> compressor.setInput(ten, range[0], range[1]))
                    .isExactlyInstanceOf(ArrayIndexOutOfBoundsException.class);
            assertThatThrownBy(() -> compressor.compress(ten, range[0], range[1]))
                    .isExactlyInstanceOf(ArrayIndexOutOfBoundsException.class);
        }
        compressor.end();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedCallLeavesTheCompressorUsable(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Compressor compressor = codec.createCompressor();
        assertThatThrownBy(() -> compressor.setInput(new byte[1], 0, 2))
                .isInstanceOf(ArrayIndexOutOfBoundsException.class);
        compressor.reset();
        byte[] file = Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096));
        assertThat(Coding.decompress(codec, file)).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void bytesReadCountsInputAsSoonAsItIsGiven(CodecUnderTest format) {
        Compressor compressor = format.codec().createCompressor();
        assertThat(compressor.getBytesRead()).isZero();
        assertThat(compressor.getBytesWritten()).isZero();
        compressor.setInput(TEXT, 0, 100);
        assertThat(compressor.getBytesRead()).isEqualTo(100);
        compressor.reset();
        assertThat(compressor.getBytesRead()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aFreshCompressorNeedsInputAndIsNotFinished(CodecUnderTest format) throws IOException {
        Compressor compressor = format.codec().createCompressor();
        assertThat(compressor.needsInput()).isTrue();
        assertThat(compressor.finished()).isFalse();
        assertThat(compressor.compress(new byte[100], 0, 100)).isZero();
        assertThat(compressor.needsInput()).isTrue();
        assertThat(compressor.finished()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void bytesWrittenIsWhatWasHandedOut(CodecUnderTest format) throws IOException {
        Compressor compressor = format.codec().createCompressor();
        byte[] file = Coding.compress(compressor, TEXT, Sizes.of(999), Sizes.of(77));
        assertThat(compressor.getBytesWritten()).isEqualTo(file.length);
        assertThat(compressor.getBytesRead()).isEqualTo(TEXT.length);
    }

    @ParameterizedTest
    @EnumSource
    void anySizeOfFeedAndOutputMakesAReadableFile(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Compressor compressor = codec.createCompressor();
        for (int size : new int[] {0, 1, 2, 100, 20_000}) {
            byte[] content = Payloads.text(size, size);
            for (Sizes[] sizes : new Sizes[][] {
                {Sizes.of(1), Sizes.of(1)},
                {Sizes.of(20_000), Sizes.of(1)},
                {Sizes.of(7), Sizes.of(3)},
                {Sizes.random(SEED, 1023), Sizes.random(SEED + 1, 1023)}
            }) {
                byte[] file = Coding.compress(compressor, content, sizes[0], sizes[1]);
                assertThat(Coding.decompress(codec, file))
                        .as(size + " bytes, feeds of " + sizes[0] + ", outputs of " + sizes[1])
                        .isEqualTo(content);
                compressor.reset();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOutputOfNoBytesChangesNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Compressor compressor = codec.createCompressor();
        compressor.setInput(TEXT, 0, TEXT.length);
        compressor.finish();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        byte[] out = new byte[512];
        while (!compressor.finished()) {
            assertThat(compressor.compress(out, 512, 0)).isZero();
            file.write(out, 0, compressor.compress(out, 0, out.length));
        }
        assertThat(compressor.compress(out, 0, out.length)).isZero();
        assertThat(Coding.decompress(codec, file.toByteArray())).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void theCallersArrayIsFreeOnceInputIsNeededAgain(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Compressor compressor = codec.createCompressor();
        byte[] shared = new byte[1000];
        byte[] out = new byte[4096];
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int from = 0; from < TEXT.length; from += shared.length) {
            System.arraycopy(TEXT, from, shared, 0, shared.length);
            compressor.setInput(shared, 0, shared.length);
            while (!compressor.needsInput()) {
                file.write(out, 0, compressor.compress(out, 0, out.length));
            }
            java.util.Arrays.fill(shared, (byte) 0xee);
        }
        compressor.finish();
        while (!compressor.finished()) {
            file.write(out, 0, compressor.compress(out, 0, out.length));
        }
        assertThat(Coding.decompress(codec, file.toByteArray())).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void resetInAnyStateMakesTheSameBytesAgain(CodecUnderTest format) throws IOException {
        Compressor compressor = format.codec().createCompressor();
        byte[] first = Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096));
        compressor.reset(); // finished
        assertThat(Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096)))
                .isEqualTo(first);
        compressor.reset();
        compressor.setInput(TEXT, 5, 1000); // input given, nothing taken
        compressor.reset();
        assertThat(compressor.finished()).isFalse();
        assertThat(Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096)))
                .isEqualTo(first);
        compressor.reset();
        compressor.setInput(TEXT, 5, 1000);
        compressor.finish();
        compressor.compress(new byte[3], 0, 3); // output half taken
        compressor.reset();
        compressor.reset();
        assertThat(Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096)))
                .isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void reinitToleratesNoConfiguration(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Compressor compressor = codec.createCompressor();
        compressor.reinit(null);
        compressor.reinit(format.conf());
        compressor.reinit(null);
        byte[] file = Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096));
        assertThat(Coding.decompress(codec, file)).isEqualTo(TEXT);
        compressor.reinit(null);
        byte[] again = Coding.compress(compressor, TEXT, Sizes.of(4096), Sizes.of(4096));
        assertThat(Coding.decompress(codec, again)).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void endMayBeCalledAgainAndLaterUseFails(CodecUnderTest format) {
        Compressor compressor = format.codec().createCompressor();
        compressor.setInput(TEXT, 0, 1000);
        compressor.end();
        compressor.end();
        assertThatThrownBy(() -> {
                    compressor.setInput(TEXT, 0, 1000);
                    compressor.finish();
                    compressor.compress(new byte[4096], 0, 4096);
                })
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @EnumSource
    void hadoopsCompressorStreamWritesFrameAfterFrame(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        for (int buffer : new int[] {1, 13, 512, 65_536}) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            Compressor compressor = codec.createCompressor();
            try (CompressorStream out = new CompressorStream(file, compressor, buffer)) {
                out.write(TEXT);
                out.finish();
                out.resetState();
                out.write(TEXT, 0, 10);
                out.finish();
                out.resetState();
                out.finish();
                out.resetState();
                out.write(TEXT);
            }
            byte[] expected = Bytes.concat(TEXT, java.util.Arrays.copyOf(TEXT, 10), TEXT);
            assertThat(Coding.decompress(codec, file.toByteArray()))
                    .as("buffer of " + buffer)
                    .isEqualTo(expected);
        }
    }
}
