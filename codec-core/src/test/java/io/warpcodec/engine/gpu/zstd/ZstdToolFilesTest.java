package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the tool {@code zstd}, with the options that change a frame: read by the CPU and by scripted devices. */
class ZstdToolFilesTest {
    private static final Path TOOL = Path.of("/usr/bin/zstd");
    private static final int REPEATED_BYTES = 1 << 20;
    private static final int MOST_DEVICE_WINDOW_BYTES = 8 << 20;

    /** Room for the windows of all levels but --ultra. */
    private static final PoolLimits LIMITS =
            new PoolLimits(480 << 20, 200 << 20, 8 << 20, 0, TimeUnit.MINUTES.toNanos(5));

    private final Random random = new Random(TestSeed.value());

    @TempDir
    private Path folder;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, LIMITS).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static boolean hasTool() {
        return Files.isExecutable(TOOL);
    }

    /** Compresses by the tool from a pipe or, with a size among the options, as from a file. */
    private byte[] byTool(byte[] raw, String... options) throws IOException, InterruptedException {
        Path from = Files.write(folder.resolve("raw"), raw);
        Path to = folder.resolve("raw.zst");
        List<String> command = new ArrayList<>(List.of(TOOL.toString(), "-q", "-c"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectInput(from.toFile())
                .redirectOutput(to.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).as("%s", command).isZero();
        return Files.readAllBytes(to);
    }

    private byte[] longByTool(byte[] raw, int windowLog) throws IOException, InterruptedException {
        if (hasTool()) {
            return byTool(raw, "-3", "--long=" + windowLog);
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(file, 3).setLong(windowLog)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    private static ZstdFrameHeader header(byte[] file) {
        return ZstdFrameHeader.at(new BufferWindow(ByteBuffer.wrap(file), 0), 0);
    }

    private static long counted(String name) {
        return Metrics.counter(name).sum();
    }

    private static byte[] read(byte[] file, Mode mode) throws IOException {
        CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, options)) {
            return in.readAllBytes();
        }
    }

    /** Reads a file in both modes; returns how many bytes devices decoded. */
    private static long requireReadRight(String what, byte[] file, byte[] raw) throws IOException {
        assertThat(Arrays.mismatch(read(file, Mode.CPU), raw))
                .as("%s, CPU", what)
                .isEqualTo(-1);
        long before = counted("decode.zstd.gpu.bytesOut");
        assertThat(Arrays.mismatch(read(file, Mode.GPU), raw))
                .as("%s, GPU", what)
                .isEqualTo(-1);
        return counted("decode.zstd.gpu.bytesOut") - before;
    }

    /** A text, noise longer than half of the window, and the text again. */
    private byte[] repeatedFarAway(int windowLog) {
        byte[] text = GpuStreams.text(REPEATED_BYTES, TestSeed.value());
        byte[] raw = new byte[(1 << windowLog - 1) + 3 * REPEATED_BYTES];
        random.nextBytes(raw);
        System.arraycopy(text, 0, raw, 0, text.length);
        System.arraycopy(text, 0, raw, raw.length - text.length, text.length);
        return raw;
    }

    /** The second text is a match of more than half of the window, so the window is needed. */
    @ParameterizedTest
    @ValueSource(ints = {25, 26, 27})
    void windowsAboveDevicesAreLibzstds(int windowLog) throws Exception {
        byte[] raw = repeatedFarAway(windowLog);
        byte[] file = longByTool(raw, windowLog);
        int others = raw.length - REPEATED_BYTES;
        assertThat(header(file).windowBytes()).isEqualTo(1L << windowLog);
        assertThat(file.length).as("a match far away").isLessThan(others);
        long sessions = counted("fallback.decode.zstd.session");
        assertThat(requireReadRight("--long=" + windowLog, file, raw)).isZero();
        assertThat(counted("fallback.decode.zstd.session") - sessions).isOne();
    }

    /** The longest window of devices. Without long leases they have the first segment, and libzstd the rest. */
    @Test
    void aWindowOf8MiBIsBegunOnDevices() throws Exception {
        Assumptions.assumeTrue(hasTool(), "zstd is not installed");
        byte[] raw = new byte[16 << 20];
        random.nextBytes(raw);
        byte[] text = GpuStreams.text(4 << 20, TestSeed.value());
        System.arraycopy(text, 0, raw, 0, text.length);
        System.arraycopy(text, 0, raw, 7 << 20, text.length);
        byte[] file = byTool(raw, "-3", "--zstd=wlog=23", "--long=23");
        assertThat(header(file).windowBytes()).isEqualTo(MOST_DEVICE_WINDOW_BYTES);
        assertThat(file.length).as("matches far away").isLessThan(byTool(raw, "-3").length - (512 << 10));
        long sessions = counted("fallback.decode.zstd.session");
        assertThat(requireReadRight("a window of 8 MiB", file, raw)).isGreaterThan(raw.length / 4);
        assertThat(counted("fallback.decode.zstd.session") - sessions).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9, 19})
    void everyLevelIsReadFromPipesAndFiles(int level) throws Exception {
        Assumptions.assumeTrue(hasTool(), "zstd is not installed");
        byte[] raw = GpuStreams.mixture(level == 19 ? 4_000_000 : 12_000_000, TestSeed.value());
        byte[] piped = byTool(raw, "-" + level);
        byte[] sized = byTool(raw, "-" + level, "--stream-size=" + raw.length);
        assertThat(header(piped).hasContentSize()).isFalse();
        assertThat(header(sized).hasContentSize()).isTrue();
        for (byte[] file : List.of(piped, sized)) {
            assertThat(header(file).windowBytes()).isLessThanOrEqualTo(MOST_DEVICE_WINDOW_BYTES);
            String what = "level " + level + (file == piped ? ", piped" : ", sized");
            assertThat(requireReadRight(what, file, raw)).as(what).isGreaterThan(raw.length / 2);
        }
    }

    /** Jobs of several threads end where the content says so, and so do their blocks. */
    @Test
    void rsyncableFilesAreRead() throws Exception {
        Assumptions.assumeTrue(hasTool(), "zstd is not installed");
        byte[] raw = GpuStreams.mixture(16_000_000, TestSeed.value());
        byte[] file = byTool(raw, "-3", "-T2", "-B1M", "--rsyncable");
        byte[] other = byTool(raw, "-3", "-T2", "-B1M");
        assertThat(Arrays.equals(file, other)).as("the option has no effect").isFalse();
        assertThat(requireReadRight("--rsyncable", file, raw)).isGreaterThan(raw.length / 2);
    }
}
