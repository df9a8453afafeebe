package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases of more output than a wave: which programs get them, where, and that they share their wave with no other. */
class LongLeaseTest {
    private static final int MEBI = 1 << 20;
    private static final int WAVE_BYTES = 2 * MEBI;
    /** Of twelve slots: 2.5 MiB of input, 4 of output, tables. */
    private static final long ENOUGH_BYTES = 12 * (13 * MEBI / 2 + 256);

    private final ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
    private final List<DeviceLease> leases = new ArrayList<>();
    private OwnPool pool;

    /** Downloads all output, and notes how many leases its waves had; the first wave waits to be let go. */
    private static final class Downloads implements WaveProgram {
        private final List<Integer> waves = new CopyOnWriteArrayList<>();
        private final CountDownLatch letGo = new CountDownLatch(1);
        private final boolean longLeases;

        Downloads(boolean longLeases) {
            this.longLeases = longLeases;
        }

        @Override
        public boolean takesLongLeases() {
            return longLeases;
        }

        @Override
        public long workspaceBytes(int entryCount) {
            return 256;
        }

        @Override
        public boolean advance(Wave wave, int step) throws DeviceException {
            if (step > 0) {
                return false;
            }
            waves.add(wave.shares().size());
            try {
                letGo.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            for (Wave.Share share : wave.shares()) {
                wave.download(share, ((Wave.LeaseShare) share).lease().outputBytes());
            }
            return true;
        }

        @Override
        public void close() {}
    }

    private final Downloads longer = new Downloads(true);
    private final Downloads others = new Downloads(false);

    private void open(long memoryBytes) throws InterruptedException {
        open(memoryBytes, 256L << 20);
    }

    private void open(long memoryBytes, long pinnedBytes) throws InterruptedException {
        PoolLimits limits = new PoolLimits(memoryBytes, pinnedBytes, WAVE_BYTES, 0, TimeUnit.SECONDS.toNanos(30));
        pool = driver.openPool(limits, device -> Map.of("longer", longer, "others", others), name -> new LongAdder());
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        assertThat(pool.isRunning()).isTrue();
    }

    @AfterEach
    void discard() {
        longer.letGo.countDown();
        leases.forEach(DeviceLease::close);
        leases.clear();
        pool.close();
        driver.discard();
    }

    private DeviceLease submit(String program, int outputBytes) {
        return submit(program, 1000, outputBytes);
    }

    private DeviceLease submit(String program, int inputBytes, int outputBytes) {
        DeviceLease lease = pool.tryLease(program, inputBytes, outputBytes, 1);
        assertThat(lease).as("%d bytes", outputBytes).isNotNull();
        lease.submit(new LocalJob(1));
        leases.add(lease);
        return lease;
    }

    @Test
    void aProgramThatTakesThemGetsTwiceAWave() throws Exception {
        open(ENOUGH_BYTES);
        longer.letGo.countDown();
        assertThat(pool.mostLeaseBytes()).isEqualTo(WAVE_BYTES);
        assertThat(pool.mostOutputBytes("longer")).isEqualTo(2 * WAVE_BYTES);
        assertThat(pool.mostOutputBytes("others")).isEqualTo(WAVE_BYTES);
        assertThat(pool.mostOutputBytes("unknown")).isZero();
        assertThat(submit("longer", 2 * WAVE_BYTES).await(DeviceLease.WITHOUT_BOUND))
                .isTrue();
        requireRefused("longer", 1000, 2 * WAVE_BYTES + 1);
        assertThat(pool.mostInputBytes("longer")).isEqualTo(WAVE_BYTES + WAVE_BYTES / 4);
        assertThat(pool.mostInputBytes("others")).isEqualTo(WAVE_BYTES);
        assertThat(submit("longer", WAVE_BYTES + WAVE_BYTES / 4, 1000).await(DeviceLease.WITHOUT_BOUND))
                .isTrue();
        requireRefused("longer", WAVE_BYTES + WAVE_BYTES / 4 + 1, 1000);
        requireRefused("others", WAVE_BYTES + 1, 1000);
        requireRefused("others", 1000, WAVE_BYTES + 1);
    }

    private void requireRefused(String program, int inputBytes, int outputBytes) {
        assertThat(pool.tryLease(program, inputBytes, outputBytes, 1)).isNull();
        assertThat(pool.refusalReason(program, inputBytes, outputBytes, 1)).isEqualTo(FallbackReason.OVER_MEMORY);
    }

    /** Twelve slots of whole waves come first. */
    @Test
    void whereMemoryIsShortNoProgramDoes() throws Exception {
        open(ENOUGH_BYTES - 1);
        assertThat(pool.mostLeaseBytes()).isEqualTo(WAVE_BYTES);
        assertThat(pool.mostOutputBytes("longer")).isEqualTo(WAVE_BYTES);
        requireRefused("longer", 1000, WAVE_BYTES + 1);
        assertThat(driver.streamCount()).isEqualTo(12);
    }

    /** A device's share of the page-locked memory is small where there are many devices. */
    @Test
    void noLeaseIsLongerThanPageLockedMemoryHolds() throws Exception {
        int longBytes = 2 * WAVE_BYTES + WAVE_BYTES + WAVE_BYTES / 4;
        open(ENOUGH_BYTES, longBytes);
        assertThat(pool.mostOutputBytes("longer")).isEqualTo(2 * WAVE_BYTES);
        assertThat(pool.tryLease("longer", WAVE_BYTES + WAVE_BYTES / 4, 2 * WAVE_BYTES, 1))
                .satisfies(leases::add)
                .isNotNull();
        requireFull("longer", 1000, 2 * WAVE_BYTES);
        discard();
        open(ENOUGH_BYTES, longBytes - 256);
        assertThat(pool.mostOutputBytes("longer")).isEqualTo(WAVE_BYTES);
        requireRefused("longer", WAVE_BYTES + WAVE_BYTES / 4, 2 * WAVE_BYTES);
        discard();
        open(ENOUGH_BYTES, WAVE_BYTES);
        int most = pool.mostLeaseBytes();
        assertThat(most).isBetween(WAVE_BYTES / 3, WAVE_BYTES / 2);
        assertThat(pool.mostOutputBytes("longer")).isEqualTo(most);
        requireRefused("others", most, 2 * most);
        assertThat(pool.mayLease("others", most, 2 * most, 1)).isFalse();
        assertThat(submit("longer", most + most / 4, most)).isNotNull();
        discard();
        open(ENOUGH_BYTES, 1000);
        assertThat(pool.tryLease("others", 256, 256, 1)).satisfies(leases::add).isNotNull();
    }

    private void requireFull(String program, int inputBytes, int outputBytes) {
        assertThat(pool.tryLease(program, inputBytes, outputBytes, 1)).isNull();
        assertThat(pool.refusalReason(program, inputBytes, outputBytes, 1)).isEqualTo(FallbackReason.POOL_FULL);
    }

    @Test
    void aLongLeaseIsAloneInItsWave() throws Exception {
        open(ENOUGH_BYTES);
        submit("longer", 1000);
        while (longer.waves.isEmpty()) {
            Thread.sleep(1);
        }
        // queued behind the wave that is held
        submit("longer", 2 * WAVE_BYTES);
        submit("longer", 1000);
        submit("longer", 1000);
        submit("longer", 2 * WAVE_BYTES);
        longer.letGo.countDown();
        for (DeviceLease lease : leases) {
            assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        }
        assertThat(longer.waves).containsExactly(1, 1, 2, 1);
    }
}
