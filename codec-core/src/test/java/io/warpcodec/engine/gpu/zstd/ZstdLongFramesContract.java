package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ordinary zst files of single long frames, whose blocks devices decode in segments: read as libzstd reads them, and
 * judged as without devices, whatever is wrong with them.
 */
abstract class ZstdLongFramesContract {
    static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.GPU);

    private static final int MOST_CHUNK_BYTES = ZstdFormat.MAX_FRAME_BYTES;
    private static final int WINDOW_LOG = 17;
    private static final boolean ALL_SIZES =
            System.getProperty("warpcodec.test.sizes", "").equals("all");
    /** Input below which a segment is not worth the way; how many raw bytes that is depends on the data. */
    private static final int LEAST_SEGMENT_BYTES = 320 << 10;

    private static final int MOST_BLOCK_BYTES = 128 << 10;
    private static final int SHORT_BLOCK_BYTES = 4 << 10;

    final Random random = new Random(TestSeed.value());

    /** How many damaged files are read. */
    abstract int damages();

    /** Waits until no memory of a device is lent. */
    abstract void requireNothingLent();

    /** What came of reading a file: the bytes, and the error behind them or null. */
    private record Outcome(byte[] bytes, String error) {
        static Outcome of(byte[] file, Mode mode, int readBytes) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (InputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, OPTIONS.withMode(mode))) {
                byte[] buffer = new byte[readBytes];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    bytes.write(buffer, 0, count);
                }
                return new Outcome(bytes.toByteArray(), null);
            } catch (IOException bad) {
                return new Outcome(bytes.toByteArray(), bad.toString());
            }
        }
    }

    /** How a frame is written. */
    record Writing(int level, int windowLog, boolean checksum, boolean contentSize) {
        byte[] frame(byte[] raw) {
            try (ZstdCompressCtx context = new ZstdCompressCtx()) {
                context.setLevel(level).setChecksum(checksum).setContentSize(contentSize);
                if (windowLog > 0) {
                    context.setWindowLog(windowLog);
                }
                return context.compress(raw);
            }
        }
    }

    static long deviceBytes() {
        return Metrics.counter("decode.zstd.gpu.bytesOut").sum();
    }

    private static long takenByDevices() {
        return Metrics.counter("decode.zstd.gpu.bytesIn").sum();
    }

    static long counted(String name) {
        return Metrics.counter(name).sum();
    }

    /** Reads a file, and tells how many bytes of it devices decoded. */
    static long requireReadRight(String what, byte[] file, byte[] raw, int readBytes) {
        long before = deviceBytes();
        Outcome outcome = Outcome.of(file, Mode.GPU, readBytes);
        assertThat(outcome.error).as(what).isNull();
        assertThat(outcome.bytes.length).as(what).isEqualTo(raw.length);
        assertThat(Arrays.mismatch(outcome.bytes, raw)).as(what).isEqualTo(-1);
        return deviceBytes() - before;
    }

    /** Both engines give equal bytes of a file, and judge it alike. */
    static void requireJudgedAlike(String what, byte[] file) {
        Outcome mine = Outcome.of(file, Mode.GPU, 50_000);
        Outcome theirs = Outcome.of(file, Mode.CPU, 50_000);
        // libzstd calls a wrong content size corrupt data where it decodes the whole frame itself
        if (mine.error == null || !mine.error.contains("the content is not the")) {
            assertThat(mine.error).as(what).isEqualTo(theirs.error);
        } else {
            assertThat(theirs.error).as(what).isNotNull();
        }
        int both = Math.min(mine.bytes.length, theirs.bytes.length);
        if (mine.error == null) {
            assertThat(mine.bytes.length).as(what).isEqualTo(theirs.bytes.length);
        }
        assertThat(Arrays.mismatch(mine.bytes, 0, both, theirs.bytes, 0, both))
                .as(what)
                .isEqualTo(-1);
    }

    private byte[] columns(int bytes) {
        byte[] columns = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            columns[i] = (byte) (i % 20 < 15 ? ' ' : '0' + random.nextInt(10));
        }
        return columns;
    }

    byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        return noise;
    }

    /** Text, columns, noise and rows of one byte, in turns: all kinds of blocks. */
    byte[] mixed(int bytes) {
        byte[] raw = new byte[bytes];
        for (int at = 0, kind = 0; at < bytes; kind++) {
            int count = Math.min(bytes - at, 50_000 + random.nextInt(400_000));
            byte[] part = switch (kind % 4) {
                case 0 -> GpuStreams.text(count, random.nextLong());
                case 1 -> columns(count);
                case 2 -> noise(count);
                default -> new byte[count];
            };
            System.arraycopy(part, 0, raw, at, count);
            at += count;
        }
        return raw;
    }

    /** libzstd takes half a minute for all of them at level 19. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9, 19})
    void everyFrameIsReadAsLibzstdReadsIt(int level) {
        boolean isPart = level == 19 && !ALL_SIZES;
        List<byte[]> inputs = List.of(GpuStreams.text(3_000_000, TestSeed.value()), mixed(4_000_000));
        int streams = 0;
        for (byte[] raw : inputs) {
            for (int windowLog : isPart ? new int[] {17} : new int[] {15, 17, 18}) {
                for (int flags = 0; flags < 4; flags += isPart ? 3 : 1) {
                    Writing writing = new Writing(level, windowLog, (flags & 1) != 0, (flags & 2) != 0);
                    byte[] file = writing.frame(raw);
                    long taken = takenByDevices();
                    long refused = counted("fallback.decode.zstd.segment-refused");
                    requireReadRight(writing.toString(), file, raw, 100_000);
                    // a shorter frame that tells its size is a chunk, and may be too long for a wave
                    if (!writing.contentSize || file.length > MOST_CHUNK_BYTES) {
                        // where runs of one byte make tables of one symbol, a long way has no end of a segment
                        boolean hasNoEnd = counted("fallback.decode.zstd.segment-refused") > refused;
                        assertThat(hasNoEnd && raw == inputs.get(0)).isFalse();
                        assertThat(hasNoEnd ? 0 : file.length - (takenByDevices() - taken))
                                .as("%s: input that is left to libzstd, of %d bytes", writing, file.length)
                                .isLessThan(LEAST_SEGMENT_BYTES + MOST_BLOCK_BYTES);
                        streams++;
                    }
                }
            }
        }
        assertThat(streams).isGreaterThanOrEqualTo(isPart ? 2 : 12);
        requireNothingLent();
    }

    /** Writers that flush often, and libzstd where content changes, make blocks that decode to little. */
    @Test
    void shortBlocksMakeNoShortSegments() throws IOException {
        byte[] raw = columns(14_000_000);
        System.arraycopy(GpuStreams.text(4_000_000, TestSeed.value()), 0, raw, 0, 4_000_000);
        System.arraycopy(GpuStreams.text(3_000_000, 1 + TestSeed.value()), 0, raw, 11_000_000, 3_000_000);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(file, 3).setLong(WINDOW_LOG)) {
            // long ones in the middle decode to more than their number lets expect
            for (int at = 0; at < raw.length; ) {
                boolean isShort = at < 4_000_000 || at >= 11_000_000;
                int count = Math.min(isShort ? SHORT_BLOCK_BYTES : 7_000_000, raw.length - at);
                out.write(raw, at, count);
                out.flush();
                at += count;
            }
        }
        long refused = counted("fallback.decode.zstd.segment-refused");
        long onDevices = requireReadRight("short blocks", file.toByteArray(), raw, 100_000);
        assertThat(onDevices).isGreaterThan(raw.length * 3L / 4);
        assertThat(counted("fallback.decode.zstd.segment-refused")).isEqualTo(refused);
        requireNothingLent();
    }

    /** Long frames, short ones and skippable ones follow each other; each read of the file is a small one. */
    @Test
    void framesOfAllKindsFollowEachOther() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        for (int i = 0; i < 8; i++) {
            byte[] part = i % 2 == 0 ? mixed(1_500_000) : GpuStreams.text(5_000 * i, i);
            file.writeBytes(new Writing(1 + i, 17, i % 3 == 0, i % 4 < 2).frame(part));
            raw.writeBytes(part);
            if (i % 3 == 1) {
                file.writeBytes(new byte[] {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3});
            }
        }
        long onDevices = requireReadRight("frames", file.toByteArray(), raw.toByteArray(), 3001);
        assertThat(onDevices).isPositive();
        requireNothingLent();
    }

    /** A reader leaves in the middle: nothing stays lent. */
    @Test
    void aReaderLeaves() throws IOException {
        byte[] raw = mixed(3_000_000);
        byte[] file = new Writing(3, 17, true, true).frame(raw);
        for (int bytes : new int[] {1, 100_000, 1_000_000, 2_999_999}) {
            try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, OPTIONS)) {
                assertThat(Arrays.equals(in.readNBytes(bytes), Arrays.copyOf(raw, bytes)))
                        .isTrue();
            }
        }
        requireNothingLent();
    }

    /** Whatever is wrong with a file, devices change neither the verdict nor a byte in front of it. */
    @Test
    void damageIsJudgedAsWithoutDevices() {
        byte[] raw = mixed(1_600_000);
        for (int round = 0; round < damages(); round++) {
            byte[] file = new Writing(1 + round % 9, 15 + round % 4, round % 2 == 0, round % 3 == 0).frame(raw);
            int changes = round % 4 == 3 ? 0 : 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                // headers of blocks are hit by chance only, so half of the changes are near one of the first
                int at = random.nextBoolean() ? random.nextInt(file.length) : random.nextInt(600);
                file[at] ^= (byte) (1 << random.nextInt(8));
            }
            byte[] bad = changes == 0 ? Arrays.copyOf(file, random.nextInt(file.length)) : file;
            requireJudgedAlike("seed " + TestSeed.value() + ", round " + round, bad);
        }
        requireNothingLent();
    }

    /** A content that is not what the frame's checksum says is refused, with the words of libzstd. */
    @Test
    void theChecksumOfAllSegmentsIsCompared() {
        byte[] raw = GpuStreams.text(3_000_000, 5);
        byte[] file = new Writing(3, 17, true, true).frame(raw);
        assertThat(Zstd.decompress(file, raw.length)).isEqualTo(raw);
        file[file.length - 1] ^= 1;
        long before = deviceBytes();
        Outcome outcome = Outcome.of(file, Mode.GPU, 100_000);
        assertThat(deviceBytes()).isGreaterThan(before);
        assertThat(outcome.error).contains("doesn't match checksum");
        assertThat(outcome).extracting(Outcome::error).isEqualTo(Outcome.of(file, Mode.CPU, 100_000).error);
    }
}
