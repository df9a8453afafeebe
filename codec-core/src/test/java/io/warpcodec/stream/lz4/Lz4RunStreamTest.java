package io.warpcodec.stream.lz4;

import static io.warpcodec.forge.Lz4Forge.BLOCK_CHECKSUMS;
import static io.warpcodec.forge.Lz4Forge.CONTENT_CHECKSUM;
import static io.warpcodec.forge.Lz4Forge.CONTENT_SIZE;
import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames that sessions read, on the GPU engine over a scripted driver: large blocks, linked blocks, no content size.
 */
class Lz4RunStreamTest {
    private static final int MEBI = 1 << 20;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        install(8 * MEBI);
    }

    private void install(int waveBytes) {
        PoolLimits limits = new PoolLimits(200 * MEBI, 64 * MEBI, waveBytes, 0, TimeUnit.SECONDS.toNanos(20));
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        // what a lost device may still touch is never given back
        long lentBytes = gpu.pool().unavailableReason() == null ? gpu.pool().lentBytes() : 0;
        gpu.close();
        gpu.driver().discard();
        assertThat(lentBytes).as("page-locked bytes not given back").isZero();
    }

    private static StreamRig rig(Mode mode) {
        return new StreamRig(Format.LZ4, CodecOptions.DEFAULTS.withMode(mode));
    }

    private static byte[] read(byte[] file) throws IOException {
        return rig(Mode.AUTO).read(file);
    }

    private static long counter(String name) {
        return Metrics.counter(name).sum();
    }

    private static long deviceBytes() {
        return counter("decode.lz4.gpu.bytesOut");
    }

    private static long fallbacks(String reason) {
        return counter("fallback.decode.lz4." + reason);
    }

    private static byte[] independent(byte[] raw, BLOCKSIZE size, FLG.Bits... bits) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        FLG.Bits[] all = Arrays.copyOf(bits, bits.length + 1);
        all[bits.length] = FLG.Bits.BLOCK_INDEPENDENCE;
        boolean sized = Arrays.asList(bits).contains(FLG.Bits.CONTENT_SIZE);
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(sink, size, sized ? raw.length : -1, all)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] linked(byte[] raw, int blockBytesLog2, int flags) {
        return Lz4LinkedBlocks.frame(raw, flags, blockBytesLog2);
    }

    /** Text, noise that is stored, and long runs. */
    private static byte[] mixture(int bytes, long seed) {
        byte[] part = concat(text(300_000, seed), noise(150_000, seed), new byte[100_000]);
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; at += part.length) {
            System.arraycopy(part, 0, raw, at, Math.min(part.length, bytes - at));
        }
        return raw;
    }

    @ParameterizedTest
    @EnumSource
    void independentBlocksOfEverySizeAreDecodedByDevices(BLOCKSIZE size) throws IOException {
        byte[] raw = mixture(9_500_000, 1);
        for (FLG.Bits[] bits : new FLG.Bits[][] {
            {},
            {FLG.Bits.CONTENT_CHECKSUM},
            {FLG.Bits.CONTENT_SIZE},
            {FLG.Bits.BLOCK_CHECKSUM, FLG.Bits.CONTENT_CHECKSUM, FLG.Bits.CONTENT_SIZE}
        }) {
            byte[] file = independent(raw, size, bits);
            long devices = deviceBytes();
            long all = devices + counter("decode.lz4.cpu.bytesOut");
            assertThat(read(file)).isEqualTo(raw);
            assertThat(deviceBytes() - devices).as("%s", Arrays.toString(bits)).isGreaterThan(raw.length / 2);
            assertThat(deviceBytes() + counter("decode.lz4.cpu.bytesOut") - all).isEqualTo(raw.length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 22})
    void linkedBlocksOfEverySizeAreDecodedByDevices(int blockBytesLog2) throws IOException {
        byte[] raw = mixture(9_500_000, 2);
        for (int flags : new int[] {0, CONTENT_CHECKSUM | CONTENT_SIZE, BLOCK_CHECKSUMS | CONTENT_CHECKSUM}) {
            byte[] file = linked(raw, blockBytesLog2, flags);
            long devices = deviceBytes();
            assertThat(read(file)).isEqualTo(raw);
            assertThat(deviceBytes() - devices).isGreaterThan(raw.length / 2);
        }
        byte[] file = linked(raw, blockBytesLog2, CONTENT_CHECKSUM);
        assertThat(rig(Mode.GPU).read(concat(file, file))).isEqualTo(concat(raw, raw));
    }

    @Test
    void largeBlocksArriveInPiecesAndAreDecodedByDevices() throws IOException {
        byte[] raw = text(6_000_000, 3);
        byte[] file = independent(raw, BLOCKSIZE.SIZE_4MB, FLG.Bits.CONTENT_CHECKSUM);
        long devices = deviceBytes();
        assertThat(rig(Mode.AUTO).read(file, 10_000, 3_000)).isEqualTo(raw);
        assertThat(rig(Mode.AUTO).push(file, 5_000, 70_000)).isEqualTo(raw);
        assertThat(deviceBytes() - devices).isEqualTo(2L * raw.length);
    }

    @Test
    void legacyBlocksAreDecodedByDevices() throws IOException {
        byte[] first = text(8 * MEBI, 4);
        byte[] second = text(2 * MEBI, 5);
        byte[] file = new Lz4Forge()
                .le32(0x184C_2102L)
                .sized(Lz4Forge.block(first))
                .sized(Lz4Forge.block(second))
                .toArray();
        long devices = deviceBytes();
        assertThat(read(file)).isEqualTo(concat(first, second));
        assertThat(deviceBytes() - devices).isEqualTo(first.length + second.length);
    }

    @Test
    void fewBlocksAreLeftToTheSession() throws IOException {
        byte[] raw = text(500_000, 6);
        long devices = deviceBytes();
        long left = fallbacks("session");
        assertThat(read(independent(raw, BLOCKSIZE.SIZE_64KB))).isEqualTo(raw);
        assertThat(deviceBytes()).isEqualTo(devices);
        assertThat(fallbacks("session") - left).isEqualTo(1);
    }

    /** What reading a file comes to. */
    private record Outcome(byte[] bytes, String error) {}

    private static void assertSameVerdict(String what, byte[] file) {
        Outcome device = outcome(file, Mode.AUTO);
        Outcome cpu = outcome(file, Mode.CPU);
        assertThat(device.error).as(what).isEqualTo(cpu.error);
        assertThat(Arrays.equals(device.bytes, cpu.bytes))
                .as(what + ", bytes before the error")
                .isTrue();
    }

    private static Outcome outcome(byte[] file, Mode mode) {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        String error = "";
        try (InputStream in = new ChunkedInputStream(
                new ByteArrayInputStream(file), Format.LZ4, CodecOptions.DEFAULTS.withMode(mode))) {
            in.transferTo(got);
        } catch (IOException failed) {
            error = failed.toString();
        }
        return new Outcome(got.toByteArray(), error);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cutFilesAreRejectedAsByTheCpu(boolean isLinked) throws IOException {
        byte[] raw = concat(text(20_000, 7), new byte[1_200_000], text(20_000, 8), new byte[100_000]);
        byte[] file = isLinked
                ? linked(raw, 18, BLOCK_CHECKSUMS | CONTENT_CHECKSUM)
                : independent(raw, BLOCKSIZE.SIZE_256KB, FLG.Bits.BLOCK_CHECKSUM, FLG.Bits.CONTENT_CHECKSUM);
        long devices = deviceBytes();
        for (int bytes = 0; bytes < file.length; bytes += 1 + bytes % 499) {
            assertSameVerdict(bytes + " bytes", cut(file, bytes));
        }
        for (int bytes = file.length - 12; bytes <= file.length; bytes++) {
            assertSameVerdict(bytes + " bytes", cut(file, bytes));
        }
        assertThat(deviceBytes()).isGreaterThan(devices);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void flippedBitsAreRejectedAsByTheCpu(boolean isLinked) throws IOException {
        byte[] raw = concat(text(40_000, 9), new byte[1_300_000], text(20_000, 10));
        byte[] file = isLinked ? linked(raw, 16, 0) : independent(raw, BLOCKSIZE.SIZE_64KB, FLG.Bits.CONTENT_SIZE);
        long refused = fallbacks("block-refused");
        Random random = new Random(11);
        for (int round = 0; round < 40; round++) {
            int bit = random.nextInt(8 * file.length);
            assertSameVerdict("bit " + bit, flipped(file, bit));
        }
        assertThat(fallbacks("block-refused")).isGreaterThan(refused);
    }

    @Test
    void anOffsetOfZeroIsReadAsByTheCpu() throws IOException {
        byte[] zeros = new byte[] {0x1F, 'a', 0, 0, (byte) 200, (byte) 0xC0};
        byte[] block = concat(zeros, text(12, 1));
        byte[] whole = text(MEBI, 12);
        byte[] file = new Lz4Forge()
                .header(Lz4Forge.VERSION_1 | Lz4Forge.INDEPENDENT, 0x60, new byte[0])
                .sized(Lz4Forge.block(whole))
                .sized(block)
                .end()
                .toArray();
        assertThat(read(file)).isEqualTo(rig(Mode.CPU).read(file)).hasSize(MEBI + 1 + 219 + 12);
    }

    /** Blocks that are not full have no known place. */
    @Test
    void shortBlocksInTheMiddleAreTriedOnceAndReadByTheSession() throws IOException {
        byte[] part = text(40_000, 13);
        Lz4Forge forge = new Lz4Forge().header(Lz4Forge.VERSION_1 | Lz4Forge.INDEPENDENT);
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        for (int count = 0; count < 60; count++) {
            forge.sized(Lz4Forge.block(part));
            raw.write(part);
        }
        long refused = fallbacks("block-refused");
        assertThat(read(forge.end().toArray())).isEqualTo(raw.toByteArray());
        assertThat(fallbacks("block-refused") - refused).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "DOWNLOAD", "IS_DONE", "WORK"})
    void whateverCallFailsTheSessionDecodesTheSameBlocks(Call call) throws IOException {
        byte[] raw = mixture(4_500_000, 14);
        byte[] large = independent(raw, BLOCKSIZE.SIZE_4MB, FLG.Bits.CONTENT_CHECKSUM);
        byte[] chain = linked(raw, 18, CONTENT_CHECKSUM);
        for (int code : new int[] {ScriptedDriver.OUT_OF_MEMORY, ScriptedDriver.INVALID_VALUE}) {
            for (int n = 1; n <= 5; n++) {
                gpu.driver().failNth(call, n, code);
                assertThat(read(n % 2 == 0 ? large : chain)).isEqualTo(raw);
                if (gpu.pool().unavailableReason() != null) {
                    uninstall();
                    install();
                }
            }
        }
        long before = failures();
        gpu.driver().failAll(call, ScriptedDriver.INVALID_VALUE);
        assertThat(read(large)).isEqualTo(raw);
        assertThat(failures()).isGreaterThan(before);
    }

    private static long failures() {
        return fallbacks("out-of-memory") + fallbacks("driver-error") + fallbacks("device-lost");
    }

    @Test
    void aLostDeviceLeavesTheRestToTheSession() throws IOException {
        byte[] raw = text(10_000_000, 15);
        byte[] file = independent(raw, BLOCKSIZE.SIZE_1MB);
        gpu.driver().failNth(Call.WORK, 9, ScriptedDriver.LAUNCH_FAILED);
        long lost = fallbacks("device-lost");
        assertThat(read(file)).isEqualTo(raw);
        assertThat(fallbacks("device-lost")).isGreaterThan(lost);
        assertThat(gpu.driver().callsAfterDeath()).isZero();
    }

    @Test
    void blocksLargerThanAWaveAreTheSessions() throws IOException {
        uninstall();
        install(2 * MEBI);
        byte[] raw = text(5_000_000, 16);
        long devices = deviceBytes();
        assertThat(read(independent(raw, BLOCKSIZE.SIZE_4MB))).isEqualTo(raw);
        assertThat(deviceBytes()).isEqualTo(devices);
        assertThat(read(independent(raw, BLOCKSIZE.SIZE_1MB))).isEqualTo(raw);
        assertThat(deviceBytes()).isGreaterThan(devices);
    }

    @Test
    void closingAtAnyPointGivesEverythingBack() throws IOException {
        byte[] raw = mixture(6_000_000, 17);
        byte[] file = linked(raw, 20, CONTENT_CHECKSUM);
        Random random = new Random(18);
        for (int round = 0; round < 8; round++) {
            int wanted = random.nextInt(raw.length);
            try (ChunkedInputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), Format.LZ4, CodecOptions.DEFAULTS)) {
                assertThat(Arrays.equals(in.readNBytes(wanted), Arrays.copyOf(raw, wanted)))
                        .isTrue();
            }
            gpu.awaitNothingLent();
        }
    }

    /** A source that has some bytes at hand at a time, and counts what was taken when each byte came out. */
    @Test
    void aSlowSourceIsAskedForNoMoreThanByTheCpu() throws IOException {
        byte[] raw = text(3_000_000, 19);
        for (byte[] file : new byte[][] {independent(raw, BLOCKSIZE.SIZE_64KB), linked(raw, 18, BLOCK_CHECKSUMS)}) {
            assertThat(needed(file, Mode.AUTO, 90_000)).isEqualTo(needed(file, Mode.CPU, 90_000));
        }
    }

    /**
     * For each read of decoded bytes, in which piece of the source the reader stood at the least number of pieces for
     * so many bytes.
     */
    private static String needed(byte[] file, Mode mode, int pieceBytes) throws IOException {
        int[] taken = {0};
        InputStream source = new InputStream() {
            private int at;

            @Override
            public int read() {
                throw new AssertionError("single bytes");
            }

            @Override
            public int read(byte[] target, int start, int length) {
                if (at == file.length) {
                    return -1;
                }
                if (available() == 0) {
                    taken[0] += Math.min(pieceBytes, file.length - at);
                }
                int count = Math.min(length, available());
                System.arraycopy(file, at, target, start, count);
                at += count;
                return count;
            }

            @Override
            public int available() {
                return taken[0] - at;
            }
        };
        StringBuilder seen = new StringBuilder();
        byte[] one = new byte[4096];
        long total = 0;
        int takenBefore = -1;
        try (ChunkedInputStream in = new ChunkedInputStream(source, Format.LZ4, CodecOptions.DEFAULTS.withMode(mode))) {
            for (int count = in.read(one); count >= 0; count = in.read(one)) {
                if (taken[0] != takenBefore) {
                    seen.append(taken[0]).append(" for byte ").append(total).append('\n');
                    takenBefore = taken[0];
                }
                total += count;
            }
        }
        return seen.toString();
    }
}
