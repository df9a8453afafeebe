package io.warpcodec.engine.gpu.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.ZstdLevels;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.choice.DeviceChoices.Verdict;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits for devices, by a clock that stands unless a wait or the test moves it. */
class HedgedWaitTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final CodecOptions GPU = CodecOptions.DEFAULTS.withMode(Mode.GPU);
    private static final long MEBIBYTE = 1 << 20;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** What the CPU takes for {@link #RAW}: 40 ms. */
    private static final double CPU_NANOS_PER_MEBIBYTE = 10e6;

    private static final long RAW = 4 * MEBIBYTE;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final ToldPool pool = new ToldPool();
    /** Processors that the process uses. */
    private double used = PROCESSORS;

    private final DeviceChoices choices =
            new DeviceChoices(false, new ProcessorDemand(PROCESSORS, () -> (long) (used * pool.nowNanos)));
    private final DeviceChoice choice = choices.of(Format.BZIP2, Direction.DECODE, AUTO, CPU_NANOS_PER_MEBIBYTE, true);
    private final double cpuNanos = choice.cpuNanos(RAW);

    private HedgedWait auto(long rawBytes) {
        return choices.hedge(choice, AUTO, rawBytes, pool);
    }

    private Verdict choose() {
        return choices.choose(choice, AUTO, RAW, RAW, pool);
    }

    /** The pool has had work for long enough that losses count. */
    private void settle() {
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
        pool.nowNanos += PoolRest.SETTLING_NANOS;
    }

    private FallbackReason late() throws InterruptedException {
        return auto(RAW).await(new ToldLease(pool, Long.MAX_VALUE / 2));
    }

    @Test
    void workThatIsDoneInTimeIsWaitedFor() throws Exception {
        long before = pool.nowNanos;
        assertThat(auto(RAW).await(new ToldLease(pool, 100 * MILLI))).isNull();
        assertThat(pool.nowNanos - before).isEqualTo(100 * MILLI);
    }

    @Test
    void afterTwoAndAHalfTimesTheCpuAndSixteenMillisecondsTheLeaseIsGivenUp() throws Exception {
        ToldLease lease = new ToldLease(pool, SECOND);
        long before = pool.nowNanos;
        assertThat(auto(RAW).await(lease)).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat(lease.closed).isTrue();
        assertThat((double) pool.nowNanos - before).isCloseTo(2.5 * cpuNanos + 16 * MILLI, within(1e3));
        before = pool.nowNanos;
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat((double) pool.nowNanos - before)
                .as("but for a fiftieth of the time that has passed, the 16 ms are used up")
                .isCloseTo(2.5 * cpuNanos + (2.5 * cpuNanos + 16 * MILLI) / 50, within(1e3));
    }

    /** Whatever a batch has waited for a start, that and its waits for devices are three times the CPU, and 16 ms. */
    @ParameterizedTest
    @CsvSource({"0, 2.5", "0.25, 2.5", "1, 2", "2.5, 0.5", "3, 0", "7, 0"})
    void aBatchThatHasWaitedForAStartWaitsLess(double startTimes, double waitTimes) throws Exception {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        Lease lease = new HeapLeases().lease(noise.length, "raw");
        lease.memory().put(0, noise);
        CodecOptions strong = AUTO.withLevel(19);
        Engine engine = GpuEngines.over(new CpuEngine(), pool, choices);
        long before = pool.nowNanos;
        try (Batch<EncodedChunk> batch =
                engine.encode(Format.ZSTD, strong, List.of(Chunk.raw(lease, 0, noise.length, 0, 0)), startTimes)) {
            batch.take(0);
        }
        double least = ZstdLevels.leastStrongNanos(19) * noise.length;
        assertThat((double) pool.nowNanos - before)
                .as("no memory comes")
                .isCloseTo(waitTimes * least + 16 * MILLI, within(0.01 * least));
    }

    @Test
    void modeGpuWaitsTenTimesTheCpuAndASecondAndNeverLetsDevicesRest() throws Exception {
        for (int round = 0; round < 10; round++) {
            long before = pool.nowNanos;
            HedgedWait wait = choices.hedge(choice, GPU, RAW, pool);
            assertThat(wait.await(new ToldLease(pool, 100 * SECOND))).isEqualTo(FallbackReason.DEVICE_SLOW);
            assertThat((double) pool.nowNanos - before).isCloseTo(10 * cpuNanos + SECOND, within(1e3));
        }
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
    }

    @Test
    void aFailureIsNoLoss() throws Exception {
        for (int round = 0; round < 10; round++) {
            assertThat(auto(RAW).await(ToldLease.failed(pool, FallbackReason.DRIVER_ERROR)))
                    .isEqualTo(FallbackReason.DRIVER_ERROR);
        }
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
    }

    @Test
    void theWaitForMemoryCounts() throws Exception {
        HedgedWait memory = auto(RAW);
        assertThat(memory.attempt(() -> pool.nowNanos > SECOND + 50 * MILLI)).isTrue();
        long before = pool.nowNanos;
        HedgedWait results = auto(RAW);
        results.follow(memory);
        assertThat(results.await(new ToldLease(pool, 100 * SECOND))).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat(pool.nowNanos - before).as("all of it was used for memory").isLessThan(MILLI);
    }

    /** A device that refused the work took time, and so may have the memory for the next try. */
    @Test
    void allEarlierWaitsForTheWorkCount() throws Exception {
        HedgedWait refused = auto(RAW);
        assertThat(refused.await(new ToldLease(pool, 25 * MILLI))).isNull();
        HedgedWait memory = auto(RAW);
        long waits = pool.nowNanos;
        assertThat(memory.attempt(() -> pool.nowNanos > waits)).isTrue();
        long before = pool.nowNanos;
        HedgedWait results = auto(RAW);
        results.follow(memory);
        results.follow(refused);
        assertThat(results.await(new ToldLease(pool, 100 * SECOND))).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat(pool.nowNanos - before).as("all of it was used").isLessThan(MILLI);
    }

    /** Devices may do anything: waits take two and a half times the CPU, 16 ms, and a fiftieth of the time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void allWaitsTogetherAreBounded(long seed) throws Exception {
        Random random = new Random(seed);
        double allowed = 16 * MILLI;
        double waited = 0;
        long begin = pool.nowNanos;
        for (int round = 0; round < 2000; round++) {
            long rawBytes = 1L + random.nextInt(1 << (4 + random.nextInt(20)));
            long before = pool.nowNanos;
            double cpu = choice.cpuNanos(rawBytes);
            HedgedWait wait = auto(rawBytes);
            HedgedWait memory = auto(rawBytes);
            int mostAttempts = random.nextInt(3);
            int[] attempts = {0};
            if (memory.attempt(() -> ++attempts[0] > mostAttempts)) {
                wait.follow(memory);
                wait.await(new ToldLease(pool, (long) (random.nextDouble() * random.nextDouble() * SECOND)));
            }
            waited += pool.nowNanos - before;
            allowed += 2.5 * cpu;
            assertThat(waited)
                    .as("round %d", round)
                    .isLessThanOrEqualTo(allowed + (pool.nowNanos - begin) / 50.0 + 1e3);
            pool.nowNanos += (long) cpu;
        }
    }

    @Test
    void afterThreeLossesRunningDevicesRestASecondAndWhatTheyHaveIsNotWaitedFor() throws Exception {
        settle();
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat(auto(RAW).await(new ToldLease(pool, 0)))
                .as("a piece that is done in time")
                .isNull();
        pool.nowNanos += 2 * SECOND;
        for (int loss = 0; loss < 3; loss++) {
            assertThat(choose()).isEqualTo(Verdict.DEVICE);
            late();
        }
        assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
        long before = pool.nowNanos;
        assertThat(late()).isEqualTo(FallbackReason.POOL_RESTS);
        assertThat(pool.nowNanos).isEqualTo(before);
        assertThat(auto(RAW).await(new ToldLease(pool, 0)))
                .as("results that are there")
                .isNull();
    }

    @Test
    void waitsAtOneTimeAreOneLoss() throws Exception {
        settle();
        HedgedWait[] waits = {auto(RAW), auto(RAW), auto(RAW), auto(RAW)};
        long begin = pool.nowNanos;
        long end = begin;
        for (HedgedWait wait : waits) {
            pool.nowNanos = begin;
            assertThat(wait.await(new ToldLease(pool, 1000 * SECOND))).isEqualTo(FallbackReason.DEVICE_SLOW);
            end = Math.max(end, pool.nowNanos);
        }
        pool.nowNanos = end;
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
        late();
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
        late();
        assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
    }

    @Test
    void whatTheCpuTakesIsSeenButNoMoreThanFourTimesTheFirstGuess() {
        for (int round = 0; round < 100; round++) {
            choice.cpuDid(RAW, 10 * MILLI);
        }
        assertThat(choice.cpuNanos(RAW)).isCloseTo(10 * MILLI, within((double) MILLI));
        for (int round = 0; round < 300; round++) {
            choice.cpuDid(RAW, 1000 * MILLI);
        }
        assertThat(choice.cpuNanos(RAW)).isCloseTo(4 * 4 * CPU_NANOS_PER_MEBIBYTE, within(1e3));
    }

    /** With this one so many threads for each processor; the others wait for devices longer than this one will. */
    private void others(int threadsAProcessor) throws InterruptedException {
        int others = threadsAProcessor * PROCESSORS - 1;
        for (int thread = 0; thread < others; thread++) {
            Thread other = new Thread(() -> choices.demand().works(pool.nowNanos + SECOND));
            other.start();
            other.join();
        }
        choices.demand().works(pool.nowNanos);
        pool.nowNanos += ProcessorDemand.REFRESH_NANOS;
    }

    @Test
    void threadsThatShareProcessorsWaitForWhatTheCpuTakesThemThen() throws Exception {
        others(3);
        long before = pool.nowNanos;
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat((double) pool.nowNanos - before).isCloseTo(3 * 2.5 * cpuNanos + 16 * MILLI, within(1e4));
        pool.nowNanos += SECOND + ActiveThreads.WINDOW_NANOS;
        before = pool.nowNanos;
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat((double) pool.nowNanos - before).as("the others have left").isLessThan(3 * 2.5 * cpuNanos);
    }

    @Test
    void threadsThatHaveWorkNowAndThenDoNotShareProcessorsThatAreIdle() throws Exception {
        used = 0;
        others(3);
        choices.demand().count(pool.nowNanos);
        pool.nowNanos += SECOND / 2;
        choices.demand().count(pool.nowNanos);
        pool.nowNanos += ProcessorDemand.REFRESH_NANOS;
        long before = pool.nowNanos;
        assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
        assertThat((double) pool.nowNanos - before).isCloseTo(2.5 * cpuNanos + 16 * MILLI, within(1e4));
    }

    /** Waits that begin every tenth of a second: what they count besides what is used. */
    private double demandOfWaits(long nanos) throws InterruptedException {
        others(3);
        for (int wait = 0; wait < 8; wait++) {
            choices.demand().count(pool.nowNanos);
            long begin = pool.nowNanos;
            HedgedWait memory = auto(RAW);
            memory.attempt(() -> pool.nowNanos > begin);
            HedgedWait results = auto(RAW);
            results.follow(memory);
            results.await(new ToldLease(pool, nanos));
            auto(1).await(new ToldLease(pool, 0)); // so that the pool does not rest
            pool.nowNanos = begin + 100 * MILLI;
        }
        return choices.demand().count(pool.nowNanos) - used;
    }

    @Test
    void aThreadThatWaitsWouldUseAProcessorAsLongAsTheCpuTakes() throws Exception {
        used = PROCESSORS / 2.0;
        choices.demand().count(pool.nowNanos);
        pool.nowNanos += SECOND;
        assertThat(demandOfWaits(0)).as("the wait for memory alone").isCloseTo(cpuNanos / 1e8, within(0.1));
        assertThat(demandOfWaits(1000 * SECOND)).as("both").isCloseTo(cpuNanos / 1e8, within(0.1));
    }

    @Test
    void whatCountsIsTheTimeInWhichTheThreadHadAProcessor() {
        for (int round = 0; round < 100; round++) {
            choice.cpuDid(RAW, 40 * MILLI, 10 * MILLI);
        }
        assertThat(choice.cpuNanos(RAW)).isCloseTo(10 * MILLI, within((double) MILLI));
        for (int round = 0; round < 300; round++) {
            choice.cpuDid(RAW, 30 * MILLI, 0);
        }
        assertThat(choice.cpuNanos(RAW)).as("not known").isCloseTo(30 * MILLI, within((double) MILLI));
    }

    @Test
    void ofFewThreadsThreeLossesCountFromTheFirstOn() throws Exception {
        for (int loss = 0; loss < 3; loss++) {
            assertThat(choose()).isEqualTo(Verdict.DEVICE);
            late();
        }
        assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
    }

    @Test
    void whereThreadsWantMoreThanHalfOfTheProcessorsLossesInTheFirstTwoSecondsAreNone() throws Exception {
        long begin = pool.nowNanos;
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
        while (pool.nowNanos - begin < PoolRest.SETTLING_NANOS) {
            others(1);
            assertThat(late()).isEqualTo(FallbackReason.DEVICE_SLOW);
            assertThat(choose()).isEqualTo(Verdict.DEVICE);
        }
        for (int loss = 0; loss < 3; loss++) {
            late();
        }
        assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
    }

    private void lose() throws InterruptedException {
        settle();
        for (int loss = 0; loss < 3; loss++) {
            late();
        }
    }

    /** The next pieces of work when a rest is over: one is tried, the others are the CPU's. */
    private void afterRest(long seconds) {
        pool.nowNanos += seconds * SECOND - MILLI;
        assertThat(choose()).as("%d s are not over", seconds).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
        pool.nowNanos += 2 * MILLI;
        assertThat(choose()).as("%d s are over", seconds).isEqualTo(Verdict.CPU_BESIDE_DEVICE);
        assertThat(choose()).as("beside a trial").isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
    }

    @Test
    void aRestDoublesUpToAMinuteUntilATrialIsDoneInTime() throws Exception {
        lose();
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            afterRest(seconds);
            ToldLease late = new ToldLease(pool, 1000 * SECOND);
            choices.tried(choice, RAW, pool, late);
            pool.nowNanos += (long) (2.5 * cpuNanos) - MILLI;
            assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
            assertThat(late.closed).as("within its bound").isFalse();
            pool.nowNanos += 2 * MILLI;
            assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
            assertThat(late.closed).isTrue();
        }
        afterRest(60);
        ToldLease soon = new ToldLease(pool, 10 * MILLI);
        choices.tried(choice, RAW, pool, soon);
        pool.nowNanos += 500 * SECOND;
        assertThat(choose()).as("however late that is seen").isEqualTo(Verdict.DEVICE);
        assertThat(soon.closed).isTrue();
        lose();
        afterRest(60);
    }

    @Test
    void devicesThatHaveWorkedForLongerThanTheyRestedBeginAnew() throws Exception {
        lose();
        afterRest(1);
        choices.tried(choice, RAW, pool, new ToldLease(pool, 0));
        assertThat(choose()).isEqualTo(Verdict.DEVICE);
        pool.nowNanos += 2 * SECOND;
        lose();
        afterRest(1);
    }

    @Test
    void aTrialThatWasDoneTooLateBeginsAnotherRestHoweverLateThatIsSeen() throws Exception {
        lose();
        afterRest(1);
        ToldLease late = new ToldLease(pool, 200 * MILLI);
        choices.tried(choice, RAW, pool, late);
        pool.nowNanos += 500 * SECOND;
        assertThat(choose()).isEqualTo(Verdict.CPU_WHILE_DEVICES_REST);
        assertThat(late.closed).isTrue();
        afterRest(2);
    }

    @Test
    void aTrialWithoutMemoryIsMadeAgain() throws Exception {
        lose();
        afterRest(1);
        choices.tried(choice, RAW, pool, null);
        assertThat(choose()).isEqualTo(Verdict.CPU_BESIDE_DEVICE);
    }

    @ParameterizedTest
    @CsvSource({"8, DEVICE", "2, CPU_WHILE_DEVICES_REST"})
    void aPoolThatDoesMoreThanTheCpuWouldIsAskedForMuchAndDoesNotRest(int times, Verdict expected) throws Exception {
        settle();
        // the thread that loses could do RAW in cpuNanos; others get so many times that from devices
        long bytes = (long) (times * RAW * (SECOND / cpuNanos));
        for (int loss = 0; loss < 3; loss++) {
            late();
            assertThat(auto(bytes / 20).await(new ToldLease(pool, 0))).isNull();
        }
        for (int loss = 0; loss < 3; loss++) {
            late();
        }
        assertThat(choose()).isEqualTo(expected);
    }
}
