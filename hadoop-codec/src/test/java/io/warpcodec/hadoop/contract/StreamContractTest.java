package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What SequenceFile, IFile, HBase and Spark expect of the two streams of a codec. */
class StreamContractTest {
    private static final byte[] TEXT = Payloads.text(20_000, 1);

    /** A source on which every read is a breach of contract. */
    private static final class Untouchable extends InputStream {
        @Override
        public int read() {
            throw new AssertionError("read from the source before the first read of the stream");
        }
    }

    @ParameterizedTest
    @EnumSource
    void makingAnInputStreamReadsNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        codec.createInputStream(new Untouchable());
        codec.createInputStream(new Untouchable(), codec.createDecompressor());
        CompressionInputStream in = codec.createInputStream(new Untouchable());
        in.resetState();
        in.close();
    }

    @ParameterizedTest
    @EnumSource
    void makingOrResettingAnOutputStreamWritesNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        CompressionOutputStream out = codec.createOutputStream(file);
        assertThat(file.size()).isZero();
        out.resetState();
        assertThat(file.size()).isZero();
        out.write(TEXT);
        out.finish();
        int finished = file.size();
        out.resetState();
        assertThat(file.size()).isEqualTo(finished);
        Compressor compressor = codec.createCompressor();
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        codec.createOutputStream(second, compressor).resetState();
        assertThat(second.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void nothingWrittenIsAValidEmptyFile(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, new byte[0]);
        assertThat(file).isNotEmpty();
        assertThat(Coding.decompress(codec, file)).isEmpty();
        assertThat(Coding.decompress(codec, Bytes.concat(file, Coding.compress(codec, TEXT), file)))
                .isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfNoBytesIsEmptyOrEndsTooEarly(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        if (format.emptyFileIsEmpty()) {
            assertThat(Coding.decompress(codec, new byte[0])).isEmpty();
        } else {
            assertThatThrownBy(() -> Coding.decompress(codec, new byte[0])).isInstanceOf(EOFException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void finishIsCompleteAndMayBeRepeated(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        CompressionOutputStream out = codec.createOutputStream(file);
        out.write(TEXT);
        out.finish();
        byte[] finished = file.toByteArray();
        assertThat(Coding.decompress(codec, finished)).isEqualTo(TEXT);
        out.finish();
        out.close();
        out.close();
        assertThat(file.toByteArray()).isEqualTo(finished);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
    }

    /** Whether the bytes have left for the sink or not: what is read later has no hole. */
    @ParameterizedTest
    @EnumSource
    void aStreamWithBytesThatAreNotFinishedIsNotReset(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        for (int bytes : new int[] {1, 1000, 700_000, 1_500_000}) {
            byte[] text = Payloads.text(bytes, 4);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            try (CompressionOutputStream out = codec.createOutputStream(file)) {
                out.write(TEXT, 0, 10);
                out.finish();
                out.resetState();
                out.resetState();
                out.write(text, 0, 0);
                out.resetState();
                out.write(text);
                assertThatThrownBy(out::resetState)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("finish");
                out.flush();
                assertThatThrownBy(out::resetState).isInstanceOf(IOException.class);
                out.write(text, 0, 1);
                out.finish();
                out.resetState();
                out.write(TEXT, 0, 10);
            }
            byte[] ten = Arrays.copyOf(TEXT, 10);
            assertThat(Coding.decompress(codec, file.toByteArray()))
                    .as("%d bytes", bytes)
                    .isEqualTo(Bytes.concat(ten, text, Arrays.copyOf(text, 1), ten));
        }
    }

    @ParameterizedTest
    @EnumSource
    void finishedFramesReadAsOneStream(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CompressionOutputStream out = codec.createOutputStream(file, codec.createCompressor())) {
            for (int i = 0; i < 5; i++) {
                out.write(TEXT, i, 1000);
                out.flush();
                out.finish();
                out.resetState();
            }
        }
        Bytes expected = new Bytes();
        for (int i = 0; i < 5; i++) {
            expected.put(Arrays.copyOfRange(TEXT, i, i + 1000));
        }
        assertThat(Coding.decompress(codec, file.toByteArray())).isEqualTo(expected.toArray());
    }

    @ParameterizedTest
    @EnumSource
    void flushCutsNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        int[] flushes = {0};
        FilterOutputStream sink = new FilterOutputStream(file) {
            @Override
            public void flush() {
                flushes[0]++;
            }
        };
        try (CompressionOutputStream out = codec.createOutputStream(sink)) {
            for (int i = 0; i < TEXT.length; i += 100) {
                out.write(TEXT, i, 100);
                out.flush();
            }
        }
        assertThat(flushes[0]).isPositive();
        assertThat(file.toByteArray()).isEqualTo(Coding.compress(codec, TEXT));
    }

    @ParameterizedTest
    @EnumSource
    void writesOfAnySizeMakeTheSameFile(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] content = Payloads.text(150_000, 4);
        byte[] expected = Coding.compress(codec, content);
        if (format == CodecUnderTest.LZ4_HADOOP || format == CodecUnderTest.SNAPPY) {
            assertThat(Coding.decompress(codec, written(codec, content, Sizes.of(1))))
                    .isEqualTo(content);
        }
        for (Sizes sizes : new Sizes[] {Sizes.of(1), Sizes.of(4096), Sizes.random(5, 10_000)}) {
            assertThat(Coding.decompress(codec, written(codec, content, sizes))).isEqualTo(content);
            assertThat(written(codec, content, sizes)).as("writes of " + sizes).hasSameSizeAs(expected);
        }
    }

    private static byte[] written(CompressionCodec codec, byte[] content, Sizes sizes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CompressionOutputStream out = codec.createOutputStream(file)) {
            for (int from = 0; from < content.length; ) {
                int bytes = Math.min(sizes.next(), content.length - from);
                if (bytes == 1) {
                    out.write(content[from]);
                } else {
                    out.write(content, from, bytes);
                }
                from += bytes;
            }
        }
        return file.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void theEndIsStickyAndReadsOfNothingReadNothing(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file))) {
            byte[] buffer = new byte[TEXT.length];
            assertThat(in.read(buffer, 0, 0)).isZero();
            assertThat(in.available()).isNotNegative();
            assertThat(in.read()).isEqualTo(TEXT[0]);
            assertThat(in.read(buffer, 5, 0)).isZero();
            assertThat(in.readNBytes(buffer, 0, TEXT.length - 1)).isEqualTo(TEXT.length - 1);
            assertThat(Arrays.copyOf(buffer, TEXT.length - 1)).isEqualTo(Arrays.copyOfRange(TEXT, 1, TEXT.length));
            for (int i = 0; i < 3; i++) {
                assertThat(in.read()).isEqualTo(-1);
                assertThat(in.read(buffer, 0, 10)).isEqualTo(-1);
                in.available();
            }
        }
    }

    /** Callers that read while something is available must get all of a file, as they do from Hadoop's own streams. */
    @ParameterizedTest
    @EnumSource
    void somethingIsAvailableUntilAReadMeetsTheEnd(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        byte[] twice = Arrays.copyOf(file, 2 * file.length);
        System.arraycopy(file, 0, twice, file.length, file.length);
        try (CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(twice))) {
            byte[] buffer = new byte[TEXT.length];
            int total = 0;
            while (in.available() > 0) {
                total += Math.max(0, in.read(buffer));
            }
            assertThat(total).isEqualTo(2 * TEXT.length);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void badReadAndWriteArgumentsAreRefused(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] ten = new byte[10];
        int[][] ranges = {{-1, 1}, {0, -1}, {0, 11}, {5, 6}, {11, 0}, {1, Integer.MAX_VALUE}};
        try (CompressionInputStream in =
                        codec.createInputStream(new ByteArrayInputStream(Coding.compress(codec, TEXT)));
                CompressionOutputStream out = codec.createOutputStream(new ByteArrayOutputStream())) {
            assertThatThrownBy(() -> in.read(null, 0, 1)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> out.write(null, 0, 1)).isInstanceOf(NullPointerException.class);
            for (int[] range : ranges) {
                assertThatThrownBy(() -> in.read(ten, range[0], range[1]))
                        .as("read(%d,%d)", range[0], range[1])
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> out.write(ten, range[0], range[1]))
                        .as("write(%d,%d)", range[0], range[1])
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThat(in.readAllBytes()).isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingTwiceReturnsToThePoolOnce(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        int[] closes = {0};
        for (int i = 0; i < 20; i++) {
            CompressionInputStream in = codec.createInputStream(
                    new FilterInputStream(new ByteArrayInputStream(Coding.compress(codec, TEXT))) {
                        @Override
                        public void close() {
                            closes[0]++;
                        }
                    });
            in.read();
            in.close();
            Decompressor mine = CodecPool.getDecompressor(codec);
            in.close();
            assertThat(CodecPool.getDecompressor(codec)).isNotSameAs(mine);
            CompressionOutputStream out = codec.createOutputStream(new ByteArrayOutputStream());
            out.write(1);
            out.close();
            Compressor own = CodecPool.getCompressor(codec);
            out.close();
            assertThat(CodecPool.getCompressor(codec)).isNotSameAs(own);
        }
        assertThat(closes[0]).isBetween(20, 40);
    }

    @ParameterizedTest
    @EnumSource
    void aHandedDecompressorStaysItsOwners(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        Decompressor decompressor = codec.createDecompressor();
        Compressor compressor = codec.createCompressor();
        for (int i = 0; i < 3; i++) {
            CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file), decompressor);
            assertThat(in.readAllBytes()).isEqualTo(TEXT);
            in.close();
            decompressor.reset(); // as LineRecordReader does, after the close
            ByteArrayOutputStream again = new ByteArrayOutputStream();
            try (CompressionOutputStream out = codec.createOutputStream(again, compressor)) {
                out.write(TEXT);
            }
            compressor.reset();
            assertThat(again.toByteArray()).isEqualTo(file);
        }
        Outcome bare = Decoding.throughDecompressor(
                decompressor, new ByteArrayInputStream(file), Sizes.of(512), Sizes.of(512));
        assertThat(bare.isExactly(TEXT)).as(bare.toString()).isTrue();
    }

    /** SequenceFile and IFile: the buffer behind the stream is swapped, and resetState() drops what was looked at. */
    @ParameterizedTest
    @EnumSource
    void resetStateForgetsTheBufferBehindTheStream(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        DataInputBuffer source = new DataInputBuffer();
        source.reset(new byte[0], 0);
        CompressionInputStream in = codec.createInputStream(source, codec.createDecompressor());
        for (int record = 0; record < 6; record++) {
            byte[] content = Payloads.text(300 + record * 5000, record);
            byte[] file = Coding.compress(codec, content);
            DataOutputBuffer buffer = new DataOutputBuffer();
            buffer.write(new byte[17]);
            buffer.write(file);
            source.reset(buffer.getData(), 17, file.length);
            in.resetState();
            if (record % 2 == 0) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            } else {
                assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOf(content, 100)); // and leaves the rest
            }
        }
    }

    /** InMemoryMapOutput: exactly N bytes are read, then -1, and by then the whole frame has been consumed. */
    @ParameterizedTest
    @EnumSource
    void theEndIsReportedWithTheSourceConsumed(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        ByteArrayInputStream source = new ByteArrayInputStream(Coding.compress(codec, TEXT));
        CompressionInputStream in = codec.createInputStream(source, codec.createDecompressor());
        assertThat(in.readNBytes(TEXT.length)).isEqualTo(TEXT);
        assertThat(in.read()).isEqualTo(-1);
        assertThat(source.available()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamMayMoveBetweenThreads(CodecUnderTest format) throws Exception {
        CompressionCodec codec = format.codec();
        byte[] content = Payloads.text(700_000, 6);
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            CompressionOutputStream out = codec.createOutputStream(file);
            for (int from = 0; from < content.length; from += 100_000) {
                int at = from;
                two.submit(() -> {
                            out.write(content, at, 100_000);
                            return null;
                        })
                        .get();
            }
            out.close();
            CompressionInputStream in = codec.createInputStream(new ByteArrayInputStream(file.toByteArray()));
            Bytes read = new Bytes();
            while (read.size() < content.length) {
                Future<byte[]> piece = two.submit(() -> in.readNBytes(50_000));
                read.put(piece.get());
            }
            in.close();
            assertThat(read.toArray()).isEqualTo(content);
        } finally {
            two.shutdownNow();
        }
    }

    /** A frame that is complete in the pipe is readable, though its writer says no more. */
    @ParameterizedTest
    @EnumSource
    void aReaderOnAPipeDoesNotWaitForMoreThanTheFrameItNeeds(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        try (PipedInputStream pipe = new PipedInputStream(1 << 20);
                PipedOutputStream sink = new PipedOutputStream(pipe)) {
            CompressionInputStream in = codec.createInputStream(pipe);
            CompressionOutputStream out = codec.createOutputStream(sink);
            for (int i = 0; i < 3; i++) {
                out.write(TEXT);
                out.finish();
                out.resetState();
                assertThat(in.readNBytes(TEXT.length)).isEqualTo(TEXT);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDamagedStreamKeepsFailingAndClosesQuietly(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] file = Coding.compress(codec, TEXT);
        CompressionInputStream in =
                codec.createInputStream(new ByteArrayInputStream(Arrays.copyOf(file, file.length - 3)));
        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        in.close();
    }
}
