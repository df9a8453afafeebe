package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.PoolSettings;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams of many threads over four and eight scripted devices. Each device's first work waits until every device has
 * some, and a thread begins when the one before has work under way: so all take part, however fast the machine is.
 */
class ManyGpusTest {
    private static final int MEBI = 1 << 20;
    private static final long MEMORY_BYTES = 40L * MEBI;
    private static final long WATCHDOG_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int RAW_BYTES = 200_000;
    private static final int THREADS = 12;
    /** Codes that end a device, one after the other. */
    private static final int[] DEATHS = {
        ScriptedDriver.ECC_UNCORRECTABLE,
        ScriptedDriver.LAUNCH_TIMEOUT,
        ScriptedDriver.ILLEGAL_ADDRESS,
        ScriptedDriver.LAUNCH_FAILED
    };

    private ScriptedGpu gpu;
    /** Counts devices that have had no work yet. */
    private CountDownLatch idle;

    private final CountDownLatch gate = new CountDownLatch(1);

    private void install(int deviceCount, long shareBytes, DeviceChoices choices, LongSupplier clock) {
        PoolLimits limits = new PoolLimits(MEMORY_BYTES, deviceCount * shareBytes, MEBI, 0, WATCHDOG_NANOS);
        gpu = new ScriptedGpu(new CpuEngine(), deviceCount, limits, choices, clock);
        idle = new CountDownLatch(deviceCount);
    }

    private void install(int deviceCount) {
        install(deviceCount, 8L * MEBI, DeviceChoices.deviceAlways(), System::nanoTime);
        start();
    }

    private void start() {
        Engines.installAccelerator(gpu.started().engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gate.countDown();
        if (gpu != null) {
            gpu.driver().endHangs();
            gpu.close();
            gpu.driver().discard();
        }
    }

    /** The first work of a device waits for the gate; then the script has its say. */
    private void together(int ordinal, Script script) {
        gpu.driver().script(ordinal, (call, n) -> {
            if (call == Call.WORK && n == 1) {
                idle.countDown();
                await(gate);
            }
            return script.answer(call, n);
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAndReadEverything() throws Exception {
        writeAndReadEverything(() -> true);
    }

    /**
     * Each thread writes and reads a file of its own, and finds its bytes; all kinds have their turn.
     *
     * @param opensGate whether the gate may open, once no device is idle
     */
    private void writeAndReadEverything(BooleanSupplier opensGate) throws Exception {
        List<FutureTask<Boolean>> tasks = new ArrayList<>();
        for (int index = 0; index < THREADS; index++) {
            GpuStreams kind = GpuStreams.values()[index % GpuStreams.values().length];
            byte[] raw = GpuStreams.mixture(RAW_BYTES, index);
            FutureTask<Boolean> task = new FutureTask<>(() -> Arrays.equals(read(kind, write(kind, raw)), raw));
            Thread thread = new Thread(task, "streams " + index);
            thread.setDaemon(true);
            long idleDevices = idle.getCount();
            thread.start();
            tasks.add(task);
            while (idleDevices > 0 && idle.getCount() == idleDevices && !task.isDone()) {
                Thread.sleep(1);
            }
        }
        while (!opensGate.getAsBoolean()) {
            Thread.sleep(1);
        }
        gate.countDown();
        for (FutureTask<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
    }

    private static byte[] write(GpuStreams kind, byte[] raw) throws IOException {
        return kind.writeOnDevice(raw, CHUNK_BYTES);
    }

    private static byte[] read(GpuStreams kind, byte[] file) throws IOException {
        try (InputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, kind.options.withMode(Mode.GPU))) {
            return in.readAllBytes();
        }
    }

    private static long fallbacks(FallbackReason reason) {
        return Metrics.sum("fallback.", "." + reason.word());
    }

    private static long lostDevices() {
        return Metrics.counter("pool.devices-lost").sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void everyFormatIsWrittenAndReadByAllOfThem(int deviceCount) throws Exception {
        install(deviceCount);
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            together(ordinal, (call, n) -> 0);
        }
        writeAndReadEverything();
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            assertThat(gpu.driver().count(ordinal, Call.LAUNCH))
                    .as("kernels of device %d", ordinal)
                    .isPositive();
            assertThat(gpu.driver().mostAllocatedBytes(ordinal))
                    .as("memory of device %d", ordinal)
                    .isPositive()
                    .isLessThanOrEqualTo(MEMORY_BYTES);
        }
        gpu.awaitNothingLent();
        gpu.close();
        assertThat(gpu.driver().allocatedBytes()).isZero();
        assertThat(gpu.driver().pinnedBytes()).isZero();
        assertThat(gpu.driver().streamCount()).isZero();
    }

    /** Page-locked memory for a request a device, of one chunk: other streams wait for it, and all devices work. */
    @ParameterizedTest
    @ValueSource(ints = {8})
    void withLittlePageLockedMemoryAllOfThemGoOn(int deviceCount) throws Exception {
        install(deviceCount, MEBI / 4, DeviceChoices.deviceAlways(), System::nanoTime);
        start();
        long before = fallbacks(FallbackReason.POOL_FULL)
                + Metrics.counter("pool.asked-again").sum();
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            together(ordinal, (call, n) -> 0);
        }
        writeAndReadEverything(gpu.pool()::isAwaited);
        assertThat(fallbacks(FallbackReason.POOL_FULL)
                        + Metrics.counter("pool.asked-again").sum())
                .as("requests that found no memory at first")
                .isGreaterThan(before);
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            assertThat(gpu.driver().count(ordinal, Call.LAUNCH)).isPositive();
        }
        gpu.awaitNothingLent();
    }

    /** All but one are lost in the middle of the first wave that they have. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void theLastOneGoesOnAndThenTheCpu(int deviceCount) throws Exception {
        install(deviceCount);
        int last = deviceCount / 2;
        long[] allocatedBytes = new long[deviceCount];
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            int death = ordinal == last ? 0 : DEATHS[ordinal % DEATHS.length];
            allocatedBytes[ordinal] = gpu.driver().allocatedBytes(ordinal);
            together(ordinal, (call, n) -> call == Call.WORK && n == 2 ? death : 0);
        }
        long lostBefore = lostDevices();
        long fallbacksBefore = fallbacks(FallbackReason.DEVICE_LOST);
        writeAndReadEverything();
        assertThat(lostDevices() - lostBefore).isEqualTo(deviceCount - 1);
        assertThat(fallbacks(FallbackReason.DEVICE_LOST)).isGreaterThan(fallbacksBefore);
        assertThat(gpu.pool().runningCount()).isEqualTo(1);
        long launches = gpu.driver().count(last, Call.LAUNCH);
        writeAndReadEverything();
        assertThat(gpu.driver().count(last, Call.LAUNCH)).isGreaterThan(launches);

        gpu.driver().script(last, (call, n) -> call == Call.WORK ? ScriptedDriver.LAUNCH_FAILED : 0);
        writeAndReadWhateverThereIs();
        assertThat(gpu.pool().unavailableReason()).isEqualTo(FallbackReason.DEVICE_LOST);
        gpu.close();
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            assertThat(gpu.driver().allocatedBytes(ordinal))
                    .as("nothing is freed")
                    .isEqualTo(allocatedBytes[ordinal]);
        }
        assertThat(gpu.driver().callsAfterDeath()).as("calls on dead devices").isZero();
    }

    /** Streams in mode auto, which goes on where mode gpu would fail. */
    private static void writeAndReadWhateverThereIs() throws Exception {
        for (GpuStreams kind : GpuStreams.values()) {
            byte[] raw = GpuStreams.mixture(RAW_BYTES, 3);
            assertThat(Arrays.equals(kind.read(kind.write(raw, kind.options)), raw))
                    .isTrue();
        }
    }

    /** Its work is the CPU's after the patience of the streams that wait, by a clock that is twenty times as fast. */
    @ParameterizedTest
    @ValueSource(ints = {4})
    void aDeviceThatHangsCostsOnlyWhatItHas(int deviceCount) throws Exception {
        install(deviceCount, 8L * MEBI, DeviceChoices.learning(), () -> 20 * System.nanoTime());
        start();
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            int answer = ordinal == 0 ? Script.HANG : 0;
            together(ordinal, (call, n) -> call == Call.WORK && n == 1 ? answer : 0);
        }
        long before = fallbacks(FallbackReason.DEVICE_SLOW);
        writeAndReadEverything();
        assertThat(fallbacks(FallbackReason.DEVICE_SLOW)).isGreaterThan(before);
        assertThat(gpu.pool().unavailableReason()).isNull();
        gpu.driver().endHangs();
        gpu.awaitNothingLent();
    }

    /** Mode gpu insists on a device, and any that runs is enough. */
    @ParameterizedTest
    @ValueSource(ints = {8})
    void noStreamWaitsForADeviceWhoseStartHangs(int deviceCount) throws Exception {
        install(deviceCount, 8L * MEBI, DeviceChoices.deviceAlways(), System::nanoTime);
        gpu.driver().script(0, (call, n) -> call == Call.RETAIN_CONTEXT ? Script.HANG : 0);
        Engines.installAccelerator(gpu.engine());
        long before = GpuStreams.LZ4_FRAME.deviceEncodedChunks();
        byte[] raw = GpuStreams.text(RAW_BYTES, 1);
        byte[] file = GpuStreams.LZ4_FRAME.writeOnDevice(raw, CHUNK_BYTES);
        assertThat(GpuStreams.LZ4_FRAME.deviceEncodedChunks()).isGreaterThan(before);
        assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
        // the hung one is still at it
        assertThat(gpu.pool().runningCount()).isBetween(1, deviceCount - 1);
    }

    /** What docs/user/settings.md says. */
    @Test
    void pageLockedMemoryGrowsWithTheDevicesUpToFour() {
        long one = 256L * MEBI;
        PoolSettings usual = PoolSettings.DEFAULTS;
        assertThat(List.of(1, 2, 4, 8))
                .map(count -> GpuEngine.limits(usual, count).pinnedMaxBytes())
                .containsExactly(one, 2 * one, 4 * one, 4 * one);
        PoolSettings set = new PoolSettings(List.of(), 7, 9, PoolSettings.UNSET, PoolSettings.UNSET, usual.node());
        assertThat(GpuEngine.limits(set, 8)).satisfies(limits -> {
            assertThat(limits.pinnedMaxBytes()).isEqualTo(9);
            assertThat(limits.memoryMaxBytes()).isEqualTo(7);
            assertThat(limits.memoryDivisor()).isEqualTo(1);
        });
        assertThat(GpuEngine.limits(usual, 8).memoryMaxBytes()).isEqualTo(2048L * MEBI);
        assertThat(GpuEngine.limits(usual, 8).memoryDivisor()).isEqualTo(8);
    }
}
