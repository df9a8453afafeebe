package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.engine.gpu.segment.GpuSegments;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On scripted devices. */
class GzipStreamTest extends GzipStreamContract {
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

    /** Whatever a device fails with, and when: the session goes on where the last good segment ended. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "DOWNLOAD", "IS_DONE"})
    void aFailureInTheMiddleOfAStreamLosesNothing(Call call) throws IOException {
        byte[] raw = GpuStreams.text(900_000, 12);
        byte[] file = gzip(raw, 1);
        int code = ScriptedDriver.OUT_OF_MEMORY;
        for (int n : new int[] {1, 2, 4, 9, 17}) {
            gpu.driver().failNth(call, n, code);
            requireReadRight(call + " " + n, file, raw);
            code = n == 9 ? 700 : code;
        }
    }

    private List<DeviceLease> everything() {
        List<DeviceLease> all = new ArrayList<>();
        // the pool's limit ends it; what is left behind long leases goes to short ones
        for (int bytes = 1 << 20; bytes > 1000; bytes /= 2) {
            DeviceLease lease;
            while ((lease = gpu.pool().tryLease(DeflateGpuFormat.SEGMENTS, 1, bytes, 1)) != null) {
                all.add(lease);
            }
        }
        return all;
    }

    /**
     * What is at hand behind a short member is not sent to a device again for each; a long member is a device's again.
     */
    @Test
    void shortMembersBehindEachOtherAreNotWorthADevice() {
        int count = 200;
        byte[] raw = GpuStreams.text(3000 * count + 2_000_000, 16);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int at = 0; at < 3000 * count; at += 3000) {
            file.writeBytes(gzip(Arrays.copyOfRange(raw, at, at + 3000), 0));
        }
        for (int at = 3000 * count; at < raw.length; at += 1_000_000) {
            file.writeBytes(gzip(Arrays.copyOfRange(raw, at, at + 1_000_000), 1));
        }
        long uploads = gpu.driver().count(Call.UPLOAD);
        long tooShort = counted("fallback.decode.gzip.units-short");
        long decoded = counted("decode.gzip.gpu.bytesOut");
        requireReadRight("short members", file.toByteArray(), raw);
        assertThat(counted("fallback.decode.gzip.units-short") - tooShort).isGreaterThan(count - 20);
        assertThat(gpu.driver().count(Call.UPLOAD) - uploads).isLessThan(count);
        assertThat(counted("decode.gzip.gpu.bytesOut") - decoded).isGreaterThan(600_000);
    }

    private static long counted(String name) {
        return Metrics.counter(name).sum();
    }

    /** A reader is slow, and what was decoded ahead for it makes room for others: it is decoded again. */
    @Test
    void whatMadeRoomForOthersIsDecodedAgain() throws Exception {
        byte[] raw = GpuStreams.text(6_000_000, 13);
        long before = counted("decode.gzip.gpu.bytesOut");
        long revoked = gpu.pool().revokedCount();
        try (InputStream in = open(gzip(raw, 6))) {
            byte[] first = in.readNBytes(10);
            // until it is done and has not been fetched for too long
            List<DeviceLease> others = everything();
            for (int turn = 0; gpu.pool().revokedCount() == revoked; turn++) {
                assertThat(turn).as("turns without a revoked result").isLessThan(1000);
                Thread.sleep(20);
                others.addAll(everything());
            }
            others.forEach(DeviceLease::close);
            byte[] rest = in.readAllBytes();
            assertThat(Arrays.equals(first, Arrays.copyOf(raw, 10))).isTrue();
            assertThat(Arrays.equals(rest, Arrays.copyOfRange(raw, 10, raw.length)))
                    .isTrue();
        }
        assertThat(counted("decode.gzip.gpu.bytesOut") - before).isGreaterThan(raw.length * 3L / 4);
    }

    @Test
    void aStreamWaitsForRoomInThePool() throws Exception {
        byte[] raw = GpuStreams.text(6_000_000, 14);
        long before = counted("decode.gzip.gpu.bytesOut");
        List<DeviceLease> others = everything();
        Thread reader = Thread.currentThread();
        Thread later = new Thread(() -> {
            while (!waitsForRoom(reader)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            others.forEach(DeviceLease::close);
        });
        later.start();
        requireReadRight("a stream that waits", gzip(raw, 6), raw);
        later.join();
        assertThat(counted("decode.gzip.gpu.bytesOut") - before).isGreaterThan(raw.length * 3L / 4);
    }

    private static boolean waitsForRoom(Thread reader) {
        return Arrays.stream(reader.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(GpuSegments.class.getName())
                        && frame.getMethodName().equals("begin"));
    }

    @Test
    void aStreamWaitsForRoomNoLongerThanIsWorthIt() {
        byte[] raw = GpuStreams.text(1_000_000, 15);
        long full = counted("fallback.decode.gzip.pool-full");
        List<DeviceLease> others = everything();
        requireReadRight("a stream without room", gzip(raw, 6), raw);
        assertThat(counted("fallback.decode.gzip.pool-full") - full).isOne();
        others.forEach(DeviceLease::close);
    }

    /** An index scan asks again behind each block that it had to decode itself, but waits no longer for that. */
    @Test
    void anIndexScanWaitsForRoomOnce() throws IOException {
        byte[] file = gzip(GpuStreams.text(1_000_000, 17), 6);
        Thread scanner = Thread.currentThread();
        AtomicInteger looks = new AtomicInteger();
        // to the thread that scans, two seconds pass from one look to the next
        LongSupplier clock = () -> System.nanoTime()
                + (Thread.currentThread() == scanner ? TimeUnit.SECONDS.toNanos(2L * looks.incrementAndGet()) : 0);
        gpu.close();
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits(), DeviceChoices.deviceAlways(), clock)
                .started();
        Engines.installAccelerator(gpu.engine());
        long full = counted("fallback.decode.gzip.pool-full");
        List<DeviceLease> others = everything();
        looks.set(0);
        Map<GzipSeekPoint, byte[]> found = scan(file, Mode.GPU);
        assertThat(looks.get()).as("of the only wait, which has five").isLessThan(8);
        others.forEach(DeviceLease::close);
        assertThat(counted("fallback.decode.gzip.pool-full") - full)
                .as("attempts")
                .isGreaterThan(1);
        assertThat(found.keySet()).isEqualTo(scan(file, Mode.CPU).keySet());
    }

    /** The only stream of a device that has memory for it gets long segments; beside others it does not. */
    @Test
    void aStreamAloneHasLongSegments() throws Exception {
        gpu.close();
        PoolLimits limits = new PoolLimits(256 << 20, 48 << 20, 1 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
        byte[] raw = GpuStreams.text(12_000_000, 19);
        byte[] file = gzip(raw, 6);
        assertThat(leasesOf(file, raw)).isBetween(6L, 8L);
        DeviceLease other = gpu.pool().tryLease(DeflateGpuFormat.SEGMENTS, 1, 1 << 20, 1);
        List<DeviceLease> others = new ArrayList<>(List.of(other));
        while (gpu.pool().lentShare() <= 0.25) {
            others.add(gpu.pool().tryLease(DeflateGpuFormat.SEGMENTS, 1, 1 << 20, 1));
        }
        assertThat(leasesOf(file, raw)).isBetween(12L, 15L);
        while (!gpu.pool().isCrowded()) {
            others.add(gpu.pool().tryLease(DeflateGpuFormat.SEGMENTS, 1, 1 << 20, 1));
        }
        assertThat(leasesOf(file, raw)).isBetween(23L, 28L);
        others.forEach(DeviceLease::close);
    }

    /** Segments of half a wave whose input is nearly as long as their output have scratch for all of it. */
    @Test
    void dataThatHardlyCompressesIsDecodedInACrowdedPoolToo() {
        gpu.close();
        PoolLimits limits = new PoolLimits(256 << 20, 48 << 20, 4 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
        byte[] raw = new byte[8_000_000];
        Random random = new Random(21);
        for (int at = 0; at < raw.length; at++) {
            // seven bits of eight: coded, not stored
            raw[at] = (byte) random.nextInt(128);
        }
        List<DeviceLease> others = new ArrayList<>();
        while (!gpu.pool().isCrowded()) {
            others.add(gpu.pool().tryLease(DeflateGpuFormat.SEGMENTS, 1, 1 << 20, 1));
        }
        long failed = counted("fallback.decode.gzip.driver-error");
        assertThat(leasesOf(gzip(raw, 6), raw)).isPositive();
        assertThat(counted("fallback.decode.gzip.driver-error")).isEqualTo(failed);
        others.forEach(DeviceLease::close);
    }

    private static long leasesOf(byte[] file, byte[] raw) {
        long before = counted("pool.leases");
        long decoded = counted("decode.gzip.gpu.bytesOut");
        requireReadRight("a stream", file, raw);
        assertThat(counted("decode.gzip.gpu.bytesOut") - decoded).isGreaterThan(raw.length * 9L / 10);
        return counted("pool.leases") - before;
    }

    private DeviceChoices.Verdict choose(DeviceChoices choices, DeviceChoice choice, CodecOptions options) {
        return choices.choose(choice, options, 900_000, 0, gpu.pool());
    }

    /**
     * In mode auto slow devices that were seen, as on cold clocks or beside busy cores, do not keep streams
     * from them for good.
     */
    @Test
    void largeSegmentsAreTheDevicesWhateverWasSeen() {
        DeviceChoices choices = DeviceChoices.learning();
        gpu.close();
        // waits are measured by a clock that stands
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits(), choices, () -> 0).started();
        Engines.installAccelerator(gpu.engine());
        CodecOptions options = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
        DeviceChoice choice = choices.ofSessions(Format.GZIP, options, 3e6, true);
        long aMinute = TimeUnit.MINUTES.toNanos(1);
        choice.turnedAround(aMinute, gpu.pool().nanoTime());
        assertThat(choose(choices, choice, options)).as("a smaller segment").isEqualTo(DeviceChoices.Verdict.CPU);
        byte[] raw = GpuStreams.text(9_000_000, 18);
        long before = counted("decode.gzip.gpu.bytesOut");
        requireReadRight("auto", gzip(raw, 6), raw, Mode.AUTO);
        assertThat(counted("decode.gzip.gpu.bytesOut") - before).isGreaterThan(raw.length / 2);
    }

    @Override
    void requireNothingLent() {
        gpu.awaitNothingLent();
    }
}
