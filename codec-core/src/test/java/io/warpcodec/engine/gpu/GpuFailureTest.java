package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that can fail on a device, provoked by a script: whatever happens, every byte that is read is right,
 * nothing hangs, and what a lost device may still touch is neither freed nor lent again.
 */
class GpuFailureTest {
    private static final GpuStreams KIND = GpuStreams.LZ4_FRAME;
    /** For what hangs. The others get more: a busy machine may take the processor away for a while. */
    private static final long WATCHDOG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final byte[] RAW = GpuStreams.text(600_000, 1);
    private static byte[] file;

    private ScriptedGpu gpu;

    @BeforeAll
    static void write() throws Exception {
        file = KIND.write(RAW, 64 << 10);
    }

    private void install(int deviceCount) {
        install(deviceCount, LIMIT_NANOS);
    }

    private void install(int deviceCount, long watchdogNanos) {
        gpu = new ScriptedGpu(new CpuEngine(), deviceCount, limits(watchdogNanos)).started();
        Engines.installAccelerator(gpu.engine());
    }

    private static PoolLimits limits(long watchdogNanos) {
        return new PoolLimits(8 << 20, 8 << 20, 1 << 20, TimeUnit.MICROSECONDS.toNanos(100), watchdogNanos);
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        if (gpu != null) {
            gpu.driver().endHangs();
            gpu.close();
            gpu.driver().discard();
        }
    }

    private static void readAll() throws Exception {
        assertThat(Arrays.equals(KIND.read(file), RAW)).isTrue();
    }

    private static long lostDevices() {
        return Metrics.counter("pool.devices-lost").sum();
    }

    private static long splitWaves() {
        return Metrics.counter("pool.wave-splits").sum();
    }

    static Stream<Arguments> stickyFailures() {
        List<Arguments> failures = new ArrayList<>();
        for (Call call :
                new Call[] {Call.MAKE_CURRENT, Call.UPLOAD, Call.LAUNCH, Call.DOWNLOAD, Call.IS_DONE, Call.WORK}) {
            for (int n : new int[] {1, 2, 5}) {
                failures.add(Arguments.of(call, ScriptedDriver.ILLEGAL_ADDRESS, n));
            }
        }
        for (int code : new int[] {
            ScriptedDriver.ECC_UNCORRECTABLE,
            ScriptedDriver.LAUNCH_TIMEOUT,
            ScriptedDriver.LAUNCH_FAILED,
            ScriptedDriver.UNKNOWN
        }) {
            failures.add(Arguments.of(Call.WORK, code, 3));
            failures.add(Arguments.of(Call.LAUNCH, code, 1));
        }
        return failures.stream();
    }

    @ParameterizedTest
    @MethodSource("stickyFailures")
    void aStickyErrorEndsTheDeviceAndNoRead(Call call, int code, int n) throws Exception {
        install(1);
        long lostBefore = lostDevices();
        long fallbacksBefore = KIND.fallbacks("device-lost");
        long allocatedBytes = gpu.driver().allocatedBytes();
        long pinnedBytes = gpu.driver().pinnedBytes();
        gpu.driver().failNth(call, n, code);
        for (int round = 0; round < 6; round++) {
            readAll();
        }
        assertThat(lostDevices() - lostBefore).as("devices lost").isEqualTo(1);
        assertThat(gpu.pool().unavailableReason()).isEqualTo(FallbackReason.DEVICE_LOST);
        assertThat(KIND.fallbacks("device-lost")).isGreaterThan(fallbacksBefore);
        gpu.close();
        assertThat(gpu.driver().callsAfterDeath()).as("calls on a dead device").isZero();
        assertThat(gpu.driver().allocatedBytes()).as("nothing is freed").isEqualTo(allocatedBytes);
        assertThat(gpu.driver().pinnedBytes()).as("nothing is freed").isEqualTo(pinnedBytes);
    }

    /** A writer has its raw bytes until they are written, so a lost device costs it nothing but time. */
    @ParameterizedTest
    @MethodSource("stickyFailures")
    void aStickyErrorEndsTheDeviceAndNoWrite(Call call, int code, int n) throws Exception {
        install(1);
        long lostBefore = lostDevices();
        long before = KIND.encodeFallbacks("device-lost");
        gpu.driver().failNth(call, n, code);
        byte[] written = KIND.writeOnDevice(RAW, 64 << 10);
        if (n == 1) {
            assertThat(KIND.encodeFallbacks("device-lost")).isGreaterThan(before);
        }
        assertThat(Arrays.equals(KIND.read(written), RAW)).isTrue();
        for (int round = 0; round < 6; round++) {
            readAll();
        }
        assertThat(lostDevices() - lostBefore).as("devices lost").isEqualTo(1);
        gpu.close();
        assertThat(gpu.driver().callsAfterDeath()).as("calls on a dead device").isZero();
    }

    @Test
    void theOtherDeviceGoesOn() throws Exception {
        install(2);
        gpu.driver().failNth(Call.WORK, 3, ScriptedDriver.LAUNCH_FAILED);
        readAll();
        readAll();
        assertThat(gpu.pool().unavailableReason()).isNull();
        long before = KIND.deviceChunks();
        readAll();
        assertThat(KIND.deviceChunks()).isGreaterThan(before);
    }

    @Test
    void aWaveThatNeverEndsIsEndedByTheWatchdog() throws Exception {
        install(1, WATCHDOG_NANOS);
        long lostBefore = lostDevices();
        gpu.driver().failNth(Call.WORK, 2, Script.HANG);
        readAll();
        assertThat(lostDevices() - lostBefore).isEqualTo(1);
        // what the device finally does meets memory that has no other use
        gpu.driver().endHangs();
        readAll();
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "IS_DONE"})
    void aDriverCallThatNeverReturnsIsNoticedByTheThreadThatWaits(Call call) throws Exception {
        install(1, WATCHDOG_NANOS);
        long lostBefore = lostDevices();
        gpu.driver().failNth(call, 2, Script.HANG);
        readAll();
        readAll();
        assertThat(lostDevices() - lostBefore).isEqualTo(1);
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "DOWNLOAD", "WORK", "IS_DONE"})
    void harmlessErrorsCostOneWave(Call call) throws Exception {
        install(1);
        long lostBefore = lostDevices();
        long errorsBefore = KIND.fallbacks("driver-error");
        for (int n = 1; n < 6; n++) {
            gpu.driver().failNth(call, n, ScriptedDriver.INVALID_VALUE);
            readAll();
        }
        gpu.driver().script((any, at) -> 0);
        long before = KIND.deviceChunks();
        readAll();
        assertThat(KIND.deviceChunks()).as("the device goes on").isGreaterThan(before);
        assertThat(KIND.fallbacks("driver-error")).isGreaterThan(errorsBefore);
        assertThat(lostDevices()).isEqualTo(lostBefore);
        gpu.awaitNothingLent();
    }

    @Test
    void aDeviceThatFailsEveryWaveIsGivenUp() throws Exception {
        install(1);
        long lostBefore = lostDevices();
        gpu.driver().failAll(Call.LAUNCH, ScriptedDriver.INVALID_VALUE);
        for (int round = 0; round < 20; round++) {
            readAll();
        }
        assertThat(lostDevices() - lostBefore).isEqualTo(1);
    }

    @Test
    void shortMemoryMeansSmallerWavesThenTheCpuAndLeaksNothingInAThousandRounds() throws Exception {
        install(1);
        long splitsBefore = splitWaves();
        long shortBefore = KIND.fallbacks("out-of-memory");
        long allocatedBytes = gpu.driver().allocatedBytes();
        Random random = new Random(6);
        byte[] raw = GpuStreams.text(200_000, 7);
        byte[] small = KIND.write(raw, 32 << 10);
        gpu.driver()
                .script((call, n) -> call == Call.LAUNCH && random.nextInt(2) == 0 ? ScriptedDriver.OUT_OF_MEMORY : 0);
        Thread[] threads = new Thread[4];
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        for (int index = 0; index < threads.length; index++) {
            threads[index] = new Thread(() -> {
                try {
                    for (int round = 0; round < 250; round++) {
                        assertThat(Arrays.equals(KIND.read(small), raw)).isTrue();
                    }
                } catch (Throwable failed) {
                    wrong.set(failed);
                }
            });
            threads[index].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong.get()).isNull();
        assertThat(splitWaves()).as("waves that were tried again, smaller").isGreaterThan(splitsBefore);
        assertThat(KIND.fallbacks("out-of-memory")).isGreaterThan(shortBefore);
        assertThat(gpu.pool().unavailableReason()).as("the device is fine").isNull();
        gpu.awaitNothingLent();
        assertThat(gpu.driver().allocatedBytes()).isEqualTo(allocatedBytes);
        gpu.close();
        assertThat(gpu.driver().allocatedBytes()).isZero();
        assertThat(gpu.driver().pinnedBytes()).isZero();
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.EnumSource(
            value = Call.class,
            names = {"ALLOCATE", "ALLOCATE_PINNED"})
    void aStartWithLittleMemoryTakesLess(Call call) throws Exception {
        for (int n = 1; n <= 4; n++) {
            int failing = n;
            ScriptedGpu starting = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits());
            starting.driver().failNth(call, failing, ScriptedDriver.OUT_OF_MEMORY);
            Engines.installAccelerator(starting.started().engine());
            assertThat(starting.pool().unavailableReason()).isNull();
            long before = KIND.deviceChunks();
            readAll();
            assertThat(KIND.deviceChunks()).isGreaterThan(before);
            Engines.installAccelerator(null);
            starting.close();
            assertThat(starting.driver().allocatedBytes()).isZero();
            assertThat(starting.driver().pinnedBytes()).isZero();
        }
    }

    static Stream<Arguments> startFailures() {
        return Stream.of(
                        Call.RETAIN_CONTEXT,
                        Call.LOAD_MODULE,
                        Call.FUNCTION,
                        Call.GLOBAL,
                        Call.ALLOCATE,
                        Call.ALLOCATE_PINNED,
                        Call.OPEN_STREAM)
                .flatMap(call -> Stream.of(ScriptedDriver.OUT_OF_MEMORY, ScriptedDriver.ECC_UNCORRECTABLE, 1)
                        .map(code -> Arguments.of(call, code)));
    }

    @ParameterizedTest
    @MethodSource("startFailures")
    void aDeviceThatDoesNotStartHoldsNothingAndTheCpuDoesItAll(Call call, int code) throws Exception {
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits(LIMIT_NANOS));
        gpu.driver().failAll(call, code);
        Engines.installAccelerator(gpu.started().engine());
        assertThat(gpu.pool().unavailableReason()).isIn(FallbackReason.OUT_OF_MEMORY, FallbackReason.DEVICE_FAILED);
        readAll();
        if (code != ScriptedDriver.ECC_UNCORRECTABLE) {
            assertThat(gpu.driver().allocatedBytes()).isZero();
            assertThat(gpu.driver().pinnedBytes()).isZero();
            assertThat(gpu.driver().streamCount()).isZero();
        }
        assertThat(gpu.driver().callsAfterDeath()).isZero();
    }

    @Test
    void interruptsAndClosesAtAnyTimeLoseNothing() throws Exception {
        install(2);
        long seed = Long.getLong("warpcodec.test.seed", 1);
        Random random = new Random(seed);
        gpu.driver().script((call, n) -> {
            if (call == Call.WORK && n % 50 == 0) {
                sleepMillis(1);
            }
            return 0;
        });
        Thread[] threads = new Thread[6];
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        CountDownLatch readers = new CountDownLatch(threads.length);
        for (int index = 0; index < threads.length; index++) {
            Random own = new Random(random.nextLong());
            threads[index] = new Thread(() -> {
                for (int round = 0; round < 150 && wrong.get() == null; round++) {
                    int wanted = own.nextInt(RAW.length);
                    try (ChunkedInputStream in = KIND.open(file)) {
                        byte[] got = in.readNBytes(wanted);
                        if (!Arrays.equals(got, 0, got.length, RAW, 0, wanted)) {
                            wrong.set(new AssertionError("wrong bytes, seed " + seed));
                        }
                    } catch (java.io.InterruptedIOException interrupted) {
                        Thread.interrupted();
                    } catch (Throwable failed) {
                        wrong.set(failed);
                    }
                }
                readers.countDown();
            });
            threads[index].start();
        }
        while (!readers.await(1, TimeUnit.MILLISECONDS)) {
            threads[random.nextInt(threads.length)].interrupt();
        }
        assertThat(wrong.get()).isNull();
        gpu.awaitNothingLent();
        gpu.close();
        assertThat(gpu.driver().pinnedBytes()).isZero();
        assertThat(gpu.driver().allocatedBytes()).isZero();
    }

    private static void sleepMillis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void randomFaultsUnderManyThreadsNeverShow() throws Exception {
        long seed = Long.getLong("warpcodec.test.seed", 1);
        for (int round = 0; round < 3; round++) {
            install(3);
            Random random = new Random(seed + round);
            gpu.driver().script((call, n) -> switch (random.nextInt(2000)) {
                case 0 -> call == Call.WORK ? ScriptedDriver.LAUNCH_FAILED : 0;
                case 1, 2, 3 -> ScriptedDriver.OUT_OF_MEMORY;
                case 4, 5, 6 -> ScriptedDriver.INVALID_VALUE;
                default -> 0;
            });
            List<Thread> threads = new ArrayList<>();
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            for (int index = 0; index < 8; index++) {
                GpuStreams kind = GpuStreams.values()[index % GpuStreams.values().length];
                byte[] raw = GpuStreams.mixture(400_000, seed + index);
                Thread thread = new Thread(() -> {
                    try {
                        byte[] own = kind.write(raw, 32 << 10);
                        for (int turn = 0; turn < 12; turn++) {
                            assertThat(Arrays.equals(kind.read(own), raw)).isTrue();
                        }
                    } catch (Throwable failed) {
                        wrong.set(failed);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong.get()).as("seed %d", seed + round).isNull();
            gpu.driver().script((call, n) -> 0);
            gpu.close();
            assertThat(gpu.driver().callsAfterDeath())
                    .as("seed %d", seed + round)
                    .isZero();
            Engines.installAccelerator(null);
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(strings = {"busy", "hanging wave", "hanging call", "dead"})
    void theJvmExitsInAnyState(String state) throws Exception {
        Process process = new ProcessBuilder(
                        java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExitInState.class.getName(),
                        state)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream output = process.getInputStream()) {
            assertThat(output.read()).as("ready").isEqualTo('r');
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(3);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Brings a pool into a state, and exits without closing it, as a process does. */
    static final class ExitInState {
        public static void main(String[] arguments) throws Exception {
            ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, limits(TimeUnit.HOURS.toNanos(1))).started();
            Engines.installAccelerator(gpu.engine());
            byte[] bytes = KIND.write(RAW, 64 << 10);
            switch (arguments[0]) {
                case "hanging wave" -> gpu.driver().failNth(Call.WORK, 2, Script.HANG);
                case "hanging call" -> gpu.driver().failNth(Call.LAUNCH, 1, Script.HANG);
                case "dead" -> gpu.driver().failNth(Call.WORK, 2, ScriptedDriver.LAUNCH_FAILED);
                default -> {
                    // works on while the JVM goes down
                }
            }
            for (int index = 0; index < 4; index++) {
                Thread reader = new Thread(() -> {
                    while (true) {
                        try {
                            KIND.read(bytes);
                        } catch (java.io.IOException failed) {
                            return;
                        }
                    }
                });
                reader.setDaemon(true);
                reader.start();
            }
            Thread.sleep(300);
            System.out.print('r');
            System.out.flush();
            System.exit(3);
        }
    }
}
