package io.warpcodec.engine.gpu;

import static io.warpcodec.engine.gpu.StrongFilesContract.encodedChunks;
import static io.warpcodec.engine.gpu.StrongFilesContract.in;
import static io.warpcodec.engine.gpu.StrongFilesContract.onCpu;
import static io.warpcodec.engine.gpu.StrongFilesContract.requireReadable;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.HostKernels;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.engine.gpu.scripted.WrongKernels;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.StreamRig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of strong levels on scripted devices that get some of them wrong, or fail. */
class StrongChunksTest {
    private static final int CHUNK_BYTES = 128 << 10;
    private static final int CHUNKS = 5;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        install(HostKernels.all());
    }

    private void install(Map<String, Kernel> kernels) {
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits(), kernels).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    private void replace(Map<String, Kernel> kernels) {
        uninstall();
        install(kernels);
    }

    static Stream<Arguments> strongLevelsAndWays() {
        return Stream.of(WrongKernels.Way.values())
                .flatMap(way -> Stream.of(
                        Arguments.of(Format.ZSTD, 19, way),
                        Arguments.of(Format.GZIP, 9, way),
                        Arguments.of(Format.ZLIB, 9, way),
                        Arguments.of(Format.LZ4, 12, way)));
    }

    private static long sum(String family, Format format, String name) {
        return Metrics.counter(family + "." + format.word() + "." + name).sum();
    }

    /** The first and the third chunk are wrong. */
    @ParameterizedTest
    @MethodSource("strongLevelsAndWays")
    void chunkThatDeviceGotWrongIsFoundAndTheCpusAndCounted(Format format, int level, WrongKernels.Way way)
            throws IOException {
        byte[] raw = GpuStreams.text(CHUNKS * CHUNK_BYTES - 1000, TestSeed.value());
        WrongKernels.mark(raw, 0);
        WrongKernels.mark(raw, 2 * CHUNK_BYTES);
        CodecOptions options = CodecOptions.DEFAULTS
                .withMode(Mode.GPU)
                .withLevel(level)
                .withChunkBytes(CHUNK_BYTES)
                .withVerifyWrites(1);
        String first = inner(options, format, raw, 0, Mode.CPU);
        String third = inner(options, format, raw, 2, Mode.CPU);
        String last = inner(options, format, raw, CHUNKS - 1, Mode.GPU);
        String firstOfDevice = inner(options, format, raw, 0, Mode.GPU);
        replace(WrongKernels.all(way));
        long checked = sum("verify", format, "chunks");
        long mismatches = sum("verify", format, "mismatches");
        long replaced = sum("fallback.encode", format, FallbackReason.VERIFY_MISMATCH.word());
        long ofDevices = encodedChunks(format);
        byte[] file = new StreamRig(format, options).write(raw);
        assertThat(encodedChunks(format) - ofDevices).isEqualTo(CHUNKS);
        assertThat(sum("verify", format, "mismatches") - mismatches).isEqualTo(2);
        assertThat(sum("fallback.encode", format, FallbackReason.VERIFY_MISMATCH.word()) - replaced)
                .isEqualTo(2);
        assertThat(sum("verify", format, "chunks") - checked)
                .as("all, and both of the CPU")
                .isEqualTo(CHUNKS + 2);
        requireReadable("our CPU engine", in(onCpu(format).read(file)), raw);
        String bytes = new String(file, StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(first)).as("the first of the CPU").isTrue();
        assertThat(bytes.contains(firstOfDevice)).as("the first of a device").isFalse();
        if (format != Format.ZLIB) { // its chunks depend on those before
            assertThat(bytes.contains(third)).as("the third of the CPU").isTrue();
            assertThat(bytes.contains(last)).as("the last of a device").isTrue();
        }
    }

    /** Half of the bytes of a chunk, as a file of its own has them. */
    private static String inner(CodecOptions options, Format format, byte[] raw, int chunk, Mode mode)
            throws IOException {
        int from = chunk * CHUNK_BYTES;
        byte[] own = Arrays.copyOfRange(raw, from, Math.min(raw.length, from + CHUNK_BYTES));
        byte[] file = new StreamRig(format, options.withMode(mode)).write(own);
        return new String(file, file.length / 4, file.length / 2, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({"ZSTD, 19", "GZIP, 9", "ZLIB, 9", "LZ4, 12"})
    void whatDevicesWroteHoldsWhenItIsVerified(Format format, int level) throws IOException {
        byte[] raw = GpuStreams.text(1_500_000, TestSeed.value());
        CodecOptions options = CodecOptions.DEFAULTS
                .withMode(Mode.GPU)
                .withLevel(level)
                .withChunkBytes(100_000)
                .withVerifyWrites(1);
        long checked = sum("verify", format, "chunks");
        long mismatches = sum("verify", format, "mismatches");
        long ofDevices = encodedChunks(format);
        byte[] file = new StreamRig(format, options).write(raw);
        requireReadable("our CPU engine", in(onCpu(format).read(file)), raw);
        assertThat(encodedChunks(format) - ofDevices).isEqualTo(15);
        assertThat(sum("verify", format, "chunks") - checked).isEqualTo(15);
        assertThat(sum("verify", format, "mismatches")).isEqualTo(mismatches);
    }

    /** Whichever call of a wave by price fails, zlib makes its chunks, and each is counted. */
    @ParameterizedTest
    @CsvSource({
        "GZIP, UPLOAD",
        "GZIP, LAUNCH",
        "GZIP, DOWNLOAD",
        "GZIP, WORK",
        "GZIP, IS_DONE",
        "ZLIB, LAUNCH",
        "ZLIB, DOWNLOAD"
    })
    void anyCallMayFailWhileDeflateIsWrittenByPrice(Format format, ScriptedDriver.Call call) throws IOException {
        byte[] raw = GpuStreams.text(600_000, TestSeed.value());
        CodecOptions options =
                CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(9).withChunkBytes(256 << 10);
        StreamRig rig = new StreamRig(format, options);
        int failures = 0;
        for (int n = 1; n <= (call == ScriptedDriver.Call.IS_DONE ? 2 : Integer.MAX_VALUE); n++) {
            replace(HostKernels.all());
            long before = sum("fallback.encode", format, FallbackReason.DRIVER_ERROR.word());
            gpu.driver().failNth(call, n, ScriptedDriver.INVALID_VALUE);
            byte[] file = rig.write(raw);
            if (gpu.driver().count(call) < n) {
                break;
            }
            failures++;
            assertThat(sum("fallback.encode", format, FallbackReason.DRIVER_ERROR.word()) - before)
                    .as("chunks of zlib after call %d", n)
                    .isBetween(1L, 3L);
            InputStream reader =
                    format == Format.GZIP ? new GZIPInputStream(in(file)) : new InflaterInputStream(in(file));
            requireReadable("the JDK after call " + n, reader, raw);
            long chunks = encodedChunks(format);
            rig.write(raw);
            assertThat(encodedChunks(format) - chunks).as("the device goes on").isEqualTo(3);
        }
        assertThat(failures).isPositive();
    }
}
