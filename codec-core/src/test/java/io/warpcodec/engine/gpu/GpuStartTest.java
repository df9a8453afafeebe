package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.ScriptedProcess;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import io.warpcodec.stream.SplitRange;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The first streams of a process in mode auto, on a scripted driver: which of them start devices, and which wait for
 * these.
 */
class GpuStartTest {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long GIGABYTE = 1_000_000_000;
    private static final long NO_WAIT_ENDS = -1000 * SECOND;
    /** A stream that waits for this to the end does not come back within the test's time. */
    private static final long WORTH_ANY_WAIT = 1_000_000 * GIGABYTE;

    private final byte[] raw = GpuStreams.text(1_500_000, 21);
    private final byte[] file = gzip(raw);
    private final CountDownLatch starting = new CountDownLatch(1);
    private ScriptedProcess process = new ScriptedProcess();
    private ScriptedGpu gpu;

    private static byte[] gzip(byte[] raw) {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(sink)) {
            gzip.write(raw);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return sink.toByteArray();
    }

    /**
     * A process of its own: its devices have not been asked for, and their contexts are made when {@link #starting}
     * has been told and hangs have ended.
     */
    private void install(int deviceCount, Script script) {
        gpu = new ScriptedGpu(new CpuEngine(), deviceCount, ScriptedGpu.smallLimits());
        gpu.driver().script((call, n) -> {
            if (call == Call.RETAIN_CONTEXT) {
                starting.countDown();
            }
            return script.answer(call, n);
        });
        AcceleratorStart start = new AcceleratorStart(() -> new Found(gpu.engine(), null), () -> process, process);
        Engines.install(new EngineSelector(new CpuEngine(), start));
    }

    private void installHanging() {
        install(1, (call, n) -> call == Call.RETAIN_CONTEXT ? Script.HANG : 0);
    }

    @AfterEach
    void uninstall() {
        Engines.install(null);
        if (gpu != null) {
            gpu.driver().endHangs();
            gpu.close();
        }
    }

    /** A source that says that so much more is to come. */
    private InputStream announcing(long bytes) {
        return new ByteArrayInputStream(file) {
            @Override
            public synchronized int available() {
                return super.available() == 0 ? 0 : (int) bytes;
            }
        };
    }

    private static long counted(String name) {
        return Metrics.counter(name).sum();
    }

    private static long decodedByDevices() {
        return counted("decode.gzip.gpu.bytesOut");
    }

    private void requireRead(InputStream gzip) throws IOException {
        try (InputStream in = gzip) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
    }

    private long driverCalls() {
        long calls = 0;
        for (Call call : Call.values()) {
            calls += gpu.driver().count(call);
        }
        return calls;
    }

    private void readAndWriteAllThatDevicesDo() throws IOException {
        for (GpuStreams kind : GpuStreams.values()) {
            CodecOptions auto = kind.options.withMode(Mode.AUTO);
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            try (OutputStream out = new ChunkedOutputStream(sink, kind.format, auto)) {
                out.write(raw);
            }
            byte[] written = sink.toByteArray();
            requireRead(new ChunkedInputStream(new ByteArrayInputStream(written), kind.format, auto));
        }
        requireRead(new ChunkedInputStream(announcing(40_000_000), Format.GZIP, OPTIONS));
        requireRead(splitTo(40_000_000));
    }

    @Test
    void aShortTaskMakesNoDriverCall() throws IOException {
        process.saved(SECOND);
        process.lived(10 * SECOND);
        installHanging();
        readAndWriteAllThatDevicesDo();
        assertThat(driverCalls()).isZero();
    }

    @Test
    void shortTasksSideBySideMakeNoDriverCall() throws IOException {
        for (int task = 0; task < 8; task++) {
            process = new ScriptedProcess();
            process.lived(task * SECOND);
            process.saved(task * SECOND / 2);
            if (gpu != null) {
                uninstall();
            }
            installHanging();
            requireRead(new ChunkedInputStream(announcing(40_000_000), Format.GZIP, OPTIONS));
            assertThat(driverCalls()).isZero();
        }
    }

    @Test
    void aLongLivedProcessStartsDevicesAndNoStreamWaitsForThem() throws Exception {
        process.saved(2 * SECOND);
        process.lived(20 * SECOND);
        installHanging();
        long decoded = decodedByDevices();
        requireRead(new ChunkedInputStream(announcing(file.length), Format.GZIP, OPTIONS));
        starting.await();
        requireRead(new ChunkedInputStream(announcing(file.length), Format.GZIP, OPTIONS));
        assertThat(decodedByDevices()).as("both while devices start").isEqualTo(decoded);
        gpu.driver().endHangs();
        assertThat(gpu.engine().awaitStart(60 * SECOND)).isTrue();
        requireRead(new ChunkedInputStream(announcing(file.length), Format.GZIP, OPTIONS));
        assertThat(decodedByDevices() - decoded).isGreaterThan(raw.length / 2);
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Does it, while the devices start: the driver goes on only after the work has begun to wait for it. */
    private void requireThatDevicesDo(Work work) throws Exception {
        process.step(NO_WAIT_ENDS);
        installHanging();
        long startingBefore = counted("fallback.decode.gzip.pool-starting");
        long decoded = decodedByDevices();
        Thread later = new Thread(() -> {
            try {
                starting.await();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            gpu.driver().endHangs();
        });
        later.start();
        work.run();
        later.join();
        assertThat(decodedByDevices() - decoded).isGreaterThan(raw.length / 2);
        assertThat(counted("fallback.decode.gzip.pool-starting")).isEqualTo(startingBefore);
    }

    @Test
    void aLongStreamWaitsForDevicesThatStart() throws Exception {
        process.measured(30 * SECOND);
        requireThatDevicesDo(() -> requireRead(splitTo(WORTH_ANY_WAIT)));
    }

    @Test
    void aStreamOfAGigabyteIsLongEnough() throws Exception {
        requireThatDevicesDo(() -> requireRead(new ChunkedInputStream(announcing(GIGABYTE), Format.GZIP, OPTIONS)));
    }

    /** The whole file as a split that says to end there; its source says nothing of the kind. */
    private InputStream splitTo(long end) {
        ByteArrayInputStream source = new ByteArrayInputStream(file);
        SplitRange range = new SplitRange(0, end, offset -> {
            source.reset();
            source.skipNBytes(offset);
        });
        return new ChunkedInputStream(source, Format.GZIP, OPTIONS, range);
    }

    @Test
    void aLongSplitWaitsForDevicesThatStart() throws Exception {
        requireThatDevicesDo(() -> requireRead(splitTo(GIGABYTE)));
    }

    @Test
    void anIndexWaitsForDevicesThatStart() throws Exception {
        requireThatDevicesDo(
                () -> GzipIndexer.index(() -> announcing(GIGABYTE), GzipIndexer.SPACING_BYTES, OPTIONS, 1));
    }

    @Test
    void oneDeviceOfTwoIsEnough() throws IOException {
        process.step(NO_WAIT_ENDS);
        install(2, (call, n) -> call == Call.RETAIN_CONTEXT && n == 1 ? Script.HANG : 0);
        long decoded = decodedByDevices();
        requireRead(splitTo(WORTH_ANY_WAIT));
        assertThat(decodedByDevices() - decoded).isGreaterThan(raw.length / 2);
    }

    @Test
    void noStreamWaitsForDevicesThatWillNotRun() throws IOException {
        process.step(NO_WAIT_ENDS);
        install(2, (call, n) -> call == Call.RETAIN_CONTEXT ? ScriptedDriver.UNKNOWN : 0);
        requireRead(splitTo(WORTH_ANY_WAIT));
        assertThat(gpu.pool().unavailableReason()).isNotNull();
    }

    @Test
    void aLongStreamWaitsForNothingWhileAnotherProcessStartsDevices() throws IOException {
        process.turnTaken(true);
        installHanging();
        requireRead(splitTo(WORTH_ANY_WAIT));
        assertThat(driverCalls()).isZero();
    }

    /** The scripted clock runs past the limit as soon as the start has begun. */
    @Test
    void aStartThatTakesTooLongIsNotWaitedForByAnyStream() throws IOException {
        process.step(3 * SECOND);
        installHanging();
        long decoded = decodedByDevices();
        requireRead(splitTo(GIGABYTE));
        requireRead(splitTo(GIGABYTE));
        assertThat(decodedByDevices()).isEqualTo(decoded);
    }

    @Test
    void aStreamThatWaitsCanBeInterrupted() {
        process.step(NO_WAIT_ENDS);
        installHanging();
        InputStream in = splitTo(WORTH_ANY_WAIT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** A JVM in which neither the search for devices nor their start returns ends when its main method does. */
    @Test
    void theEndOfAProcessDoesNotWaitForAStart() throws Exception {
        Process child = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndsWhileDevicesStart.class.getName()))
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(child.waitFor(300, TimeUnit.SECONDS))
                    .as("the process has ended")
                    .isTrue();
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains("read while devices started");
            assertThat(child.exitValue()).as(said).isZero();
        } finally {
            child.destroyForcibly();
        }
    }

    /** Main class of that JVM. */
    static final class EndsWhileDevicesStart {
        public static void main(String[] arguments) throws Exception {
            GpuStartTest test = new GpuStartTest();
            test.installHanging();
            test.gpu.pool().start();
            test.starting.await();
            CountDownLatch searching = new CountDownLatch(1);
            test.process.saved(100 * SECOND);
            test.process.lived(100 * SECOND);
            AcceleratorStart start = new AcceleratorStart(
                    () -> {
                        searching.countDown();
                        while (true) {
                            LockSupport.park();
                        }
                    },
                    () -> test.process,
                    test.process);
            Engines.install(new EngineSelector(new CpuEngine(), start));
            test.requireRead(new ChunkedInputStream(new ByteArrayInputStream(test.file), Format.GZIP, OPTIONS));
            searching.await();
            System.out.println("read while devices started");
        }
    }
}
