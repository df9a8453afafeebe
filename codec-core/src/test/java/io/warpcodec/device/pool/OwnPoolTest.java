package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.metrics.FallbackReason;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OwnPoolTest {
    private static final PoolLimits LIMITS =
            new PoolLimits(16 << 20, 8 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(10));

    @Test
    void aSecondCopyOfTheClassesGetsNoPoolUntilTheFirstIsClosed() throws Exception {
        WavePrograms none = device -> Map.of();
        // another class of this JVM may have opened the pool of its devices
        String owner = System.clearProperty(OwnPool.OWNER_PROPERTY);
        try (OwnPool first = OwnPool.open(List.of(), LIMITS, none, name -> new LongAdder())
                        .orElseThrow();
                URLClassLoader other = otherLoader()) {
            assertThat(first.unavailableReason()).isEqualTo(FallbackReason.NO_DEVICE);
            assertThat(openIn(other)).isEmpty();
            first.close();
            Optional<?> second = openIn(other);
            assertThat(second).isPresent();
            ((AutoCloseable) second.get()).close();
            assertThat(System.getProperty(OwnPool.OWNER_PROPERTY)).isNull();
        } finally {
            if (owner != null) {
                System.setProperty(OwnPool.OWNER_PROPERTY, owner);
            }
        }
    }

    private static Optional<?> openIn(ClassLoader loader) throws Exception {
        Class<?> pool = loader.loadClass(OwnPool.class.getName());
        Class<?> limits = loader.loadClass(PoolLimits.class.getName());
        Class<?> programs = loader.loadClass(WavePrograms.class.getName());
        assertThat(pool).isNotSameAs(OwnPool.class);
        Object limitsThere = limits.getConstructor(long.class, long.class, int.class, long.class, long.class)
                .newInstance(16L << 20, 8L << 20, 2 << 20, 0L, 1L);
        Function<String, LongAdder> counters = name -> new LongAdder();
        return (Optional<?>) pool.getMethod("open", List.class, limits, programs, Function.class)
                .invoke(null, List.of(), limitsThere, null, counters);
    }

    private static URLClassLoader otherLoader() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void aTaskThatHasItsResultsFindsThemCounted() throws Exception {
        ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
        WavePrograms programs = device -> Map.of("empty", new EmptyProgram());
        AtomicReference<DeviceLease> watched = new AtomicReference<>();
        List<Boolean> doneWhenCounted = Collections.synchronizedList(new ArrayList<>());
        Function<String, LongAdder> counters = name -> {
            if (name.equals("pool.leases")) {
                doneWhenCounted.add(watched.get().isOver());
            }
            return new LongAdder();
        };
        try (OwnPool pool = driver.openPool(LIMITS, programs, counters)) {
            pool.start();
            pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
            try (DeviceLease lease = pool.tryLease("empty", 1000, 1000, 1)) {
                watched.set(lease);
                lease.submit(new LocalJob(1));
                assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
                assertThat(doneWhenCounted).containsExactly(false);
            }
        }
    }

    /** A step that does nothing. */
    private static final class EmptyProgram implements WaveProgram {
        @Override
        public long workspaceBytes(int entryCount) {
            return 256;
        }

        @Override
        public boolean advance(Wave wave, int step) {
            return step == 0;
        }

        @Override
        public void close() {}
    }

    @Test
    void schedulersNameDevicesInThreeWays() {
        DeviceInfo device =
                new DeviceInfo(3, "x", 9, 0, 1, 1, "0000:65:00.0", "GPU-5f2a11aa-0000-1111-2222-333344445555");
        assertThat(List.of("3", " 3 ", "0000:65:00.0", "GPU-5f2a", "gpu-5F2A11aa-0000-1111-2222-333344445555"))
                .allMatch(device::hasAddress);
        assertThat(List.of("0", "33", "", "GPU-", "GPU-5f2b", "0000:66:00.0")).noneMatch(device::hasAddress);
    }
}
