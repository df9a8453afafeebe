package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scratch is lent to waves: who waits, who overtakes, and when it comes back. */
class ScratchLendingTest {
    private static final int MEBI = 1 << 20;
    private static final int WAVE_BYTES = 2 * MEBI;
    /** Memory for twelve slots without scratch, and some 18 MiB of scratch: a wide wave needs 16 MiB, and is alone. */
    private static final long MEMORY_BYTES = 12 * 5 * MEBI + 18 * MEBI + MEBI / 2;

    private final ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
    private final HeldProgram wide = new HeldProgram(8, true);
    private final HeldProgram narrow = new HeldProgram(2, true);
    private final HeldProgram bare = new HeldProgram(0, false);
    private final Map<String, WaveProgram> programs = Map.of("wide", wide, "narrow", narrow, "bare", bare);
    private final OwnPool pool = pool(MEMORY_BYTES, programs);
    private final List<DeviceLease> leases = new ArrayList<>();

    private OwnPool pool(long memoryBytes, Map<String, WaveProgram> known) {
        PoolLimits limits = new PoolLimits(memoryBytes, 256L << 20, WAVE_BYTES, 0, TimeUnit.SECONDS.toNanos(30));
        return driver.openPool(limits, device -> known, name -> new LongAdder());
    }

    private void start() throws InterruptedException {
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        assertThat(pool.isRunning()).isTrue();
    }

    @AfterEach
    void discard() {
        List.of(wide, narrow, bare).forEach(program -> program.letGo(10_000));
        leases.forEach(DeviceLease::close);
        pool.close();
        driver.discard();
        assertThat(wide.overwritten() + narrow.overwritten()).isZero();
    }

    /** A lease that fills a wave. */
    private DeviceLease submit(String program) {
        return submit(program, WAVE_BYTES);
    }

    private DeviceLease submit(String program, int bytes) {
        DeviceLease lease = pool.tryLease(program, 1000, bytes, 1);
        assertThat(lease).isNotNull();
        lease.submit(new LocalJob(1));
        leases.add(lease);
        return lease;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    /** Long enough for the device's thread to have looked at everything that is queued. */
    private void pause() throws InterruptedException {
        Thread.sleep(30);
    }

    @Test
    void aWaveWithoutScratchWaitsAndOthersGoOn() throws Exception {
        start();
        submit("wide");
        await(() -> wide.begun() == 1);
        DeviceLease second = submit("wide");
        bare.letGo(20);
        for (int i = 0; i < 20; i++) {
            assertThat(submit("bare").await(DeviceLease.WITHOUT_BOUND)).isTrue();
        }
        // what little is left is enough for a small wave
        narrow.letGo(1);
        assertThat(submit("narrow", MEBI / 2).await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(wide.begun()).isEqualTo(1);
        assertThat(second.isOver()).isFalse();
        wide.letGo(2);
        assertThat(second.await(DeviceLease.WITHOUT_BOUND)).isTrue();
    }

    @Test
    void whatWaitsFirstGetsTheMemoryFirst() throws Exception {
        start();
        for (int i = 0; i < 4; i++) {
            submit("narrow");
            int begun = i + 1;
            await(() -> narrow.begun() == begun);
        }
        submit("wide");
        for (int i = 0; i < 40; i++) {
            submit("narrow");
        }
        pause();
        int released = 0;
        while (wide.begun() == 0 && released < 20) {
            int ended = narrow.ended();
            narrow.letGo(1);
            released++;
            await(() -> narrow.ended() > ended);
            pause();
        }
        assertThat(released).as("waves that ended before the oldest one began").isLessThan(20);
        wide.letGo(1);
        narrow.letGo(44 - released);
        for (DeviceLease lease : leases) {
            assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        }
    }

    @Test
    void whatIsCancelledWaitsNoMore() throws Exception {
        start();
        submit("narrow");
        await(() -> narrow.begun() == 1);
        DeviceLease cancelled = submit("wide");
        // what is left beside the wide one's place is too little
        submit("narrow");
        pause();
        assertThat(narrow.begun()).isEqualTo(1);
        cancelled.close();
        await(() -> narrow.begun() == 2);
    }

    @Test
    void aWaveIsNoLargerThanAllOfTheScratch() throws Exception {
        List<HeldProgram> greedy = List.of(new HeldProgram(16, true), new HeldProgram(19, true));
        for (HeldProgram program : greedy) {
            try (OwnPool other = pool(MEMORY_BYTES, Map.of("greedy", program, "bare", bare))) {
                other.awaitStart(TimeUnit.SECONDS.toNanos(60));
                program.letGo(4);
                for (int i = 0; i < 4; i++) {
                    DeviceLease lease = other.tryLease("greedy", 1000, MEBI / 2, 1);
                    lease.submit(new LocalJob(1));
                    leases.add(lease);
                }
                for (DeviceLease lease : leases) {
                    assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
                }
                assertThat(program.begun()).isBetween(2, 4);
                leases.forEach(DeviceLease::close);
                leases.clear();
            }
        }
    }

    @Test
    void whatNeedsMoreThanAllOfItIsNeverAdmitted() throws Exception {
        HeldProgram huge = new HeldProgram(20, true);
        try (OwnPool other = pool(MEMORY_BYTES, Map.of("huge", huge, "bare", bare))) {
            other.awaitStart(TimeUnit.SECONDS.toNanos(60));
            assertThat(other.tryLease("huge", 1000, MEBI, 1)).isNull();
            assertThat(other.refusalReason("huge", 1000, MEBI, 1)).isEqualTo(FallbackReason.OVER_MEMORY);
            assertThat(other.refusalReason("huge", 1000, MEBI / 2, 1)).isEqualTo(FallbackReason.POOL_FULL);
            assertThat(other.refusalReason("none", 1000, MEBI, 1)).isEqualTo(FallbackReason.NO_KERNELS);
        }
    }

    @Test
    void aWaveThatFailsGivesItsScratchBack() throws Exception {
        start();
        for (int i = 0; i < 5; i++) {
            driver.failNth(Call.WORK, 2, ScriptedDriver.INVALID_VALUE);
            DeviceLease failed = submit("wide");
            wide.letGo(1);
            assertThat(failed.await(DeviceLease.WITHOUT_BOUND)).isFalse();
            assertThat(failed.failure()).isEqualTo(FallbackReason.DRIVER_ERROR);
        }
        driver.script((call, n) -> 0);
        assertThat(submit("wide").await(DeviceLease.WITHOUT_BOUND)).isTrue();
    }

    @Test
    void aWaveThatIsSplitGivesItsScratchBack() throws Exception {
        start();
        // every slot is taken, so that the two meet in the queue
        for (int i = 0; i < 12; i++) {
            submit("bare");
        }
        await(() -> bare.begun() >= 12);
        driver.failNth(Call.UPLOAD, 1, ScriptedDriver.OUT_OF_MEMORY);
        DeviceLease first = submit("wide", MEBI);
        DeviceLease second = submit("wide", MEBI);
        bare.letGo(12);
        wide.letGo(2);
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(second.await(DeviceLease.WITHOUT_BOUND)).isTrue();
    }

    @Test
    void aLostDeviceLendsNoMore() throws Exception {
        start();
        DeviceLease first = submit("wide");
        await(() -> wide.begun() == 1);
        DeviceLease waiting = submit("wide");
        pause();
        driver.failAll(Call.IS_DONE, ScriptedDriver.ILLEGAL_ADDRESS);
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isFalse();
        assertThat(waiting.await(DeviceLease.WITHOUT_BOUND)).isFalse();
        assertThat(waiting.failure()).isEqualTo(FallbackReason.DEVICE_LOST);
        assertThat(wide.begun()).isEqualTo(1);
        assertThat(driver.allocatedBytes())
                .as("memory that the device may still touch")
                .isPositive();
    }

    @Test
    void closingWaitsForWhatIsUnderWayAndWhatWaitsForScratch() throws Exception {
        start();
        DeviceLease first = submit("wide");
        await(() -> wide.begun() == 1);
        DeviceLease waiting = submit("wide");
        pause();
        Thread closer = new Thread(pool::close);
        closer.start();
        await(() -> pool.unavailableReason() == FallbackReason.POOL_CLOSED);
        wide.letGo(2);
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        assertThat(waiting.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        first.close();
        waiting.close();
        closer.join();
    }

    @Test
    void memoryIsWhatTheLimitAllowsAndProgramsThatDoNotWaitHaveScratchInAllSlots() throws Exception {
        HeldProgram sure = new HeldProgram(4, false);
        Map<String, WaveProgram> known = Map.of("wide", wide, "sure", sure);
        for (long memoryBytes : new long[] {30 * MEBI, 45 * MEBI, 100 * MEBI, 200 * MEBI, 400 * MEBI}) {
            int begun = sure.begun();
            try (OwnPool other = pool(memoryBytes, known)) {
                other.awaitStart(TimeUnit.SECONDS.toNanos(60));
                assertThat(driver.allocatedBytes()).isPositive().isLessThanOrEqualTo(memoryBytes);
                int slots = driver.streamCount();
                // five bytes in a slot for two of a wave, and four of scratch each; less than 39 MiB are too little for
                // large waves
                long slotBytes = memoryBytes < 39 * MEBI ? 13 * MEBI / 2 : 13 * MEBI;
                assertThat((long) slots).isEqualTo(Math.min(12, memoryBytes / (slotBytes + 2048)));
                for (int i = 0; i < slots; i++) {
                    DeviceLease lease = other.tryLease("sure", 1000, other.mostLeaseBytes(), 1);
                    lease.submit(new LocalJob(1));
                    leases.add(lease);
                }
                await(() -> sure.begun() == begun + slots);
                sure.letGo(slots);
                for (DeviceLease lease : leases) {
                    assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
                }
                leases.forEach(DeviceLease::close);
                leases.clear();
            }
            assertThat(driver.allocatedBytes()).isZero();
        }
    }

    @Test
    void aDeviceWithLessMemoryThanTheLimitHasLessScratch() throws Exception {
        expectSevenSlotsWithScratch(new ScriptedDriver(1, 100L * MEBI, Map.of(), List.of()));
    }

    @Test
    void whereOthersHoldMemoryAllSlotsThatAreLeftHaveScratch() throws Exception {
        expectSevenSlotsWithScratch(
                new ScriptedDriver(1, 400L * MEBI, Map.of(), List.of()).withOthersHolding(300L * MEBI));
    }

    /** A device with 100 MiB for slots of five MiB, each with eight of scratch for what does not wait. */
    private void expectSevenSlotsWithScratch(ScriptedDriver small) throws Exception {
        PoolLimits limits = new PoolLimits(400L * MEBI, 8 << 20, WAVE_BYTES, 0, TimeUnit.SECONDS.toNanos(30));
        HeldProgram sure = new HeldProgram(4, false);
        try (OwnPool other =
                small.openPool(limits, device -> Map.of("wide", wide, "sure", sure), name -> new LongAdder())) {
            other.awaitStart(TimeUnit.SECONDS.toNanos(60));
            assertThat(other.isRunning()).isTrue();
            assertThat(other.mostLeaseBytes()).isEqualTo(WAVE_BYTES);
            assertThat(small.streamCount()).isEqualTo(7);
            assertThat(small.allocatedBytes()).isLessThanOrEqualTo(100L * MEBI);
        }
        small.discard();
    }
}
