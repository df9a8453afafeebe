package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gzip.GzipSeeking;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import io.warpcodec.stream.gzipindex.IndexedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Ordinary gzip files of single long members, whose DEFLATE stream devices decode in segments: read as the JDK reads
 * them, and judged as without devices, whatever is wrong with them.
 */
abstract class GzipStreamContract {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.GPU);

    /** What came of reading a file: the bytes, and the error behind them or null. */
    private record Outcome(byte[] bytes, String error) {
        static Outcome of(byte[] file, Mode mode) {
            return of(Format.GZIP, file, mode);
        }

        static Outcome of(Format format, byte[] file, Mode mode) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (InputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), format, OPTIONS.withMode(mode))) {
                byte[] buffer = new byte[100_000];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    bytes.write(buffer, 0, count);
                }
                return new Outcome(bytes.toByteArray(), null);
            } catch (IOException bad) {
                return new Outcome(bytes.toByteArray(), bad.toString());
            }
        }

        void requireEqual(Outcome expected, String what) {
            assertThat(error).as(what).isEqualTo(expected.error);
            assertThat(bytes.length).as(what).isEqualTo(expected.bytes.length);
            assertThat(Arrays.equals(bytes, expected.bytes)).as(what).isTrue();
        }

        /**
         * Requires the expected error, if any, and the expected bytes. How many bytes were handed out before an error
         * depends on how they came.
         */
        void requireSameVerdict(Outcome expected, String what) {
            assertThat(error).as(what).isEqualTo(expected.error);
            int both = Math.min(bytes.length, expected.bytes.length);
            if (error == null) {
                assertThat(bytes.length).as(what).isEqualTo(expected.bytes.length);
            }
            assertThat(Arrays.equals(bytes, 0, both, expected.bytes, 0, both))
                    .as(what)
                    .isTrue();
        }
    }

    private static long deviceBytes() {
        return Metrics.counter("decode.gzip.gpu.bytesOut").sum();
    }

    private static byte[] member(byte[] deflated, byte[] raw) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, 'n', 'a', 'm', 'e', 0});
        file.writeBytes(deflated);
        CRC32 crc = new CRC32();
        crc.update(raw);
        for (int shift = 0; shift < 32; shift += 8) {
            file.write((int) (crc.getValue() >> shift));
        }
        for (int shift = 0; shift < 32; shift += 8) {
            file.write(raw.length >> shift);
        }
        return file.toByteArray();
    }

    private static byte[] deflate(byte[] raw, int level, int strategy, int flushBytes, int flush) {
        return deflate(raw, level, strategy, flushBytes, flush, new byte[0]);
    }

    /** @param between bytes behind each flush */
    private static byte[] deflate(byte[] raw, int level, int strategy, int flushBytes, int flush, byte[] between) {
        Deflater deflater = new Deflater(level, true);
        deflater.setStrategy(strategy);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int at = 0; at < raw.length; at += flushBytes) {
            deflater.setInput(raw, at, Math.min(flushBytes, raw.length - at));
            int count;
            do {
                count = deflater.deflate(buffer, 0, buffer.length, flush);
                out.write(buffer, 0, count);
            } while (count == buffer.length);
            out.writeBytes(between);
        }
        deflater.finish();
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toByteArray();
    }

    static byte[] gzip(byte[] raw, int level) {
        return member(deflate(raw, level, Deflater.DEFAULT_STRATEGY, raw.length, Deflater.NO_FLUSH), raw);
    }

    static InputStream open(byte[] file) {
        return new ChunkedInputStream(new ByteArrayInputStream(file), Format.GZIP, OPTIONS);
    }

    static void requireReadRight(String what, byte[] file, byte[] raw) {
        requireReadRight(what, file, raw, Mode.GPU);
    }

    static void requireReadRight(String what, byte[] file, byte[] raw, Mode mode) {
        new Outcome(raw, null).requireEqual(Outcome.of(file, mode), what);
    }

    private static void requireReadByDevices(String what, byte[] file, byte[] raw, double share) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            assertThat(Arrays.equals(in.readAllBytes(), raw))
                    .as("the JDK reads " + what)
                    .isTrue();
        }
        long before = deviceBytes();
        new Outcome(raw, null).requireEqual(Outcome.of(file, Mode.GPU), what);
        assertThat(deviceBytes() - before).as("bytes of %s from devices", what).isGreaterThanOrEqualTo((long)
                (share * raw.length));
    }

    @Test
    void everyLevelIsReadByDevices() throws IOException {
        byte[] raw = text(1_600_000, 1);
        for (int level : new int[] {1, 6, 9}) {
            requireReadByDevices("level " + level, gzip(raw, level), raw, 0.6);
        }
    }

    @Test
    void oneCodeAndNoMatchesAreRead() throws IOException {
        byte[] raw = text(1_000_000, 2);
        requireReadByDevices(
                "Huffman only",
                member(deflate(raw, 6, Deflater.HUFFMAN_ONLY, raw.length, Deflater.NO_FLUSH), raw),
                raw,
                0.6);
        byte[] runs = new byte[4_400_000];
        Arrays.fill(runs, 3_000_000, runs.length, (byte) 7);
        System.arraycopy(GpuStreams.text(3_000_000, 3), 0, runs, 0, 3_000_000);
        requireReadByDevices("a long run", gzip(runs, 6), runs, 0.3);
    }

    @Test
    void emptyAndStoredBlocksInBetweenAreRead() throws IOException {
        byte[] raw = text(1_500_000, 4);
        for (int flush : new int[] {Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH}) {
            byte[] deflated = deflate(raw, 6, Deflater.DEFAULT_STRATEGY, 128 << 10, flush);
            requireReadByDevices("flush " + flush, member(deflated, raw), raw, 0.6);
        }
        byte[] mixture = mixture(1_500_000, 5);
        requireReadByDevices("stored blocks", gzip(mixture, 6), mixture, 0.4);
    }

    /** As pigz fills up bytes, behind each 128 KiB: four empty blocks with fixed codes, of ten bits each. */
    @Test
    void emptyBlocksOfFixedCodesInBetweenAreRead() throws IOException {
        byte[] four = {0x02, 0x08, 0x20, (byte) 0x80, 0x00};
        byte[] raw = text(1_500_000, 4);
        byte[] deflated = deflate(raw, 6, Deflater.DEFAULT_STRATEGY, 20_000, Deflater.SYNC_FLUSH, four);
        requireReadByDevices("empty fixed blocks", member(deflated, raw), raw, 0.6);
    }

    /** What is left of a piece of pigz may be a block with fixed codes: here forty bytes behind each 128 KiB. */
    @Test
    void aFixedBlockInEachPieceIsRead() throws IOException {
        byte[] raw = text(3_000_000, 12);
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(1, true);
        byte[] buffer = new byte[1 << 18];
        boolean tail = false;
        for (int at = 0; at < raw.length; tail = !tail) {
            int bytes = Math.min(raw.length - at, tail ? 40 : 128 << 10);
            deflater.setInput(raw, at, bytes);
            at += bytes;
            deflated.write(buffer, 0, deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH));
        }
        deflater.finish();
        deflated.write(buffer, 0, deflater.deflate(buffer));
        deflater.end();
        requireReadByDevices("fixed tails", member(deflated.toByteArray(), raw), raw, 0.6);
    }

    @Test
    void membersBehindEachOtherAndZerosAreRead() throws IOException {
        byte[] first = text(1_000_000, 6);
        byte[] second = text(1_000_000, 7);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        for (byte[] part : new byte[][] {first, {}, second, {1, 2, 3}}) {
            ByteArrayOutputStream member = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(member)) {
                gzip.write(part);
            }
            file.writeBytes(member.toByteArray());
            raw.writeBytes(part);
        }
        file.writeBytes(new byte[1000]);
        long before = deviceBytes();
        new Outcome(raw.toByteArray(), null).requireEqual(Outcome.of(file.toByteArray(), Mode.GPU), "four members");
        assertThat(deviceBytes() - before).isGreaterThan(scale() * 1_000_000L);
    }

    @Test
    void zlibStreamsAreReadByDevicesToo() throws IOException {
        byte[] raw = text(1_500_000, 13);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (DeflaterOutputStream zlib = new DeflaterOutputStream(file)) {
            zlib.write(raw);
        }
        long before = Metrics.counter("decode.deflate.gpu.bytesOut").sum();
        new Outcome(raw, null).requireEqual(Outcome.of(Format.ZLIB, file.toByteArray(), Mode.GPU), "a zlib stream");
        assertThat(Metrics.counter("decode.deflate.gpu.bytesOut").sum() - before)
                .isGreaterThan(raw.length / 2);
        byte[] wrong = file.toByteArray();
        wrong[wrong.length - 1] ^= 1;
        Outcome.of(Format.ZLIB, wrong, Mode.GPU)
                .requireSameVerdict(Outcome.of(Format.ZLIB, wrong, Mode.CPU), "its sum");
        assertThat(Outcome.of(Format.ZLIB, wrong, Mode.GPU).error).contains("Adler-32");
    }

    @Test
    void fixedBlocksAreTheSessionsAfterAWhile() throws IOException {
        byte[] raw = text(700_000, 8);
        // few raw bytes between flushes make zlib take fixed codes
        byte[] deflated = deflate(raw, 1, Deflater.DEFAULT_STRATEGY, 60, Deflater.SYNC_FLUSH);
        byte[] file = member(deflated, raw);
        long before = poorSegments();
        new Outcome(raw, null).requireEqual(Outcome.of(file, Mode.GPU), "fixed blocks");
        assertThat(poorSegments()).isGreaterThan(before);
    }

    /** Streams that devices gave up since their segments came to little. */
    private static long poorSegments() {
        return Metrics.counter("fallback.decode.gzip.segments-short").sum()
                + Metrics.counter("fallback.decode.gzip.segment-empty").sum();
    }

    @Test
    void endlessEmptyBlocksEnd() throws IOException {
        byte[] empty = new byte[2_000_000];
        for (int at = 0; at < empty.length; at += 5) {
            empty[at + 3] = (byte) 0xff;
            empty[at + 4] = (byte) 0xff;
        }
        empty[empty.length - 5] = 1;
        Outcome.of(member(empty, new byte[0]), Mode.GPU)
                .requireEqual(new Outcome(new byte[0], null), "400,000 empty blocks");
    }

    @Test
    void damageIsJudgedAsWithoutDevices() {
        byte[] raw = text(900_000, 9);
        Random random = new Random(10);
        byte[][] files = {
            gzip(raw, 6), member(deflate(raw, 6, Deflater.DEFAULT_STRATEGY, 100_000, Deflater.SYNC_FLUSH), raw)
        };
        for (int trial = 0; trial < damages(); trial++) {
            byte[] file = files[trial % files.length].clone();
            int kind = random.nextInt(4);
            if (kind == 0) {
                file = Arrays.copyOf(file, 20 + random.nextInt(file.length - 20));
            }
            for (int flips = kind == 0 ? 0 : 1 + random.nextInt(3); flips > 0; flips--) {
                file[15 + random.nextInt(file.length - 15)] ^= (byte) (1 << random.nextInt(8));
            }
            Outcome.of(file, Mode.GPU).requireSameVerdict(Outcome.of(file, Mode.CPU), "damage " + trial);
        }
    }

    /** How many damaged files. */
    int damages() {
        return 8;
    }

    /** How many times larger than here files are. */
    int scale() {
        return 1;
    }

    private byte[] text(int bytes, long seed) {
        return GpuStreams.text(scale() * bytes, seed);
    }

    private byte[] mixture(int bytes, long seed) {
        return GpuStreams.mixture(scale() * bytes, seed);
    }

    /** Splits that begin in the middle of the stream, by an index. */
    @Test
    void splitsBeginOnDevicesToo() throws IOException {
        byte[] raw = text(3_000_000, 12);
        byte[] first = gzip(raw, 6);
        byte[] file = Arrays.copyOf(first, first.length + 5000);
        byte[] index = GzipIndexer.index(
                () -> new ByteArrayInputStream(file), first.length / 9, OPTIONS.withMode(Mode.CPU), 2);
        long used = Metrics.counter("decode.gzip.sidecar.used").sum();
        long byCpu = Metrics.counter("decode.gzip.cpu.bytesOut").sum();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        for (int split = 0; split < 3; split++) {
            long before = deviceBytes();
            byte[] part = new IndexedFile(file, index)
                    .split(split * (long) file.length / 3, (split + 1) * (long) file.length / 3, OPTIONS);
            // and no further ahead than the span in which a last line may end
            assertThat(deviceBytes() - before)
                    .as("of split %d", split)
                    .isBetween(part.length / 2L, part.length + 2L * raw.length / 9);
            got.writeBytes(part);
        }
        assertThat(Arrays.equals(got.toByteArray(), raw)).isTrue();
        assertThat(Metrics.counter("decode.gzip.sidecar.used").sum() - used).isEqualTo(3);
        assertThat(Metrics.counter("decode.gzip.cpu.bytesOut").sum() - byCpu)
                .as("bytes that the CPU says it decoded, though readers leave before all of a segment has come out")
                .isBetween(0L, (long) raw.length);
        requireNothingLent();
    }

    @Test
    void anIndexMadeByDevicesSplitsTheFile() throws IOException {
        byte[] text = GpuStreams.text(1_250_000, 18);
        byte[] raw = new byte[8 * text.length];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = text[at / 800 * 100 + at % 100];
        }
        byte[] file = gzip(raw, 6);
        long before = deviceBytes();
        byte[] index = GzipIndexer.index(() -> new ByteArrayInputStream(file), GzipIndexer.SPACING_BYTES, OPTIONS, 2);
        // zlib verifies it, so that these are of the index scan
        assertThat(deviceBytes() - before).isGreaterThan(raw.length / 2);
        long used = Metrics.counter("decode.gzip.sidecar.used").sum();
        int place = file.length / 2;
        IndexedFile indexed = new IndexedFile(file, index);
        byte[] got = concat(indexed.split(0, place, OPTIONS), indexed.split(place, file.length, OPTIONS));
        assertThat(Arrays.equals(got, raw)).isTrue();
        assertThat(Metrics.counter("decode.gzip.sidecar.used").sum()).isGreaterThan(used);
        requireNothingLent();
    }

    /**
     * Where an index scan by devices says that decoding can begin, blocks do by the index scan of the CPU, with the
     * same sums.
     */
    @Test
    void devicesFindWhereBlocksBegin() throws IOException {
        byte[] text = text(2_500_000, 14);
        byte[] mixture = mixture(2_500_000, 15);
        byte[][] files = {
            gzip(text, 1),
            gzip(text, 9),
            gzip(mixture, 6),
            member(deflate(text, 6, Deflater.DEFAULT_STRATEGY, 100_000, Deflater.FULL_FLUSH), text),
            concat(gzip(text, 6), gzip(mixture, 6), gzip(new byte[] {1}, 6), gzip(text, 6), new byte[500])
        };
        for (int i = 0; i < files.length; i++) {
            long before = deviceBytes();
            Map<GzipSeekPoint, byte[]> byDevices = scan(files[i], Mode.GPU);
            long decoded = deviceBytes() - before;
            Map<GzipSeekPoint, byte[]> byCpu = scan(files[i], Mode.CPU);
            assertThat(decoded).as("bytes of file %d from devices", i).isGreaterThan(scale() * 700_000L);
            assertThat(byDevices).as("file %d", i).hasSizeGreaterThan(2).hasSizeLessThan(byCpu.size());
            byDevices.forEach((point, window) ->
                    assertThat(byCpu.get(point)).as("%s", point).isEqualTo(window));
        }
    }

    /**
     * A block that no segment holds whole, for its output is larger, is the CPU's, and what follows it is the
     * devices' again.
     */
    @Test
    void anIndexScanGoesOnOnDevicesBehindABlockThatIsNotForThem() throws IOException {
        byte[] text = text(6_000_000, 21);
        // zlib's blocks end with 16,383 tokens: of zeros 4 MB
        byte[] zeros = new byte[2 * scale() * 4_500_000];
        byte[] raw = concat(text, zeros, text, zeros, text);
        long before = deviceBytes();
        Map<GzipSeekPoint, byte[]> byDevices = scan(gzip(raw, 6), Mode.GPU);
        assertThat(deviceBytes() - before).isGreaterThan(5L * text.length / 2);
        Map<GzipSeekPoint, byte[]> byCpu = scan(gzip(raw, 6), Mode.CPU);
        assertThat(byDevices).hasSizeGreaterThan(4);
        byDevices.forEach(
                (point, window) -> assertThat(byCpu.get(point)).as("%s", point).isEqualTo(window));
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** The points of a file and its end, each with its window. */
    static Map<GzipSeekPoint, byte[]> scan(byte[] file, Mode mode) throws IOException {
        CodecOptions options = OPTIONS.withMode(mode);
        Map<GzipSeekPoint, byte[]> found = new LinkedHashMap<>();
        GzipSeeking engine = (GzipSeeking) Engines.selector().choose(Format.GZIP, Direction.DECODE, options);
        GzipSeekPoint end = engine.scanForSeekPoints(
                options, new ByteArrayInputStream(file), (point, window) -> found.put(point, window.get()));
        found.put(end, new byte[0]);
        return found;
    }

    @Test
    void anIndexScanJudgesDamageAsWithoutDevices() {
        byte[] raw = text(900_000, 16);
        byte[] good = gzip(raw, 6);
        Random random = new Random(17);
        for (int trial = 0; trial < damages(); trial++) {
            byte[] file = trial % 4 == 0 ? Arrays.copyOf(good, 20 + random.nextInt(good.length - 20)) : good.clone();
            file[15 + random.nextInt(file.length - 15)] ^= (byte) (1 << random.nextInt(8));
            assertThat(scanOutcome(file, Mode.GPU)).as("damage %d", trial).isEqualTo(scanOutcome(file, Mode.CPU));
        }
    }

    private static String scanOutcome(byte[] file, Mode mode) {
        try {
            scan(file, mode);
            return "sound";
        } catch (IOException bad) {
            return bad.toString();
        }
    }

    @Test
    void aStreamThatIsClosedEarlyGivesEverythingBack() throws IOException {
        byte[] file = gzip(text(1_500_000, 11), 6);
        try (InputStream in = open(file)) {
            assertThat(in.readNBytes(10)).hasSize(10);
        }
        requireNothingLent();
    }

    abstract void requireNothingLent();
}
