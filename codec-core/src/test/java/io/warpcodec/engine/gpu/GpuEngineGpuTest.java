package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams on the GPU engine of this machine. */
@GpuTest
class GpuEngineGpuTest {
    private static final long SOAK_SECONDS = Long.getLong("warpcodec.soak.seconds", 20);
    private static final int DAMAGED_FILES = Integer.getInteger("warpcodec.damaged.files", 200);

    @BeforeAll
    static void waitForDevices() {
        GpuStreams.startedDevices();
    }

    private static byte[] read(GpuStreams kind, byte[] file, Mode mode) throws IOException {
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, kind.options.withMode(mode))) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everySizeIsReadAndTheDeviceDoesIt(GpuStreams kind) throws IOException {
        for (int size : new int[] {1, 100, 65535, 65536, 65537, 131072, 300_000, 5_000_000, 60_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            byte[] file = kind.write(raw, 128 << 10);
            long before = kind.deviceChunks();
            assertThat(Arrays.equals(read(kind, file, Mode.GPU), raw)).isTrue();
            assertThat(kind.deviceChunks()).isGreaterThan(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedFilesAreRejectedAsByTheCpu(GpuStreams kind) throws IOException {
        long seed = TestSeed.value();
        Random random = new Random(seed);
        byte[] file = kind.write(GpuStreams.mixture(1_500_000, seed), 64 << 10);
        for (int round = 0; round < DAMAGED_FILES; round++) {
            byte[] bad = file.clone();
            for (int defects = 1 + random.nextInt(3); defects > 0; defects--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThat(outcome(kind, bad, Mode.GPU))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(outcome(kind, bad, Mode.CPU));
        }
    }

    private static String outcome(GpuStreams kind, byte[] file, Mode mode) {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        String error = "";
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, kind.options.withMode(mode))) {
            in.transferTo(got);
        } catch (IOException failed) {
            error = failed.toString();
        }
        return got.size() + " bytes, " + Arrays.hashCode(got.toByteArray()) + ", " + error;
    }

    @Test
    void thirtyTwoThreadsReadRightForAWhile() throws Exception {
        long seed = TestSeed.value();
        long lostBefore = Metrics.counter("pool.devices-lost").sum();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOAK_SECONDS);
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        AtomicLong bytes = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int index = 0; index < 32; index++) {
            GpuStreams kind = GpuStreams.values()[index % GpuStreams.values().length];
            byte[] raw = GpuStreams.mixture(300_000 + 700_000 * index, seed + index);
            byte[] file = kind.write(raw, index % 2 == 0 ? 64 << 10 : 256 << 10);
            Thread thread = new Thread(() -> {
                try {
                    while (System.nanoTime() < end && wrong.get() == null) {
                        assertThat(Arrays.equals(read(kind, file, Mode.GPU), raw))
                                .isTrue();
                        bytes.addAndGet(raw.length);
                    }
                } catch (Throwable failed) {
                    wrong.set(failed);
                }
            });
            threads.add(thread);
        }
        long start = System.nanoTime();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "soak: %.2f GB in %.1f s, seed %d%n", bytes.get() / 1e9, (System.nanoTime() - start) / 1e9, seed);
        Metrics.snapshot().forEach((name, value) -> {
            if (value > 0 && (name.startsWith("pool.") || name.startsWith("fallback.") || name.contains(".gpu."))) {
                System.out.println(name + " " + value);
            }
        });
        assertThat(wrong.get()).as("seed %d", seed).isNull();
        assertThat(Metrics.counter("pool.devices-lost").sum()).isEqualTo(lostBefore);
    }
}
