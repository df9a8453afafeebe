package io.warpcodec.hadoop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.forge.HadoopFramingForge;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.forge.Lz4FrameForge;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.forge.ZstdFrameForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where decoders legitimately differ: our policy, row by row. */
class PolicyTest {
    private static final byte[] TEXT = Payloads.text(500, 1);

    @ParameterizedTest
    @EnumSource
    void noBytesAreAnEmptyFileOrAnEarlyEnd(CodecUnderTest format) {
        Outcome outcome = new Judge(format).stream(new byte[0]);
        if (format.emptyFileIsEmpty()) {
            assertThat(outcome.isExactly(new byte[0])).as(outcome.toString()).isTrue();
        } else {
            assertThat(outcome.error()).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void zeroPaddingBehindAGzipMemberIsAccepted() {
        Judge judge = new Judge(CodecUnderTest.GZIP);
        byte[] member = GzipForge.member(TEXT).build();
        for (int padding : new int[] {1, 2, 8, 511, 5000, 100_000}) {
            judge.readsInOneFeed(Bytes.concat(member, member, new byte[padding]), Bytes.concat(TEXT, TEXT));
        }
    }

    @Test
    void anythingElseBehindAGzipMemberIsRefusedAfterTheMember() throws IOException {
        Judge judge = new Judge(CodecUnderTest.GZIP);
        byte[] member = GzipForge.member(TEXT).build();
        judge.refuses(Bytes.concat(member, new byte[] {'x'}), TEXT.length);
        judge.refuses(Bytes.concat(member, new byte[] {0x1f, 0x1f}), TEXT.length);
        judge.refuses(Bytes.concat(member, Payloads.noise(5000, 3)), TEXT.length);
        judge.refuses(Bytes.concat(member, new byte[700], new byte[] {'x'}), TEXT.length);
        judge.refuses(Bytes.concat(member, new byte[3], member), TEXT.length);
        judge.refuses(Bytes.concat(member, new byte[] {0x1f}), TEXT.length);
        judge.refuses(Bytes.concat(member, new byte[] {0x1f, (byte) 0x8b}), TEXT.length);
    }

    @Test
    void anythingBehindABzip2StreamIsRefusedAfterTheStream() throws IOException {
        Judge judge = new Judge(CodecUnderTest.BZIP2);
        byte[] stream = new Bzip2Forge().header("BZh9").block(TEXT).end().toArray();
        judge.refuses(Bytes.concat(stream, new byte[] {'x'}), TEXT.length);
        judge.refuses(Bytes.concat(stream, new byte[] {0}), TEXT.length);
        judge.refuses(Bytes.concat(stream, new byte[500]), TEXT.length);
        judge.refuses(Bytes.concat(stream, new byte[] {'B', 'Z'}), TEXT.length);
        judge.refuses(Bytes.concat(stream, Payloads.noise(3000, 3)), TEXT.length);
    }

    @Test
    void zlibStreamsBackToBackAreAllRead() throws IOException {
        byte[] one = Coding.compress(CodecUnderTest.DEFLATE.codec(), TEXT);
        new Judge(CodecUnderTest.DEFLATE).reads(Bytes.concat(one, one), Bytes.concat(TEXT, TEXT));
    }

    @Test
    void zstdSkippableAndEmptyFramesAreAccepted() {
        byte[] empty = new ZstdFrameForge().raw(new byte[0], true).build();
        byte[] note = ZstdForge.skippable(5, 4, new byte[4]);
        new Judge(CodecUnderTest.ZSTD).reads(Bytes.concat(note, empty, note, empty), new byte[0]);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aBlockOfNoBytesInTheMiddleIsReadOn(CodecUnderTest format) {
        HadoopFramingForge forge = new HadoopFramingForge(format.format());
        new Judge(format).reads(forge.block(TEXT).total(0).block(TEXT).build(), Bytes.concat(TEXT, TEXT));
    }

    @Test
    void bothFormatsOfLz4FilesAreReadWhateverIsWritten() {
        byte[] frame = new Lz4FrameForge().block(TEXT).build();
        byte[] hadoop = new HadoopFramingForge(Format.LZ4).block(TEXT).build();
        for (CodecUnderTest format : new CodecUnderTest[] {CodecUnderTest.LZ4, CodecUnderTest.LZ4_HADOOP}) {
            new Judge(format).reads(frame, TEXT);
            new Judge(format).reads(Lz4Forge.legacy(TEXT), TEXT);
            new Judge(format).reads(Bytes.concat(Lz4Forge.skippable(1, new byte[9]), frame), TEXT);
            new Judge(format).reads(hadoop, TEXT);
        }
    }

    /** Once per stream: the other format behind the first is not read but refused. */
    @Test
    void theFormatOfALz4FileIsToldOnce() throws IOException {
        byte[] frame = new Lz4FrameForge().block(TEXT).build();
        byte[] hadoop = new HadoopFramingForge(Format.LZ4).block(TEXT).build();
        Outcome outcome = new Judge(CodecUnderTest.LZ4).stream(Bytes.concat(frame, hadoop));
        assertThat(outcome.error()).isInstanceOf(IOException.class);
        assertThat(outcome.bytes()).isEqualTo(TEXT.length);
    }

    /** Files that stock Hadoop reports as complete, though they are not. */
    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void cutFilesAreRefusedUnlessToldToReadThemAsStockHadoopDoes(CodecUnderTest format) throws IOException {
        byte[] file =
                new HadoopFramingForge(format.format()).block(TEXT).block(TEXT).build();
        Judge lenient = lenient(format);
        Judge strict = new Judge(format);
        CompressionCodec stock = stock(format);
        int believed = 0;
        for (int cut = 1; cut < file.length; cut++) {
            if (cut == file.length / 2) {
                continue; // the first block, whole
            }
            byte[] part = Arrays.copyOf(file, cut);
            Outcome theirs = Decoding.throughStream(stock, null, new ByteArrayInputStream(part), Sizes.of(4096));
            assertThat(strict.stream(part).error()).as("cut at " + cut).isInstanceOf(IOException.class);
            if (theirs.isSuccess()) {
                believed++;
                Outcome ours = lenient.stream(part);
                assertThat(ours.isSuccess() && ours.sha256().equals(theirs.sha256()))
                        .as("cut at " + cut + ": stock " + theirs + ", ours " + ours)
                        .isTrue();
            }
        }
        assertThat(believed).isPositive();
        lenient.reads(file, Bytes.concat(TEXT, TEXT));
    }

    private static Judge lenient(CodecUnderTest format) {
        Configuration conf = format.conf();
        conf.setBoolean(CodecUnderTest.PREFIX + "lenient", true);
        return new Judge(format, conf);
    }

    private static CompressionCodec stock(CodecUnderTest format) {
        return format == CodecUnderTest.SNAPPY
                ? ReflectionUtils.newInstance(SnappyCodec.class, CodecUnderTest.DEFAULTS)
                : ReflectionUtils.newInstance(Lz4Codec.class, CodecUnderTest.DEFAULTS);
    }

    /** Raw sizes that no writer writes, in front and behind: stock Hadoop reports all of these files as complete. */
    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void falseRawSizesLeadLenientlyToWhereStockHadoopEnds(CodecUnderTest format) throws IOException {
        byte[] sound = new HadoopFramingForge(format.format()).block(TEXT).build();
        for (long rawBytes : new long[] {-1, -TEXT.length, Integer.MIN_VALUE, 1, TEXT.length - 1, TEXT.length + 1}) {
            byte[] odd = new HadoopFramingForge(format.format())
                    .total(rawBytes)
                    .chunk(TEXT)
                    .build();
            for (byte[] file : new byte[][] {
                odd, Bytes.concat(odd, sound), Bytes.concat(sound, odd), Bytes.concat(sound, odd, sound)
            }) {
                Outcome theirs =
                        Decoding.throughStream(stock(format), null, new ByteArrayInputStream(file), Sizes.of(4096));
                Outcome ours = lenient(format).stream(file);
                assertThat(theirs.isSuccess()).isTrue();
                assertThat(ours.isSuccess() && ours.sha256().equals(theirs.sha256()))
                        .as("raw size " + rawBytes + ": stock " + theirs + ", ours " + ours)
                        .isTrue();
            }
        }
    }
}
