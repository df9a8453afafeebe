package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.ScriptedDriver;
import io.warpcodec.device.ScriptedDriver.Call;
import io.warpcodec.device.ScriptedDriver.Script;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.GzipIndexer;
import io.warpcodec.stream.SplitRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first streams of a process, whose devices are still starting: what zlib has begun it keeps to the end. */
@Timeout(120)
class GpuStartTest {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final long FOREVER_NANOS = TimeUnit.SECONDS.toNanos(1000);
    private static final long GIGABYTE = 1_000_000_000;
    /** Whoever waits for this to the end does not come back within the test's time. */
    private static final long WORTH_ANY_WAIT = 1_000_000 * GIGABYTE;

    private final byte[] raw = GpuStreams.text(1_500_000, 21);
    private final byte[] file = gzip(raw);
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

    private void installHanging(long startPatienceNanos) {
        gpu = new ScriptedGpu(1, startPatienceNanos);
        gpu.driver().script((call, n) -> call == Call.RETAIN_CONTEXT ? Script.HANG : 0);
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.driver().endHangs();
        gpu.close();
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

    private void requireRead(InputStream gzip) throws IOException {
        try (InputStream in = gzip) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Does it while the devices start, which they have done a little later. */
    private void requireThatDevicesDo(Work work) throws Exception {
        installHanging(FOREVER_NANOS);
        long starting = counted("fallback.decode.gzip.pool-starting");
        long decoded = counted("decode.gzip.gpu.bytesOut");
        Thread later = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            gpu.driver().endHangs();
        });
        later.start();
        work.run();
        later.join();
        assertThat(counted("decode.gzip.gpu.bytesOut") - decoded).isGreaterThan(raw.length / 2);
        assertThat(counted("fallback.decode.gzip.pool-starting")).isEqualTo(starting);
    }

    @Test
    void aLongStreamWaitsForDevicesThatStart() throws Exception {
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
        gpu = new ScriptedGpu(2, FOREVER_NANOS);
        gpu.driver().script((call, n) -> call == Call.RETAIN_CONTEXT && n == 1 ? Script.HANG : 0);
        Engines.installAccelerator(gpu.engine());
        long decoded = counted("decode.gzip.gpu.bytesOut");
        requireRead(splitTo(WORTH_ANY_WAIT));
        assertThat(counted("decode.gzip.gpu.bytesOut") - decoded).isGreaterThan(raw.length / 2);
    }

    @Test
    void nobodyWaitsForDevicesThatWillNotRun() throws IOException {
        gpu = new ScriptedGpu(2, FOREVER_NANOS);
        gpu.driver().failAll(Call.RETAIN_CONTEXT, ScriptedDriver.UNKNOWN);
        Engines.installAccelerator(gpu.engine());
        requireRead(splitTo(WORTH_ANY_WAIT));
        assertThat(gpu.pool().absence()).isNotNull();
    }

    @Test
    void aShortStreamIsTheCpusBeforeTheyRun() throws IOException {
        installHanging(FOREVER_NANOS);
        long starting = counted("fallback.decode.gzip.pool-starting");
        requireRead(new ChunkedInputStream(announcing(0), Format.GZIP, OPTIONS));
        requireRead(new ChunkedInputStream(announcing(file.length), Format.GZIP, OPTIONS));
        assertThat(gpu.pool().isRunning()).isFalse();
        assertThat(counted("fallback.decode.gzip.pool-starting") - starting).isEqualTo(2);
    }

    @Test
    void streamsTogetherWaitNoLongerThanOneWould() throws IOException {
        long patienceNanos = TimeUnit.SECONDS.toNanos(2);
        installHanging(patienceNanos);
        long[] nanos = new long[2];
        for (int stream = 0; stream < nanos.length; stream++) {
            long start = System.nanoTime();
            requireRead(new ChunkedInputStream(announcing(GIGABYTE), Format.GZIP, OPTIONS));
            nanos[stream] = System.nanoTime() - start;
        }
        assertThat(nanos[0]).isGreaterThanOrEqualTo(patienceNanos - TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(nanos[1]).isLessThan(patienceNanos);
    }

    @Test
    void whoeverWaitsCanBeInterrupted() {
        installHanging(FOREVER_NANOS);
        InputStream in = new ChunkedInputStream(announcing(GIGABYTE), Format.GZIP, OPTIONS);
        Thread.currentThread().interrupt();
        assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
