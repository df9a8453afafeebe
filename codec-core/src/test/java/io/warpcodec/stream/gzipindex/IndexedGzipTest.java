package io.warpcodec.stream.gzipindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.MixedBytes;
import io.warpcodec.SizedOptions;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexWriter;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Ordinary gzip files read in splits by a side-car index; and indexes that are of another file, damaged, or lies. */
class IndexedGzipTest {
    private static final long SEED = 96L;
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS;
    private static final int ROWS_AT = GzipIndex.HEADER_BYTES;
    private static final int ROW_BYTES = 40;

    private static byte[] gzip(byte[] raw, int level) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink) {
            {
                def.setLevel(level);
            }
        }) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] index(byte[] file, long spacing) throws IOException {
        return GzipIndexer.index(() -> new ByteArrayInputStream(file), spacing);
    }

    private static GzipIndex parsed(byte[] index) throws IOException {
        byte[] table = Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length));
        return GzipIndex.parse(table, index.length);
    }

    private static ChunkedInputStream open(byte[] file, byte[] index, long start, long end, CodecOptions options) {
        return new IndexedFile(file, index).open(start, end, options);
    }

    private static byte[] split(byte[] file, byte[] index, long start, long end, CodecOptions options)
            throws IOException {
        return new IndexedFile(file, index).split(start, end, options);
    }

    private static byte[] allSplits(byte[] file, byte[] index, CodecOptions options, long... cuts) throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        long start = 0;
        for (int i = 0; i <= cuts.length; i++) {
            long end = i < cuts.length ? cuts[i] : file.length;
            got.writeBytes(split(file, index, start, end, options));
            start = end;
        }
        return got.toByteArray();
    }

    private static long[] everyPoint(byte[] index) throws IOException {
        GzipIndex parsed = parsed(index);
        long[] cuts = new long[parsed.count() - 1];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = parsed.point(i + 1).byteOffset();
        }
        return cuts;
    }

    /** Splits that begin at each point that the index claims, so that each is used; or others, if it is none. */
    private static long[] everyPointOr(byte[] index, long[] others) {
        try {
            return everyPoint(index);
        } catch (IOException refused) {
            return others;
        }
    }

    private static long counted(String word) {
        return Metrics.counter("fallback.decode.gzip.sidecar-" + word).sum();
    }

    private static long used() {
        return Metrics.counter("decode.gzip.sidecar.used").sum();
    }

    @Test
    void everyCutDeliversEachByteOnce() throws IOException {
        byte[] raw = MixedBytes.of(600_000, SEED);
        for (int level : new int[] {0, 1, 6, 9}) {
            byte[] file = gzip(raw, level);
            byte[] index = index(file, 10_000);
            GzipIndex parsed = parsed(index);
            assertThat(parsed.count()).isGreaterThan(5);
            Random random = new Random(SEED);
            List<Long> cuts = new ArrayList<>();
            for (int i = 1; i < parsed.count(); i++) {
                long at = parsed.point(i).byteOffset();
                cuts.addAll(List.of(at - 1, at, at + 1));
            }
            for (int i = 0; i < 20; i++) {
                cuts.add(1 + (long) random.nextInt(file.length - 1));
            }
            for (long cut : cuts) {
                assertThat(allSplits(file, index, OPTIONS, cut))
                        .as("cut at " + cut)
                        .isEqualTo(raw);
            }
            long usedBefore = used();
            assertThat(allSplits(file, index, OPTIONS, everyPoint(index))).isEqualTo(raw);
            assertThat(used() - usedBefore).isEqualTo(parsed.count());
        }
    }

    @Test
    void aSplitThatReadsToTheEndCountsAsOneStream() throws IOException {
        byte[] raw = MixedBytes.of(300_000, SEED + 1);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        long before = Metrics.counter("decode.gzip.streams").sum();
        assertThat(allSplits(file, index, OPTIONS, file.length / 2)).isEqualTo(raw);
        assertThat(Metrics.counter("decode.gzip.streams").sum() - before).isEqualTo(2);
    }

    @Test
    void positionsAreThoseThatLineReadersExpect() throws IOException {
        byte[] raw = MixedBytes.of(300_000, SEED + 1);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        GzipIndex parsed = parsed(index);
        for (int first = 0; first < parsed.count(); first++) {
            long start = first == 0 ? 0 : parsed.point(first).byteOffset() - 1;
            try (ChunkedInputStream in = open(file, index, start, file.length - 1, OPTIONS)) {
                assertThat(in.position()).isEqualTo(parsed.point(first).byteOffset());
                long rawOffset = parsed.point(first).rawOffset();
                byte[] buffer = new byte[700];
                for (int count; (count = in.read(buffer)) >= 0; rawOffset += count) {
                    int span = first;
                    while (parsed.point(span + 1).rawOffset() <= rawOffset) {
                        span++;
                    }
                    assertThat(in.position())
                            .isEqualTo(span == 0 ? 0 : parsed.point(span).byteOffset() + 1);
                    assertThat(rawOffset + count)
                            .isLessThanOrEqualTo(parsed.point(span + 1).rawOffset());
                }
                assertThat(rawOffset).isEqualTo(raw.length);
            }
        }
        try (ChunkedInputStream in = open(file, index, file.length - 3, file.length, OPTIONS)) {
            assertThat(in.position()).isGreaterThan(file.length);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void spansOverTheBudgetAreDeliveredInPieces() throws IOException {
        byte[] raw = MixedBytes.of(4_000_000, SEED + 2);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 500_000);
        CodecOptions small = SizedOptions.withOutputBudgetBytes(OPTIONS, 1000);
        assertThat(allSplits(file, index, small, everyPoint(index))).isEqualTo(raw);
        assertThat(parsed(index).spanBytes(2)).isGreaterThan(1 << 20);
        // what has been delivered cannot be taken back
        byte[] lie = withWrongWindow(file, index, 2);
        assertThatThrownBy(() -> allSplits(file, lie, small, everyPoint(index))).isInstanceOf(IOException.class);
        assertThat(allSplits(file, lie, OPTIONS, everyPoint(index))).isEqualTo(raw);
    }

    @Test
    void manyMembersPaddingAndMembersWithinASpan() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        int[] sizes = {0, 1, 40, 300_000, 0, 0, 5, 100_000, 70_000, 9, 200_000, 0};
        for (int i = 0; i < sizes.length; i++) {
            byte[] content = MixedBytes.of(sizes[i], i);
            raw.writeBytes(content);
            file.writeBytes(gzip(content, 1 + i % 9));
        }
        for (int zeros : new int[] {0, 1, 40_000}) {
            byte[] padded = StreamRig.concat(file.toByteArray(), new byte[zeros]);
            for (int spacing : new int[] {1, 3000, 60_000}) {
                byte[] index = index(padded, spacing);
                assertThat(allSplits(padded, index, OPTIONS, everyPoint(index))).isEqualTo(raw.toByteArray());
                for (long cut = 1; cut < padded.length; cut += 7919) {
                    assertThat(allSplits(padded, index, OPTIONS, cut)).isEqualTo(raw.toByteArray());
                }
            }
        }
    }

    /** 64 MiB of one byte are 64 KiB: spans end where the next block would make them too long to be held. */
    @Test
    void spansOfWhatCompressesWellAreBoundedByWhatTheyDecodeTo() throws IOException {
        byte[] raw = new byte[64 << 20];
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, GzipIndexer.SPACING_BYTES);
        GzipIndex parsed = parsed(index);
        assertThat(parsed.count()).isBetween(8, 20);
        for (int i = 0; i < parsed.count(); i++) {
            assertThat(parsed.spanBytes(i)).isLessThanOrEqualTo(8 << 20);
        }
        assertThat(allSplits(file, index, OPTIONS, file.length / 3, file.length / 2))
                .isEqualTo(raw);
    }

    @Test
    void filesWithNowhereToBeginGetNoIndex() throws IOException {
        assertThat(index(gzip(new byte[0], 6), 1)).isNull();
        assertThat(index(gzip(new byte[] {1, 2, 3}, 6), 1)).isNull();
        // one block of fixed codes: 3 bits, 8 for each of 300,000 letters, 7 bits
        byte[] raw = new byte[300_000];
        Arrays.fill(raw, (byte) 'a');
        byte[] body = new byte[(3 + 8 * raw.length + 7 + 7) / 8];
        int at = 0;
        for (int bit : new int[] {1, 1, 0}) {
            body[at >> 3] |= (byte) (bit << (at++ & 7));
        }
        for (int i = 0; i < raw.length; i++) {
            for (int bit = 7; bit >= 0; bit--, at++) {
                body[at >> 3] |= (byte) ((0x30 + 'a' >> bit & 1) << (at & 7));
            }
        }
        CRC32 crc = new CRC32();
        crc.update(raw);
        byte[] file = ByteBuffer.allocate(10 + body.length + 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0})
                .put(body)
                .putInt((int) crc.getValue())
                .putInt(raw.length)
                .array();
        assertThat(index(file, 1)).isNull();
        assertThat(index(StreamRig.concat(file, file), 1)).isNotNull();
        byte[] bad = StreamRig.flipped(file, 8 * (file.length - 6));
        assertThatThrownBy(() -> index(bad, 1)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void anIndexOfAnotherFileIsIgnoredByAllAndCounted() throws IOException {
        byte[] raw = MixedBytes.of(500_000, SEED + 3);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 10_000);
        long[] cuts = everyPoint(index);
        byte[] otherRaw = MixedBytes.of(500_000, SEED + 4);
        byte[] other = Arrays.copyOf(gzip(otherRaw, 6), file.length);
        byte[] appended = StreamRig.concat(file, gzip(raw, 1));
        byte[] headerOnly = file.clone();
        headerOnly[4] ^= 1;
        for (byte[] now : List.of(appended, headerOnly)) {
            long before = counted("stale");
            assertThat(allSplits(now, index, OPTIONS, cuts))
                    .isEqualTo(now == appended ? StreamRig.concat(raw, raw) : raw);
            assertThat(counted("stale") - before).isEqualTo(cuts.length + 1);
        }
        for (byte[] now : List.of(other, Arrays.copyOf(file, file.length - 9))) {
            assertThatThrownBy(() -> allSplits(now, index, OPTIONS, cuts)).isInstanceOf(IOException.class);
        }
        long before = counted("stale");
        byte[] replaced = gzip(otherRaw, 6);
        assertThat(allSplits(replaced, index, OPTIONS, 100_000)).isEqualTo(otherRaw);
        assertThat(counted("stale") - before).isEqualTo(2);
    }

    @Test
    void aDamagedOrCutIndexIsIgnoredAndCounted() throws IOException {
        byte[] raw = MixedBytes.of(300_000, SEED + 5);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 60_000);
        long[] cuts = everyPoint(index);
        int tableBytes = GzipIndex.tableBytes(index, index.length);
        for (int at = 0; at < index.length; at += at < tableBytes ? 1 : 997) {
            byte[] bad = StreamRig.flipped(index, 8 * at + at % 8);
            // what the header says of the file is compared before the table's sum
            String defect = at >= 16 && at < GzipIndex.HEADER_BYTES ? "stale" : "unreadable";
            long before = counted(defect);
            assertThat(allSplits(file, bad, OPTIONS, cuts)).as("byte " + at).isEqualTo(raw);
            assertThat(counted(defect) - before).as("byte " + at).isPositive();
        }
        for (int bytes = 0; bytes < index.length; bytes += bytes < 50 ? 1 : 511) {
            long before = counted("unreadable");
            assertThat(allSplits(file, Arrays.copyOf(index, bytes), OPTIONS, cuts))
                    .isEqualTo(raw);
            assertThat(counted("unreadable") - before).isEqualTo(cuts.length + 1);
        }
        assertThat(allSplits(file, StreamRig.concat(index, new byte[1]), OPTIONS, cuts))
                .isEqualTo(raw);
    }

    /** The index with other bytes in one window, and sums that are right for them. */
    private static byte[] withWrongWindow(byte[] file, byte[] index, int wrong) throws IOException {
        GzipIndex original = parsed(index);
        GzipIndexWriter writer = new GzipIndexWriter();
        for (int i = 0; i < original.count(); i++) {
            int at = (int) original.windowOffset(i);
            byte[] window = original.window(i, Arrays.copyOfRange(index, at, at + original.windowStoredBytes(i)));
            for (int j = 0; i == wrong && j < window.length; j++) {
                window[j] ^= 1;
            }
            writer.add(original.point(i), window);
        }
        int sample = Math.min(file.length, GzipIndex.SAMPLE_BYTES);
        return writer.finish(
                original.end(),
                file.length,
                Arrays.copyOf(file, sample),
                Arrays.copyOfRange(file, file.length - sample, file.length));
    }

    /** A changed byte, and the table's checksum as if it had always been so. */
    private static byte[] mutated(byte[] index, int at, int change) throws IOException {
        byte[] lie = index.clone();
        lie[at] ^= (byte) change;
        return repaired(lie, GzipIndex.tableBytes(index, index.length));
    }

    private static byte[] repaired(byte[] lie, int tableBytes) {
        CRC32 crc = new CRC32();
        crc.update(lie, 0, tableBytes - 4);
        ByteBuffer.wrap(lie).order(ByteOrder.LITTLE_ENDIAN).putInt(tableBytes - 4, (int) crc.getValue());
        return lie;
    }

    private static long allCounted() {
        return counted("lying") + counted("stale") + counted("unreadable");
    }

    /** Every bit of every field: right bytes or an IOException, and counted. */
    @Test
    void aLieInAnyFieldNeverMakesWrongBytes() throws IOException {
        byte[] first = MixedBytes.of(120_000, SEED + 6);
        byte[] second = MixedBytes.of(90_000, SEED + 7);
        for (byte[] file : List.of(gzip(first, 6), StreamRig.concat(gzip(first, 9), gzip(second, 1)))) {
            byte[] raw = StreamRig.concat(first, file.length > gzip(first, 6).length ? second : new byte[0]);
            byte[] index = index(file, 25_000);
            long[] cuts = everyPoint(index);
            int tableBytes = GzipIndex.tableBytes(index, index.length);
            int right = 0;
            int refused = 0;
            for (int at = 12; at < tableBytes - 4; at++) {
                for (int bit = 0; bit < 8; bit++) {
                    byte[] lie = mutated(index, at, 1 << bit);
                    long before = allCounted();
                    try {
                        byte[] got = allSplits(file, lie, OPTIONS, everyPointOr(lie, cuts));
                        assertThat(got).as("byte " + at + ", bit " + bit).isEqualTo(raw);
                        right++;
                    } catch (IOException noticed) {
                        refused++;
                    }
                    // the bits in front of a stored block's lengths are zeros: beginning at another of them is no lie
                    boolean bitOfByte = at >= ROWS_AT && (at - ROWS_AT) % ROW_BYTES == 0 && bit < 3;
                    if (!bitOfByte) {
                        assertThat(allCounted())
                                .as("byte " + at + ", bit " + bit)
                                .isGreaterThan(before);
                    }
                }
            }
            assertThat(right).isGreaterThan(20 * refused);
        }
    }

    @Test
    void aWrongWindowIsNotUsed() throws IOException {
        byte[] raw = StreamRig.text(400_000, SEED);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        for (int wrong = 1; wrong < parsed(index).count(); wrong++) {
            byte[] lie = withWrongWindow(file, index, wrong);
            long before = counted("lying");
            assertThat(allSplits(file, lie, OPTIONS, everyPoint(index))).isEqualTo(raw);
            assertThat(counted("lying") - before).isPositive();
        }
    }

    /**
     * Points, sums and windows that fit each other, of a file of the same length, head and tail: no task reads wrong
     * bytes.
     */
    @Test
    void anIndexOfAFileThatDiffersInTheMiddleIsRefused() throws IOException {
        byte[] front = gzip(StreamRig.noise(60_000, 1), 6);
        byte[] back = gzip(StreamRig.noise(90_000, 2), 6);
        byte[] oneRaw = StreamRig.noise(30_000, 3);
        byte[] otherRaw = StreamRig.noise(30_000, 4);
        byte[] one = StreamRig.concat(front, gzip(oneRaw, 0), back);
        byte[] other = StreamRig.concat(front, gzip(otherRaw, 0), back);
        assertThat(one).hasSameSizeAs(other);
        byte[] index = index(one, 15_000);
        assertThatThrownBy(() -> allSplits(other, index, OPTIONS, everyPoint(index)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("delete it");
    }

    @Test
    void aBadFileIsBadWithItsIndex() throws IOException {
        byte[] raw = MixedBytes.of(300_000, SEED + 8);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        GzipIndex parsed = parsed(index);
        GzipSeekPoint damaged = parsed.point(3);
        byte[] bad = StreamRig.flipped(file, (int) damaged.bitOffset() + 4000);
        for (int i = 0; i < parsed.count(); i++) {
            long start = parsed.point(i).byteOffset();
            long end = i + 1 < parsed.count() ? parsed.point(i + 1).byteOffset() - 1 : file.length;
            if (i == 3) {
                assertThatThrownBy(() -> split(bad, index, start, end + 1, OPTIONS))
                        .isInstanceOf(CorruptDataException.class);
            } else {
                byte[] got = new byte[(int) parsed.spanBytes(i)];
                try (ChunkedInputStream in = open(bad, index, start, end, OPTIONS)) {
                    assertThat(in.readNBytes(got, 0, got.length)).isEqualTo(got.length);
                }
                assertThat(got)
                        .isEqualTo(Arrays.copyOfRange(raw, (int) parsed.point(i).rawOffset(), (int)
                                parsed.point(i + 1).rawOffset()));
            }
        }
    }

    @Test
    void garbageBehindTheLastMemberIsAnErrorWhereItComes() throws IOException {
        byte[] raw = MixedBytes.of(200_000, SEED + 9);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        // as long as the padding was when the index was made
        byte[] padded = StreamRig.concat(file, new byte[30_000]);
        byte[] paddedIndex = index(padded, 20_000);
        byte[] garbage = padded.clone();
        garbage[file.length + 5000] = 7;
        assertThat(allSplits(padded, paddedIndex, OPTIONS, everyPoint(index))).isEqualTo(raw);
        assertThatThrownBy(() -> allSplits(garbage, paddedIndex, OPTIONS, everyPoint(index)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("bytes after the last member");
    }

    @Test
    void theIndexIsLeftAloneWhereItIsNotNeeded() throws IOException {
        byte[] raw = MixedBytes.of(300_000, SEED + 10);
        byte[] file = gzip(raw, 6);
        byte[] index = index(file, 20_000);
        long before = used();
        assertThat(allSplits(file, index, OPTIONS)).isEqualTo(raw);
        assertThat(allSplits(file, index, OPTIONS.withIndex(false), everyPoint(index)))
                .isEqualTo(raw);
        byte[] ours = new StreamRig(Format.GZIP, OPTIONS.withChunkBytes(4096)).write(raw);
        assertThat(allSplits(ours, index, OPTIONS, 5000, 50_000)).isEqualTo(raw);
        assertThat(allSplits(file, null, OPTIONS, everyPoint(index))).isEqualTo(raw);
        assertThat(used()).isEqualTo(before);
    }

    /** Not ignored: another task may see the index, and leave to this one what no other task reads. */
    @Test
    void anIndexThatCannotBeReadFailsTheTask() throws IOException {
        byte[] file = gzip(MixedBytes.of(300_000, SEED), 6);
        SideCar.Finder broken = () -> {
            throw new IOException("the name node is away");
        };
        for (long start : new long[] {0, 1000}) {
            try (ChunkedInputStream in = new IndexedFile(file, null).open(start, 50_000, OPTIONS, broken)) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("away");
                }
            }
        }
    }

    /** A strategy that makes blocks of few codes. */
    @Test
    void huffmanOnlyAndStoredStreamsHavePointsToo() throws IOException {
        byte[] raw = MixedBytes.of(400_000, SEED + 11);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink) {
            {
                def.setStrategy(Deflater.HUFFMAN_ONLY);
            }
        }) {
            out.write(raw);
        }
        for (byte[] file : List.of(sink.toByteArray(), gzip(StreamRig.noise(400_000, 5), 6))) {
            byte[] index = index(file, 30_000);
            assertThat(parsed(index).count()).isGreaterThan(4);
            assertThat(allSplits(file, index, OPTIONS, everyPoint(index))).isEqualTo(allSplits(file, null, OPTIONS));
        }
    }
}
