package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec.READ_MODE;
import org.apache.hadoop.util.LineReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a split's stream says of its position, which is all that Hadoop's line readers go by. */
class SplitPositionTest {
    private static final int CHUNKS = 5;

    /** A file of several chunks, with where each starts in it and in its content. */
    private record Sample(byte[] file, byte[] content, int[] starts, int[] contentStarts) {

        /** The first chunk that starts at or behind an offset, or the number of chunks. */
        int chunkAt(long offset) {
            int chunk = 0;
            while (chunk < starts.length && starts[chunk] < offset) {
                chunk++;
            }
            return chunk;
        }

        int chunkOfContent(int index) {
            int chunk = starts.length - 1;
            while (contentStarts[chunk] > index) {
                chunk--;
            }
            return chunk;
        }

        /** The position once the byte at an index of the content has been handed out. */
        long position(int index) {
            int chunk = chunkOfContent(index);
            return chunk == 0 ? 0 : starts[chunk] + 1;
        }
    }

    private static Sample sample(CodecUnderTest format) throws IOException {
        Bytes file = new Bytes();
        Bytes content = new Bytes();
        int[] starts = new int[CHUNKS];
        int[] contentStarts = new int[CHUNKS];
        for (int i = 0; i < CHUNKS; i++) {
            starts[i] = file.size();
            contentStarts[i] = content.size();
            byte[] piece = Payloads.text(20 + 13 * i, i);
            file.put(
                    format == CodecUnderTest.BZIP2
                            ? new Bzip2Forge().header("BZh9").block(piece).end().toArray()
                            : Coding.compressToFile(format.codec(), piece));
            content.put(piece);
        }
        return new Sample(file.toArray(), content.toArray(), starts, contentStarts);
    }

    private static SplitCompressionInputStream open(CodecUnderTest format, byte[] file, long start, long end)
            throws IOException {
        return open(format, file, start, end, READ_MODE.BYBLOCK);
    }

    private static SplitCompressionInputStream open(
            CodecUnderTest format, byte[] file, long start, long end, READ_MODE mode) throws IOException {
        SplittableCompressionCodec codec = (SplittableCompressionCodec) format.codec();
        return codec.createInputStream(new MemoryFile(file), codec.createDecompressor(), start, end, mode);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD"})
    void everySplitStartsAtTheNextChunkAndCountsFromThere(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        for (int start = 0; start <= sample.file.length; start++) {
            SplitCompressionInputStream in = open(format, sample.file, start, sample.file.length);
            assertThat(in.getAdjustedStart()).isEqualTo(start);
            assertThat(in.getAdjustedEnd()).isEqualTo(sample.file.length);
            int chunk = start == 0 ? 0 : sample.chunkAt(start);
            if (chunk == CHUNKS) {
                assertThat(in.getPos() > sample.file.length || in.read() == -1)
                        .as("split at " + start + " owns nothing")
                        .isTrue();
                continue;
            }
            assertThat(in.getPos()).as("before the first read at " + start).isEqualTo(sample.starts[chunk]);
            for (int at = sample.contentStarts[chunk]; at < sample.content.length; at++) {
                assertThat((byte) in.read()).isEqualTo(sample.content[at]);
                assertThat(in.getPos()).as("split at " + start + ", byte " + at).isEqualTo(sample.position(at));
            }
            assertThat(in.read()).isEqualTo(-1);
            in.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD", "BZIP2"})
    void oneReadNeverCrossesAChunk(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        byte[] buffer = new byte[100_000];
        SplitCompressionInputStream in = open(format, sample.file, 0, sample.file.length);
        int at = 0;
        for (int got = in.read(buffer, 0, buffer.length); got >= 0; got = in.read(buffer, 0, buffer.length)) {
            assertThat(sample.chunkOfContent(at + got - 1)).isEqualTo(sample.chunkOfContent(at));
            at += got;
        }
        assertThat(at).isEqualTo(sample.content.length);
    }

    /** The end is only reported: what begins behind it is read all the same, also where nothing begins before it. */
    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD", "BZIP2"})
    void aContinuousStreamReportsItsEndAndReadsOn(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        int end = sample.starts[1] - 1;
        SplitCompressionInputStream byBlock = open(format, sample.file, 5, end);
        assertThat(byBlock.getPos()).as("a split that owns nothing").isGreaterThan(end);
        assertThat(byBlock.readAllBytes()).isEmpty();
        SplitCompressionInputStream in = open(format, sample.file, 5, end, READ_MODE.CONTINUOUS);
        assertThat(in.getAdjustedStart()).isEqualTo(5);
        assertThat(in.getAdjustedEnd()).isEqualTo(end);
        assertThat(in.readAllBytes())
                .isEqualTo(Arrays.copyOfRange(sample.content, sample.contentStarts[1], sample.content.length));
    }

    /** As Hadoop's own readers of text do it, with lines that cross every chunk. */
    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD", "BZIP2"})
    void aLineReaderOverAContinuousStreamSeesEveryLine(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        Bytes lines = new Bytes();
        try (LineReader reader = new LineReader(
                open(format, sample.file, 0, sample.starts[1], READ_MODE.CONTINUOUS), new byte[] {' '})) {
            for (Text line = new Text(); reader.readLine(line) > 0; ) {
                lines.put(line.copyBytes()).put(new byte[] {' '});
            }
        }
        // the last line ends with the file
        assertThat(Arrays.copyOf(lines.toArray(), sample.content.length)).isEqualTo(sample.content);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD", "BZIP2"})
    void theEndOfASplitIsNoEndOfTheStream(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        for (int end = 0; end <= sample.file.length; end += 7) {
            assertThat(open(format, sample.file, 0, end).readAllBytes()).isEqualTo(sample.content);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD", "BZIP2"})
    void readsOfNothingDoNotMove(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        SplitCompressionInputStream in = open(format, sample.file, 1, sample.file.length);
        byte[] buffer = new byte[10];
        long before = in.getPos();
        assertThat(in.read(buffer, 0, 0)).isZero();
        assertThat(in.getPos()).isEqualTo(before);
        assertThatThrownBy(() -> in.read(null, 0, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> in.read(buffer, 5, 6)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> in.read(buffer, -1, 6)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(in.getPos()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "LZ4_HADOOP", "ZSTD", "BZIP2"})
    void aSplitOfAStreamThatCannotSeekIsAnIoException(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        SplittableCompressionCodec codec = (SplittableCompressionCodec) format.codec();
        assertThatThrownBy(() -> codec.createInputStream(
                                new ByteArrayInputStream(sample.file),
                                codec.createDecompressor(),
                                10,
                                sample.file.length,
                                READ_MODE.BYBLOCK)
                        .read())
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "LZ4_HADOOP", "ZSTD", "BZIP2"})
    void continuousModeReadsEverything(CodecUnderTest format) throws IOException {
        Sample sample = sample(format);
        SplittableCompressionCodec codec = (SplittableCompressionCodec) format.codec();
        for (READ_MODE mode : READ_MODE.values()) {
            SplitCompressionInputStream in = codec.createInputStream(
                    new MemoryFile(sample.file), codec.createDecompressor(), 0, Long.MAX_VALUE, mode);
            assertThat(in.readAllBytes()).as(mode.toString()).isEqualTo(sample.content);
            SplitCompressionInputStream bytewise =
                    codec.createInputStream(new MemoryFile(sample.file), null, 0, sample.file.length, mode);
            for (byte b : sample.content) {
                assertThat(bytewise.read()).isEqualTo(b & 0xff);
            }
            assertThat(bytewise.read()).isEqualTo(-1);
        }
    }

    /** A file with nowhere to split: the split at 0 reads it all at position 0, every other is empty at once. */
    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4_HADOOP"})
    void aFileWithoutSyncPointsIsReadByTheFirstSplit(CodecUnderTest format) throws IOException {
        byte[] content = Payloads.text(300, 9);
        byte[] file = format == CodecUnderTest.GZIP
                ? Bytes.concat(
                        GzipForge.member(content).build(),
                        GzipForge.member(content).build())
                : Bytes.concat(Coding.compress(format.codec(), content), Coding.compress(format.codec(), content));
        for (int start = 1; start <= file.length; start++) {
            SplitCompressionInputStream in = open(format, file, start, file.length);
            assertThat(in.getPos() > file.length || in.read() == -1).isTrue();
        }
        SplitCompressionInputStream first = open(format, file, 0, 10);
        for (int i = 0; i < 2 * content.length; i++) {
            assertThat(first.read()).isEqualTo(content[i % content.length] & 0xff);
            assertThat(first.getPos()).isLessThanOrEqualTo(first.getAdjustedEnd());
        }
        assertThat(first.read()).isEqualTo(-1);
    }

    /** Positions of {@code .bz2} are those of Hadoop's own codec, read for read, from every start. */
    @Test
    void bzip2PositionsAreThoseOfHadoopsCodec() throws IOException {
        Bzip2Forge forge = new Bzip2Forge().header("BZh9");
        for (int i = 0; i < CHUNKS; i++) {
            forge.block(Payloads.text(20 + 13 * i, i));
        }
        byte[] file = forge.end().toArray();
        BZip2Codec stock = new BZip2Codec();
        stock.setConf(CodecUnderTest.DEFAULTS);
        for (int start = 0; start <= file.length; start++) {
            List<Long> theirs = positions(stock.createInputStream(
                    new MemoryFile(file), stock.createDecompressor(), start, file.length, READ_MODE.BYBLOCK));
            List<Long> ours = positions(open(CodecUnderTest.BZIP2, file, start, file.length));
            assertThat(ours).as("split at " + start).isEqualTo(theirs);
        }
    }

    /** The adjusted bounds, then alternately a byte and the position behind it. */
    private static List<Long> positions(SplitCompressionInputStream in) throws IOException {
        List<Long> seen = new ArrayList<>();
        seen.add(in.getAdjustedStart());
        seen.add(in.getAdjustedEnd());
        for (int b = in.read(); b >= 0; b = in.read()) {
            seen.add((long) b);
            seen.add(in.getPos());
        }
        return seen;
    }
}
