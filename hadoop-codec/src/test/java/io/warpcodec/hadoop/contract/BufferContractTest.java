package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link ByteBufferReadable} promises of our streams. Direct buffers, and heap buffers that begin inside an array.
 */
class BufferContractTest {
    private static final byte CANARY = 0x5a;
    private static final int MARGIN = 8;
    private static final byte[] TEXT = Payloads.text(700_000, 21);

    static Stream<Arguments> codecsAndKinds() {
        return Arrays.stream(CodecUnderTest.values())
                .flatMap(format -> Stream.of(Arguments.of(format, true), Arguments.of(format, false)));
    }

    /** A buffer with so much space and canaries on both sides of it. */
    private static ByteBuffer space(int bytes, boolean direct) {
        ByteBuffer whole = direct
                ? ByteBuffer.allocateDirect(bytes + 2 * MARGIN)
                : ByteBuffer.wrap(new byte[bytes + 3 * MARGIN], MARGIN, bytes + 2 * MARGIN)
                        .slice();
        for (int at = 0; at < MARGIN; at++) {
            whole.put(at, CANARY).put(MARGIN + bytes + at, CANARY);
        }
        return whole.position(MARGIN).limit(MARGIN + bytes);
    }

    /** The bytes before its position; fails unless its limit and the canaries are as they were. */
    private static byte[] taken(ByteBuffer space, int bytes) {
        assertThat(space.limit()).as("limit").isEqualTo(MARGIN + bytes);
        byte[] taken = new byte[space.position() - MARGIN];
        space.get(MARGIN, taken);
        space.clear();
        for (int at = 0; at < MARGIN; at++) {
            assertThat(space.get(at)).as("before the buffer").isEqualTo(CANARY);
            assertThat(space.get(MARGIN + bytes + at)).as("behind the limit").isEqualTo(CANARY);
        }
        return taken;
    }

    private static byte[] readToEnd(InputStream decoded, Sizes reads, boolean direct) throws IOException {
        Bytes content = new Bytes();
        for (; ; ) {
            int want = reads.next();
            ByteBuffer target = space(want, direct);
            int got = ((ByteBufferReadable) decoded).read(target);
            byte[] taken = taken(target, want);
            if (got < 0) {
                assertThat(taken).isEmpty();
                assertThat(((ByteBufferReadable) decoded).read(space(1, direct)))
                        .as("the end is sticky")
                        .isEqualTo(-1);
                assertThat(decoded.available()).isZero();
                return content.toArray();
            }
            assertThat(got).isPositive().isEqualTo(taken.length);
            content.put(taken);
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndKinds")
    void aStreamFillsBuffersOfAnySize(CodecUnderTest format, boolean direct) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Bytes.concat(Coding.compress(codec, TEXT), Coding.compress(codec, TEXT));
        byte[] twice = Bytes.concat(TEXT, TEXT);
        for (Sizes sizes :
                new Sizes[] {Sizes.of(100), Sizes.of(16 << 10), Sizes.random(7, 300_000), Sizes.of(2_000_000)}) {
            try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file))) {
                assertThat(readToEnd(in, sizes, direct)).as("reads of " + sizes).isEqualTo(twice);
            }
        }
    }

    /** A bzip2 block of 20 MB of one byte is held as its text, and expanded while it is read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockThatExpandsFillsBuffersOfAnySize(boolean direct) throws IOException {
        byte[] content = new byte[20_000_000];
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream bzip2 = new BZip2CompressorOutputStream(file)) {
            bzip2.write(content);
        }
        CompressionCodec codec = CodecUnderTest.BZIP2.codec();
        for (Sizes sizes : new Sizes[] {Sizes.of(300_000), Sizes.of(7_000_000)}) {
            try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file.toByteArray()))) {
                assertThat(Arrays.equals(readToEnd(in, sizes, direct), content))
                        .as("reads of " + sizes)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsOfArraysAndBuffersMayTakeTurns(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Bytes content = new Bytes();
        try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file))) {
            byte[] array = new byte[30_000];
            for (int turn = 0; ; turn++) {
                ByteBuffer target = space(array.length, turn % 3 == 1);
                int got = turn % 3 == 0 ? in.read(array) : ((ByteBufferReadable) in).read(target);
                if (got < 0) {
                    break;
                }
                content.put(turn % 3 == 0 ? Arrays.copyOf(array, got) : taken(target, array.length));
            }
        }
        assertThat(content.toArray()).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @MethodSource("codecsAndKinds")
    void bytesBeforeATruncationAreDelivered(CodecUnderTest format, boolean direct) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] one = Coding.compress(codec, TEXT);
        byte[] file = Bytes.concat(one, Arrays.copyOf(one, one.length - 1));
        try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file))) {
            Bytes content = new Bytes();
            assertThatThrownBy(() -> {
                        while (true) {
                            ByteBuffer target = space(50_000, direct);
                            if (((ByteBufferReadable) in).read(target) < 0) {
                                return;
                            }
                            content.put(taken(target, 50_000));
                        }
                    })
                    .isInstanceOf(EOFException.class);
            byte[] delivered = content.toArray();
            assertThat(delivered.length).isGreaterThanOrEqualTo(TEXT.length);
            assertThat(delivered).isEqualTo(Arrays.copyOf(Bytes.concat(TEXT, TEXT), delivered.length));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBufferWithoutSpaceReadsNothingAndOneThatCannotBeWrittenIsRefused(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        try (CompressionInputStream in =
                codec.createInputStream(new ByteArrayInputStream(Coding.compress(codec, TEXT)))) {
            ByteBufferReadable readable = (ByteBufferReadable) in;
            assertThat(readable.read(ByteBuffer.allocateDirect(0))).isZero();
            assertThatThrownBy(() -> readable.read(ByteBuffer.allocate(10).asReadOnlyBuffer()))
                    .isInstanceOf(ReadOnlyBufferException.class);
            assertThat(in.readAllBytes()).isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongSettingIsAnIllegalArgument(CodecUnderTest format) {
        var conf = format.conf();
        conf.set(CodecUnderTest.PREFIX + "mode", "no mode");
        CompressionCodec codec = format.codec(conf);
        assertThatThrownBy(() -> ((DirectDecompressionCodec) codec).createDirectDecompressor())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.createOutputStream(new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class);
    }
}
