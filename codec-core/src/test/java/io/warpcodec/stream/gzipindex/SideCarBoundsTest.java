package io.warpcodec.stream.gzipindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.format.gzip.GzipIndexException.Defect;
import io.warpcodec.format.gzip.GzipIndexWriter;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.golden.GoldenInput;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.SplitRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Side-car indexes that claim much: what is read of them, and what is believed. */
class SideCarBoundsTest {
    private static final byte[] RAW = GoldenInput.mixed(120_000, 3);

    private static byte[] gzip(byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int at = 0; at < raw.length; at += 9_000) {
                out.write(raw, at, Math.min(9_000, raw.length - at));
                out.flush();
            }
        }
        return file.toByteArray();
    }

    private static byte[] index(byte[] file) throws IOException {
        return GzipIndexer.index(() -> new ByteArrayInputStream(file), 5_000);
    }

    /** An index that says it is longer than its bytes are, and remembers what was asked of it. */
    private record Claiming(byte[] bytes, long indexBytes, long fileBytes, List<Integer> reads) implements SideCar {
        @Override
        public String name() {
            return "claiming";
        }

        @Override
        public void read(long offset, byte[] target) throws IOException {
            reads.add(target.length);
            if (offset + target.length > bytes.length) {
                throw new EOFException();
            }
            System.arraycopy(bytes, (int) offset, target, 0, target.length);
        }

        @Override
        public void close() {}
    }

    @Test
    void ofAnIndexOfAnotherFileOnlyTheHeaderIsRead() throws IOException {
        byte[] file = gzip(RAW);
        ByteBuffer header = ByteBuffer.wrap(Arrays.copyOf(index(file), GzipIndex.HEADER_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(12, GzipIndex.MAX_POINTS);
        for (int defect = 0; defect < 3; defect++) {
            // FILE_BYTES, HEAD_CRC, TAIL_CRC
            int at = new int[] {16, 24, 28}[defect];
            byte[] bytes = header.array().clone();
            bytes[at] ^= 1;
            List<Integer> reads = new ArrayList<>();
            SideCar claiming = new Claiming(bytes, Long.MAX_VALUE, file.length, reads);
            int middle = file.length / 2;
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            try (ChunkedInputStream in =
                    new IndexedFile(file, null).open(0, middle, CodecOptions.DEFAULTS, () -> claiming)) {
                in.transferTo(got);
            }
            assertThat(got.toByteArray()).isEqualTo(RAW);
            assertThat(reads).containsExactly(GzipIndex.HEADER_BYTES);
        }
    }

    @Test
    void anIndexShorterThanItsTableIsNotReadEither() throws IOException {
        byte[] file = gzip(RAW);
        byte[] bytes = Arrays.copyOf(index(file), GzipIndex.HEADER_BYTES);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, GzipIndex.MAX_POINTS);
        List<Integer> reads = new ArrayList<>();
        SideCar claiming = new Claiming(bytes, 40_000_000, file.length, reads);
        try (ChunkedInputStream in =
                new IndexedFile(file, null).open(0, file.length / 2, CodecOptions.DEFAULTS, () -> claiming)) {
            assertThat(in.readAllBytes()).isEqualTo(RAW);
        }
        assertThat(reads).containsExactly(GzipIndex.HEADER_BYTES);
    }

    /** A span from the start of a file on, with sums that fit. */
    private static byte[] oneSpan(long compressedBytes, long rawBytes, int windowBytes) {
        GzipIndexWriter writer = new GzipIndexWriter();
        writer.add(GzipSeekPoint.START, new byte[0]);
        writer.add(new GzipSeekPoint(8 * compressedBytes, rawBytes, 77, rawBytes, 77), new byte[windowBytes]);
        GzipSeekPoint end = new GzipSeekPoint(8 * compressedBytes + 80, rawBytes + 10, 78, 10, 0);
        return writer.finish(end, compressedBytes + 10, new byte[0], new byte[0]);
    }

    private static GzipIndex parsed(byte[] index) throws IOException {
        return GzipIndex.parse(Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length)), index.length);
    }

    private static void assertLying(byte[] index, String reason) {
        assertThatThrownBy(() -> parsed(index))
                .hasMessageContaining(reason)
                .isInstanceOfSatisfying(
                        GzipIndexException.class,
                        wrong -> assertThat(wrong.defect()).isEqualTo(Defect.LYING));
    }

    @Test
    void aSpanLongerThanDeflateCanMakeIsALieThoughAllSumsFit() throws IOException {
        byte[] bad = oneSpan(1_000, 2_000_000, GzipSeekPoint.MAX_WINDOW_BYTES);
        assertLying(bad, "more bytes than DEFLATE can make");
    }

    /**
     * A source that gives a byte at a time and never knows of more: what the decoder has not asked for is not at hand.
     */
    private static final class OneByOne extends ByteArrayInputStream {
        OneByOne(byte[] file) {
            super(file);
        }

        void seek(long offset) {
            pos = (int) offset;
        }

        @Override
        public synchronized int read(byte[] target, int start, int length) {
            return super.read(target, start, Math.min(1, length));
        }

        @Override
        public synchronized int available() {
            return 0;
        }
    }

    private static byte[] lastHalf(byte[] file, byte[] index) throws IOException {
        OneByOne source = new OneByOne(file);
        SideCar beside = new Claiming(index, index.length, file.length, new ArrayList<>());
        SplitRange split =
                new SplitRange(30_000, file.length, source::seek, ((SideCar.Finder) () -> beside).splitIndex());
        try (ChunkedInputStream in = new ChunkedInputStream(source, Format.GZIP, CodecOptions.DEFAULTS, split)) {
            return in.readAllBytes();
        }
    }

    /** The trailer lies in front of padding that is longer than the sample of the file's end. */
    @Test
    void theTrailerOfTheLastMemberIsReadByTheSplitThatHasItsLastBytes() throws IOException {
        byte[] raw = GoldenInput.noise(60_000, 9);
        byte[] member = gzip(raw);
        byte[] padded = Arrays.copyOf(member, member.length + GzipIndex.SAMPLE_BYTES + 100);
        byte[] index = index(padded);
        byte[] last = lastHalf(padded, index);
        assertThat(last).isEqualTo(Arrays.copyOfRange(raw, raw.length - last.length, raw.length));
        byte[] wrong = padded.clone();
        wrong[member.length - 8] ^= 1;
        assertThatThrownBy(() -> lastHalf(wrong, index)).hasMessageContaining("CRC32");
    }

    /** The file has changed behind its first member, between the samples by which an index knows its file. */
    @Test
    void paddingWhereTheIndexHasAMemberShowsThatTheIndexIsNotOfThisFile() throws IOException {
        byte[] first = gzip(GoldenInput.noise(60_000, 9));
        byte[] second = gzip(GoldenInput.noise(5_000, 10));
        byte[] both = Arrays.copyOf(first, first.length + second.length + GzipIndex.SAMPLE_BYTES + 100);
        byte[] padded = both.clone();
        System.arraycopy(second, 0, both, first.length, second.length);
        byte[] index = index(both);
        assertThatThrownBy(() -> lastHalf(padded, index))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not of this file")
                .hasMessageContaining("the file ends before point");
    }
}
