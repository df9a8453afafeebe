package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.forge.ZstdBlockForge;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On scripted devices. */
class ZstdLongFramesTest extends ZstdLongFramesContract {
    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        gpu.close();
    }

    @Override
    int damages() {
        return 60;
    }

    @Override
    void requireNothingLent() {
        gpu.awaitNothingLent();
    }

    /** As few blocks at a time as could decode to a lease's output would take five times as many. */
    @Test
    @Override
    void shortBlocksMakeNoShortSegments() throws IOException {
        long before = gpu.driver().count(Call.UPLOAD);
        super.shortBlocksMakeNoShortSegments();
        assertThat(gpu.driver().count(Call.UPLOAD) - before).isLessThan(50);
    }

    /** Whatever a device fails with, and when: libzstd goes on where the last good segment ended. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "DOWNLOAD", "IS_DONE"})
    void aFailureInTheMiddleOfAFrameLosesNothing(Call call) {
        byte[] raw = mixed(3_000_000);
        int code = ScriptedDriver.OUT_OF_MEMORY;
        for (int n : new int[] {1, 2, 4, 9, 17}) {
            for (int level : new int[] {3, 12}) {
                byte[] file = new Writing(level, 17, n % 2 == 0, true).frame(raw);
                gpu.driver().failNth(call, n, code);
                requireReadRight(call + " " + n, file, raw, 100_000);
            }
            code = n == 9 ? 700 : code;
        }
    }

    private static int state(int kind, int symbol) throws ZstdDefect {
        int[] symbols = ZstdFse.of(ZstdReferenceDecoder.PREDEFINED_LOG[kind], ZstdReferenceDecoder.PREDEFINED[kind], 0)
                .symbols();
        return IntStream.range(0, symbols.length)
                .filter(state -> symbols[state] == symbol)
                .findFirst()
                .orElseThrow();
    }

    /** Four raw literals, five bytes from 4 before, four literals, by predefined tables. */
    private static ZstdBlockForge byPredefinedTables() throws ZstdDefect {
        byte[] bits = ZstdBlockForge.bits(
                state(ZstdReferenceDecoder.LITERALS, 4),
                6,
                state(ZstdReferenceDecoder.OFFSETS, 2),
                5,
                state(ZstdReferenceDecoder.MATCHES, 2),
                6,
                3,
                2);
        return new ZstdBlockForge().sequences(ZstdBlockForge.sequences(1, 0, new byte[0], bits));
    }

    /**
     * Where libzstd goes on it gets a dictionary, which has a tree. So a frame in which there was none yet must not
     * repeat one, whoever decoded it so far.
     */
    @Test
    void aTreeBeforeThereIsOneIsNotTheDictionarys() throws Exception {
        ZstdForge blocks =
                new ZstdForge().u8(0x28).u8(0xb5).u8(0x2f).u8(0xfd).u8(0).u8(17 - 10 << 3);
        byte[] raw = GpuStreams.mixture(1_000_000, TestSeed.value());
        blocks.put(byPredefinedTables().block(false));
        for (int at = 0; at < raw.length; at += 100_000) {
            blocks.blockHeader(ZstdForge.RAW, 100_000, false).put(Arrays.copyOfRange(raw, at, at + 100_000));
        }
        byte[] front = blocks.toArray();
        byte[] stream = {0x15};
        byte[] treeless = new ZstdBlockForge()
                .literals(ZstdBlockForge.treelessLiterals(4, stream))
                .sequences(ZstdBlockForge.noSequences())
                .block(true);
        byte[] described = new ZstdBlockForge()
                .literals(ZstdBlockForge.codedLiterals(4, ZstdBlockForge.weights(1), stream))
                .sequences(ZstdBlockForge.noSequences())
                .block(true);
        byte[] sound = new ZstdForge().put(front).put(described).toArray();
        byte[] bad = new ZstdForge().put(front).put(treeless).toArray();
        byte[] content = Zstd.decompress(sound, 2_000_000);
        assertThat(requireReadRight("a tree", sound, content, 100_000)).isPositive();
        long before = deviceBytes();
        for (Mode mode : new Mode[] {Mode.CPU, Mode.GPU}) {
            assertThatThrownBy(() -> {
                        try (InputStream in = new ChunkedInputStream(
                                new ByteArrayInputStream(bad), Format.ZSTD, OPTIONS.withMode(mode))) {
                            in.readAllBytes();
                        }
                    })
                    .as("%s", mode)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("Huffman tree before there is one");
        }
        assertThat(deviceBytes() - before).isGreaterThan(600_000);
    }

    /** Noise with a match now and then: a frame of it is no chunk, though it tells its size. */
    private byte[] nearlyNoise(int bytes) {
        byte[] raw = noise(bytes);
        for (int i = 64; i < bytes; i++) {
            raw[i] = i % 64 < 24 ? raw[i - 64] : raw[i];
        }
        return raw;
    }

    /** A frame of blocks of 8 KiB, with a content size in its header. */
    private static byte[] shortBlocks(byte[] raw, long contentBytes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(file, 3).setLong(17).setChecksum(true)) {
            for (int at = 0; at < raw.length; at += 8 << 10) {
                out.write(raw, at, Math.min(8 << 10, raw.length - at));
                out.flush();
            }
        }
        byte[] frame = file.toByteArray();
        int headerBytes = ZstdFrameHeader.WINDOW_DESCRIPTOR_AT + 1;
        ByteBuffer sized = ByteBuffer.allocate(frame.length + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        sized.put(frame, 0, headerBytes).putLong(contentBytes).put(frame, headerBytes, frame.length - headerBytes);
        byte descriptor = frame[ZstdFrameHeader.WINDOW_DESCRIPTOR_AT - 1];
        sized.put(ZstdFrameHeader.WINDOW_DESCRIPTOR_AT - 1, (byte) (descriptor | 3 << 6));
        return sized.array();
    }

    /** A block may decode to 128 KiB, so without a content size a wave takes 16 of them at first. */
    @Test
    void aFrameThatTellsItsSizeIsOneSegmentHoweverManyBlocksItHas() throws IOException {
        byte[] raw = nearlyNoise(1_900_000);
        long leases = counted("pool.leases");
        long onDevices = requireReadRight("short blocks", shortBlocks(raw, raw.length), raw, 100_000);
        assertThat(onDevices).isEqualTo(raw.length);
        assertThat(counted("pool.leases") - leases).isOne();
    }

    /** A device refuses what decodes to more; then blocks count as long again, until the frame's end shows the lie. */
    @ParameterizedTest
    @ValueSource(longs = {500_000, 1_899_999, 1_900_001, 3_000_000, 0, Long.MAX_VALUE, -1})
    void aWrongContentSizeIsFoundAsWithoutDevices(long contentBytes) throws IOException {
        byte[] raw = nearlyNoise(1_900_000);
        requireJudgedAlike("says " + contentBytes, shortBlocks(raw, contentBytes));
        requireNothingLent();
    }

    /** Where others work, a segment has a wave's output; a frame of as many bytes would leave its last block. */
    @Test
    void whatIsLeftOfAFrameGoesAlong() throws IOException {
        gpu.close();
        PoolLimits limits = new PoolLimits(256 << 20, 24 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
        byte[] raw = nearlyNoise(2 << 20);
        byte[] frame = new Writing(3, 21, true, true).frame(raw);
        List<DeviceLease> others = new ArrayList<>();
        while (gpu.pool().lentShare() < 1 / 3.0) {
            others.add(gpu.pool().tryLease(ZstdGpuFormat.SEGMENTS, 1, 1 << 20, 1));
        }
        assertThat(gpu.pool().isCrowded()).isFalse();
        long leases = counted("pool.leases");
        long onDevices = requireReadRight("a wave's frame", frame, raw, 100_000);
        others.forEach(DeviceLease::close);
        assertThat(onDevices).isEqualTo(raw.length);
        assertThat(counted("pool.leases") - leases).isOne();
    }

    private List<DeviceLease> everything() {
        List<DeviceLease> all = new ArrayList<>();
        for (int bytes = 1 << 20; bytes > 1000; bytes /= 2) {
            DeviceLease lease;
            while ((lease = gpu.pool().tryLease(ZstdGpuFormat.SEGMENTS, 1, bytes, 1)) != null) {
                all.add(lease);
            }
        }
        return all;
    }

    /** A reader is slow, and what was decoded ahead for it makes room for others: libzstd decodes it again. */
    @Test
    void whatMadeRoomForOthersIsDecodedAgain() throws Exception {
        byte[] raw = GpuStreams.text(6_000_000, 13);
        byte[] file = new Writing(9, 17, true, true).frame(raw);
        long revoked = gpu.pool().revokedCount();
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, OPTIONS)) {
            byte[] first = in.readNBytes(500_000);
            List<DeviceLease> others = everything();
            for (int turn = 0; gpu.pool().revokedCount() == revoked; turn++) {
                assertThat(turn).as("turns without a revoked result").isLessThan(1000);
                Thread.sleep(20);
                others.addAll(everything());
            }
            others.forEach(DeviceLease::close);
            byte[] rest = in.readAllBytes();
            assertThat(Arrays.equals(first, Arrays.copyOf(raw, first.length))).isTrue();
            assertThat(Arrays.equals(rest, Arrays.copyOfRange(raw, first.length, raw.length)))
                    .isTrue();
        }
    }

    @Test
    void aFrameWaitsForRoomNoLongerThanIsWorthIt() {
        byte[] raw = GpuStreams.text(2_000_000, 15);
        long full = counted("fallback.decode.zstd.pool-full");
        List<DeviceLease> others = everything();
        assertThat(requireReadRight("a frame without room", new Writing(3, 17, true, true).frame(raw), raw, 100_000))
                .isZero();
        assertThat(counted("fallback.decode.zstd.pool-full") - full).isOne();
        others.forEach(DeviceLease::close);
    }

    /** A window as long as a wave: the first segment has no history, and the second no room. */
    @Test
    void aWindowOfAWaveIsBegunOnDevices() {
        byte[] raw = mixed(9_000_000);
        byte[] file = new Writing(3, 21, true, false).frame(raw);
        assertThat(requireReadRight("a window of a wave", file, raw, 100_000)).isBetween(1_000_000L, 4L << 20);
        requireNothingLent();
    }

    /** With memory for long leases there is room for the second, too. */
    @Test
    void aWindowOfAWaveIsADevicesThatHasLongLeases() {
        gpu.close();
        PoolLimits limits = new PoolLimits(400 << 20, 24 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
        byte[] raw = Arrays.copyOf(mixed(9_000_000), 9_600_000);
        // noise at the end: what is too short for a segment is few raw bytes
        System.arraycopy(noise(600_000), 0, raw, 9_000_000, 600_000);
        byte[] file = new Writing(3, 21, true, false).frame(raw);
        assertThat(requireReadRight("a window of a wave", file, raw, 100_000)).isGreaterThan(raw.length * 9L / 10);
        requireNothingLent();
    }

    /** A window that no segment has room for is libzstd's from the begin. */
    @Test
    void aWindowThatIsTooLongIsNotTried() throws IOException {
        byte[] raw = mixed(9_000_000);
        byte[] file = new Writing(3, 25, true, false).frame(raw);
        long sessions = counted("fallback.decode.zstd.session");
        assertThat(requireReadRight("a long window", file, raw, 100_000)).isZero();
        assertThat(counted("fallback.decode.zstd.session") - sessions).isOne();
    }
}
