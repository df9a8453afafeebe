package io.warpcodec.engine.gpu.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** bzip2 blocks that the GPU of this machine encodes, read by others. */
@GpuTest
class Bzip2EncodingGpuTest {
    private static final GpuStreams KIND = GpuStreams.BZIP2;
    private static final int THREADS = 16;

    @BeforeAll
    static void waitForDevices() {
        GpuStreams.startedDevices();
    }

    private static byte[] byCommons(byte[] file) throws IOException {
        try (BZip2CompressorInputStream in = new BZip2CompressorInputStream(new ByteArrayInputStream(file), false)) {
            return in.readAllBytes();
        }
    }

    private static CodecOptions options(int chunkBytes) {
        return KIND.options.withMode(Mode.GPU).withChunkBytes(chunkBytes);
    }

    /** Writes on the device, and has others read it. Answers the file. */
    private static byte[] check(byte[] raw, CodecOptions options, String what) throws IOException {
        byte[] file = KIND.write(raw, options);
        assertThat(Arrays.equals(byCommons(file), raw)).as(what).isTrue();
        return file;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1, 2, 3, 4, 5, 49, 50, 51, 100, 4095, 4096, 4097, 100_000, 889_999, 890_000, 890_001, 12_000_000})
    void everySizeIsWrittenTheSameOnEveryRun(int size) throws IOException {
        byte[] raw = GpuStreams.text(size, size);
        long before = KIND.deviceEncodedChunks();
        byte[] file = check(raw, options(890_000), size + " bytes");
        assertThat(KIND.deviceEncodedChunks()).isGreaterThan(before);
        assertThat(Arrays.equals(KIND.write(raw, options(890_000)), file)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void everyLevelIsAboutAsSmallAsTheCpus(int level) throws IOException {
        byte[] raw = GpuStreams.text(3_000_000, level);
        byte[] file = check(raw, options(890_000).withLevel(level), "level " + level);
        byte[] byCpu = KIND.write(raw, options(890_000).withLevel(level).withMode(Mode.CPU));
        assertThat((double) file.length / byCpu.length).isBetween(0.97, 1.02);
    }

    @Test
    void periodsRunsAndNoiseAreWrittenRight() throws IOException {
        Random random = new Random(TestSeed.value());
        for (int period = 1; period <= 300; period++) {
            byte[] raw = new byte[20_000 + random.nextInt(100)];
            for (int at = 0; at < raw.length; at++) {
                raw[at] = (byte) (at % period);
            }
            check(raw, options(20_000), "period " + period);
        }
        for (int run : new int[] {3, 4, 5, 254, 255, 256, 258, 259, 260, 511, 100_000}) {
            byte[] raw = new byte[600_000];
            for (int at = 0; at < raw.length; at++) {
                raw[at] = (byte) (at / run * 7);
            }
            check(raw, options(890_000), "runs of " + run);
        }
        byte[] noise = new byte[2_000_000];
        random.nextBytes(noise);
        check(noise, options(890_000), "noise");
        check(new byte[2_000_000], options(890_000), "zeros");
        StringBuilder shorter = new StringBuilder("a");
        StringBuilder longer = new StringBuilder("ab");
        while (longer.length() < 890_000) {
            StringBuilder sum = new StringBuilder(longer).append(shorter);
            shorter = longer;
            longer = sum;
        }
        check(
                longer.substring(0, 890_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                options(890_000),
                "Fibonacci");
    }

    /** Chunks of up to 8 MiB, whose text is much shorter: raw bytes have tiles of their own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 60, 100, 255, 256, 4096, 100_000, 20_000_000})
    void longRunsMakeLongChunks(int longest) throws IOException {
        Random random = new Random(TestSeed.value());
        byte[] raw = new byte[20_000_000];
        for (int at = 0; at < raw.length; ) {
            int limit = Math.min(raw.length, at + longest - random.nextInt(longest / 4 + 1));
            Arrays.fill(raw, at, limit, (byte) random.nextInt(4));
            at = limit;
        }
        long refused = KIND.encodeFallbacks("block-refused");
        byte[] file = check(raw, options(890_000), "runs of up to " + longest);
        assertThat(KIND.encodeFallbacks("block-refused")).isEqualTo(refused);
        byte[] byCpu = KIND.write(raw, options(890_000).withMode(Mode.CPU));
        assertThat((double) file.length / byCpu.length).isBetween(0.97, 1.02);
    }

    @Test
    void sixteenThreadsWriteAtOnce() throws Exception {
        long seed = TestSeed.value();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int index = 0; index < THREADS; index++) {
                byte[] raw = GpuStreams.mixture(4_000_000 + 300_000 * index, seed + index);
                tasks.add(() -> {
                    byte[] file = check(raw, options(890_000), "seed " + seed);
                    return Arrays.equals(KIND.write(raw, options(890_000)), file);
                });
            }
            for (Future<Boolean> task : threads.invokeAll(tasks)) {
                assertThat(task.get())
                        .as("the same bytes on every run, seed %d", seed)
                        .isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }
}
