package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.engine.Drained;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pool of four and of eight devices whose waves stay under way until they are let go: which device gets a lease,
 * what each takes, and what a lost one leaves to the others.
 */
class ManyDevicesTest {
    private static final int MEBI = 1 << 20;
    private static final int WAVE_BYTES = MEBI;
    /** Four slots on each device. */
    private static final long MEMORY_BYTES = 11L * MEBI;
    /** Page-locked memory for each device. */
    private static final long SHARE_BYTES = 8L * MEBI;

    private static final long DEVICE_BYTES = 16L * MEBI;
    private static final String WORK = "work";

    private final List<HeldProgram> held = new ArrayList<>();
    private final List<DeviceLease> leases = new ArrayList<>();
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final AtomicLong jumpedNanos = new AtomicLong();
    private ScriptedDriver driver;
    private OwnPool pool;

    private static PoolLimits limits(long pinnedBytes) {
        return new PoolLimits(MEMORY_BYTES, pinnedBytes, WAVE_BYTES, 0, TimeUnit.MINUTES.toNanos(10));
    }

    private void open(int deviceCount) {
        open(Collections.nCopies(deviceCount, DEVICE_BYTES), limits(deviceCount * SHARE_BYTES));
    }

    /** Each device has a program of its own behind the name, so that a test sees whose waves these are. */
    private void open(List<Long> memoryBytes, PoolLimits limits) {
        driver = new ScriptedDriver(memoryBytes, Map.of(), List.of());
        memoryBytes.forEach(any -> held.add(new HeldProgram(0, false)));
        pool = driver.openPool(
                limits,
                device -> Map.of(WORK, held.get(device.info().ordinal())),
                name -> counters.computeIfAbsent(name, none -> new LongAdder()),
                () -> System.nanoTime() + jumpedNanos.get());
    }

    private void start() throws InterruptedException {
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        assertThat(pool.isRunning()).isTrue();
    }

    @AfterEach
    void close() {
        held.forEach(program -> program.letGo(100_000));
        driver.endHangs();
        leases.forEach(DeviceLease::close);
        pool.close();
        driver.discard();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    private DeviceLease lease(int outputBytes) {
        DeviceLease lease = pool.tryLease(WORK, 1000, outputBytes, 1);
        if (lease != null) {
            leases.add(lease);
        }
        return lease;
    }

    private DeviceLease submitted(int outputBytes) {
        DeviceLease lease = lease(outputBytes);
        assertThat(lease).isNotNull();
        lease.submit(new LocalJob(1));
        return lease;
    }

    private int[] begun() {
        return held.stream().mapToInt(HeldProgram::begun).toArray();
    }

    /** Lets every wave end, waits until all that was submitted is done, and holds the next ones again. */
    private void finish() throws InterruptedException {
        while (leases.stream().anyMatch(lease -> !lease.isOver())) {
            held.forEach(program -> program.letGo(1));
            Thread.sleep(1);
        }
        held.forEach(HeldProgram::holdAgain);
        leases.forEach(DeviceLease::close);
        leases.clear();
    }

    private static int[] each(int deviceCount, int value) {
        return IntStream.generate(() -> value).limit(deviceCount).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void wavesThatAreHeldAreSharedEvenly(int deviceCount) throws Exception {
        open(deviceCount);
        start();
        for (int wave = 0; wave < 3 * deviceCount; wave++) {
            submitted(WAVE_BYTES);
        }
        finish();
        assertThat(begun()).isEqualTo(each(deviceCount, 3));
    }

    /** Many tasks that fill their input at the same time must not all fill it for the device that was idle first. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void leasesThatAreFilledCountAsWork(int deviceCount) throws Exception {
        open(deviceCount);
        start();
        List<DeviceLease> filled = new ArrayList<>();
        for (int wave = 0; wave < 3 * deviceCount; wave++) {
            filled.add(lease(WAVE_BYTES));
        }
        filled.forEach(lease -> lease.submit(new LocalJob(1)));
        finish();
        assertThat(begun()).isEqualTo(each(deviceCount, 3));
        // what was filled and never submitted, or is done, is no work
        lease(WAVE_BYTES).close();
        leases.clear();
        for (int wave = 0; wave < 2; wave++) {
            submitted(WAVE_BYTES);
            finish();
        }
        assertThat(begun()[0]).as("the first of idle devices").isEqualTo(5);
    }

    /** Of tasks that have one lease after the other only those on the slow device wait. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void aSlowDeviceHoldsNoOthersWork(int deviceCount) throws Exception {
        open(deviceCount);
        start();
        HeldProgram slow = held.get(1);
        DeviceLease first = submitted(WAVE_BYTES);
        DeviceLease second = submitted(WAVE_BYTES);
        held.stream().filter(program -> program != slow).forEach(program -> program.letGo(100_000));
        assertThat(first.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        await(() -> slow.begun() == 1);
        for (int wave = 0; wave < 10 * deviceCount; wave++) {
            assertThat(submitted(WAVE_BYTES).await(DeviceLease.WITHOUT_BOUND)).isTrue();
            leases.get(leases.size() - 1).close();
        }
        assertThat(slow.begun()).isEqualTo(1);
        assertThat(second.isOver()).isFalse();
        slow.letGo(1);
        assertThat(second.await(DeviceLease.WITHOUT_BOUND)).isTrue();
    }

    /** Large leases fit no wave of the device that has little memory, and go round among the others. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void aDeviceOfLittleMemoryGetsWavesThatFitAndTheOthersShareTheRest(int deviceCount) throws Exception {
        int divisor = 8;
        long littleBytes = divisor * 9L * MEBI;
        long muchBytes = divisor * 16L * MEBI;
        int waveBytes = 2 * MEBI;
        List<Long> memoryBytes = new ArrayList<>(Collections.nCopies(deviceCount + 1, muchBytes));
        memoryBytes.set(0, littleBytes);
        open(
                memoryBytes,
                new PoolLimits(
                        muchBytes,
                        divisor,
                        memoryBytes.size() * SHARE_BYTES,
                        waveBytes,
                        0,
                        TimeUnit.MINUTES.toNanos(10)));
        start();
        assertThat(driver.mostAllocatedBytes(0)).isPositive().isLessThanOrEqualTo(littleBytes / divisor);
        for (int ordinal = 1; ordinal <= deviceCount; ordinal++) {
            assertThat(driver.mostAllocatedBytes(ordinal))
                    .as("device %d", ordinal)
                    .isGreaterThan(littleBytes / divisor)
                    .isLessThanOrEqualTo(muchBytes / divisor);
        }
        for (int wave = 0; wave < 2 * deviceCount; wave++) {
            submitted(waveBytes);
        }
        finish();
        int[] expected = each(deviceCount + 1, 2);
        expected[0] = 0;
        assertThat(begun()).isEqualTo(expected);
        submitted(waveBytes / 2);
        finish();
        assertThat(held.get(0).begun()).isEqualTo(1);
    }

    /** Each device lends its share, all of it comes back, and what finds none free is told so. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void littlePageLockedMemoryIsEveryDevicesInEqualShares(int deviceCount) throws Exception {
        long shareBytes = 3 * MEBI;
        open(Collections.nCopies(deviceCount, DEVICE_BYTES), limits(deviceCount * shareBytes));
        start();
        assertThat(driver.pinnedBytes()).isGreaterThanOrEqualTo(deviceCount * shareBytes);
        int inputBytes = MEBI / 4;
        int outputBytes = 3 * MEBI / 4;
        int fitting = (int) shareBytes / MEBI * deviceCount;
        List<FutureTask<Boolean>> tasks = new ArrayList<>();
        AtomicLong most = new AtomicLong();
        for (int task = 0; task < 2 * fitting; task++) {
            FutureTask<Boolean> waits = new FutureTask<>(() -> {
                DeviceLease[] got = new DeviceLease[1];
                boolean leased = pool.attempt(
                        () -> {
                            got[0] = pool.tryLease(WORK, inputBytes, outputBytes, 1);
                            return got[0] != null
                                    || pool.refusalReason(WORK, inputBytes, outputBytes, 1) != FallbackReason.POOL_FULL;
                        },
                        DeviceLease.WITHOUT_BOUND);
                try (DeviceLease lease = got[0]) {
                    most.accumulateAndGet(pool.lentBytes(), Math::max);
                    lease.submit(new LocalJob(1));
                    return lease.await(DeviceLease.WITHOUT_BOUND) && leased;
                }
            });
            Thread thread = new Thread(waits, "task " + task);
            thread.setDaemon(true);
            thread.start();
            tasks.add(waits);
        }
        await(() -> pool.lentBytes() == deviceCount * shareBytes && pool.isAwaited());
        await(() -> Arrays.stream(begun()).allMatch(waves -> waves > 0));
        held.forEach(program -> program.letGo(100_000));
        for (FutureTask<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        assertThat(most.get()).isEqualTo(deviceCount * shareBytes);
        Drained.await("page-locked bytes", pool::lentBytes);
    }

    private long lostDevices() {
        LongAdder lost = counters.get("pool.devices-lost");
        return lost == null ? 0 : lost.sum();
    }

    /** One after the other is lost in the middle of its waves, until none is left. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void theOthersGoOnUntilTheLastIsLost(int deviceCount) throws Exception {
        open(deviceCount);
        start();
        for (int lost = 0; lost < deviceCount; lost++) {
            int left = deviceCount - lost;
            List<DeviceLease> together = new ArrayList<>();
            for (int wave = 0; wave < 2 * left; wave++) {
                together.add(submitted(WAVE_BYTES));
            }
            int begun = 2 * (lost + 1);
            await(() -> Arrays.stream(begun()).skip(deviceCount - left).allMatch(waves -> waves == begun));
            driver.script(lost, (call, n) -> call == Call.IS_DONE ? ScriptedDriver.ECC_UNCORRECTABLE : 0);
            int expectedLost = lost + 1;
            await(() -> lostDevices() == expectedLost);
            held.subList(lost + 1, deviceCount).forEach(program -> program.letGo(2));
            int failed = 0;
            for (DeviceLease lease : together) {
                boolean done = lease.await(DeviceLease.WITHOUT_BOUND);
                failed += done ? 0 : 1;
                assertThat(lease.failure()).isEqualTo(done ? null : FallbackReason.DEVICE_LOST);
            }
            assertThat(failed).as("what the lost device had").isEqualTo(2);
            together.forEach(DeviceLease::close);
            assertThat(pool.isRunning()).isEqualTo(left > 1);
            assertThat(pool.runningCount()).isEqualTo(left - 1);
        }
        assertThat(pool.unavailableReason()).isEqualTo(FallbackReason.DEVICE_LOST);
        assertThat(lease(MEBI)).isNull();
        assertThat(pool.refusalReason(WORK, 1000, MEBI, 1)).isEqualTo(FallbackReason.DEVICE_LOST);
        // two leases of each device are out for ever
        assertThat(pool.lentBytes()).isEqualTo(deviceCount * 2L * (WAVE_BYTES + 1024));
        assertThat(driver.callsAfterDeath()).isZero();
    }

    /** What the lost device may still touch stays, and the others free all of theirs. */
    @ParameterizedTest
    @ValueSource(ints = {8})
    void aDeviceThatHangsKeepsItsMemoryAndTheOthersFreeTheirs(int deviceCount) throws Exception {
        int hanging = deviceCount - 1;
        PoolLimits limits =
                new PoolLimits(MEMORY_BYTES, deviceCount * SHARE_BYTES, WAVE_BYTES, 0, TimeUnit.MINUTES.toNanos(1));
        open(Collections.nCopies(deviceCount, DEVICE_BYTES), limits);
        start();
        long pinnedOfEach = driver.pinnedBytes() / deviceCount;
        driver.script(hanging, (call, n) -> call == Call.WORK && n == 1 ? Script.HANG : 0);
        List<DeviceLease> together = new ArrayList<>();
        for (int wave = 0; wave < deviceCount; wave++) {
            together.add(submitted(WAVE_BYTES));
        }
        held.forEach(program -> program.letGo(1));
        for (DeviceLease lease : together.subList(0, hanging)) {
            assertThat(lease.await(DeviceLease.WITHOUT_BOUND)).isTrue();
        }
        // no other device has a wave that this clock could end
        DeviceLease last = together.get(hanging);
        await(() -> {
            jumpedNanos.addAndGet(ObservedTime.MOST_STEP_NANOS);
            return last.isOver();
        });
        assertThat(last.failure()).isEqualTo(FallbackReason.DEVICE_LOST);
        assertThat(lostDevices()).isEqualTo(1);
        held.forEach(program -> program.letGo(1));
        assertThat(submitted(WAVE_BYTES).await(DeviceLease.WITHOUT_BOUND)).isTrue();
        leases.forEach(DeviceLease::close);
        pool.close();
        for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
            assertThat(driver.allocatedBytes(ordinal) > 0)
                    .as("device %d", ordinal)
                    .isEqualTo(ordinal == hanging);
        }
        assertThat(driver.pinnedBytes()).isEqualTo(pinnedOfEach);
    }

    /** Of the others nothing waits for it, whether its start fails or never ends. */
    @ParameterizedTest
    @ValueSource(ints = {8})
    void aStartThatFailsOrHangsLeavesTheOthers(int deviceCount) throws Exception {
        for (int answer : new int[] {ScriptedDriver.ECC_UNCORRECTABLE, ScriptedDriver.OUT_OF_MEMORY, Script.HANG}) {
            held.clear();
            leases.clear();
            open(deviceCount);
            driver.script(0, (call, n) -> call == Call.RETAIN_CONTEXT ? answer : 0);
            pool.awaitFirst(TimeUnit.SECONDS.toNanos(60));
            await(() -> pool.runningCount() == deviceCount - 1);
            for (int wave = 0; wave < 2 * (deviceCount - 1); wave++) {
                submitted(WAVE_BYTES);
            }
            finish();
            int[] expected = each(deviceCount, 2);
            expected[0] = 0;
            assertThat(begun()).isEqualTo(expected);
            assertThat(pool.unavailableReason()).isNull();
            assertThat(driver.mostAllocatedBytes(0)).isZero();
            close();
        }
    }
}
