package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
