package io.warpcodec.engine.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LongRepeats;
import io.warpcodec.engine.ZstdLevels;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When a process in mode auto looks for devices and starts them. */
class AcceleratorStartTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MEGABYTE = 1_000_000;
    private static final long NO_WAIT_ENDS = -1000 * SECOND;

    private final ScriptedProcess process = new ScriptedProcess();
    private final AtomicInteger searches = new AtomicInteger();
    private volatile boolean starts = true;
    private final CountDownLatch mayRun = new CountDownLatch(1);
    private final CountDownLatch runs = new CountDownLatch(1);
    /** What the devices were told of a wait for their start; -1 if nothing. */
    private volatile double toldTimes = -1;

    private final AcceleratorStart start = new AcceleratorStart(this::search, () -> process, process);
    private final EngineSelector engines = new EngineSelector(new Cpu(), start);

    private Found search() {
        searches.incrementAndGet();
        return new Found(new Starting(), null);
    }

    @AfterEach
    void letGo() {
        mayRun.countDown();
    }

    private static final class Cpu extends ForwardingEngine {}

    /** Runs when it is let. */
    private final class Starting extends ForwardingEngine {
        @Override
        public FallbackReason unavailableReason(boolean insist) {
            if (insist) {
                runs.countDown();
            }
            return runs.getCount() == 0 ? null : FallbackReason.POOL_STARTING;
        }

        @Override
        public boolean awaitStart(long timeoutNanos) throws InterruptedException {
            mayRun.await();
            process.lived(process.livedNanos() + 3 * SECOND);
            runs.countDown();
            return starts;
        }

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks, double waitedTimes) {
            toldTimes = waitedTimes;
            return super.encode(format, options, chunks, waitedTimes);
        }
    }

    private String nameOf(Direction direction, Format format) throws IOException {
        return engines.choose(format, direction, AUTO).name();
    }

    private String chosen() throws IOException {
        return nameOf(Direction.DECODE, Format.LZ4);
    }

    private void awaitRun() throws Exception {
        mayRun.countDown();
        runs.await();
    }

    private void awaitEnd() {
        while (start.isUnderWay()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aShortTaskLooksForNothing() throws IOException {
        process.saved(SECOND);
        process.lived(10 * SECOND);
        for (Format format : Format.values()) {
            for (Direction direction : Direction.values()) {
                assertThat(nameOf(direction, format)).isEqualTo("Cpu");
            }
        }
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 40 * MEGABYTE).name())
                .isEqualTo("Cpu");
        assertThat(engines.worksAhead(Format.GZIP, Direction.DECODE, AUTO)).isFalse();
        assertThat(searches).hasValue(0);
        assertThat(process.hasTurn()).isFalse();
    }

    @Test
    void whatIsOldAndHasDoneLittleLooksForNothing() throws IOException {
        process.saved(SECOND);
        process.lived(3600 * SECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(searches).hasValue(0);
    }

    @Test
    void whatHasDoneMuchAndIsYoungLooksForNothing() throws IOException {
        process.saved(3600 * SECOND);
        process.lived(19 * SECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(searches).hasValue(0);
    }

    @Test
    void aProcessWhoseStartHasPaidStartsInTheBackground() throws Exception {
        process.saved(2 * SECOND);
        process.lived(20 * SECOND);
        assertThat(chosen()).as("this batch does not wait").isEqualTo("Cpu");
        awaitRun();
        assertThat(chosen()).isEqualTo("Starting");
        assertThat(searches).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "ZLIB", "BZIP2", "LZ4", "SNAPPY", "ZSTD"})
    void everyFormatIsReadByDevicesOnceTheirStartHasPaid(Format format) throws Exception {
        process.saved(2 * SECOND);
        process.lived(20 * SECOND);
        assertThat(nameOf(Direction.DECODE, format)).isEqualTo("Cpu");
        awaitRun();
        assertThat(nameOf(Direction.DECODE, format)).isEqualTo("Starting");
    }

    @Test
    void aSlowStartOfAnotherProcessRaisesTheBar() throws Exception {
        process.measured(5 * SECOND);
        process.saved(10 * SECOND);
        process.lived(99 * SECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 1000 * MEGABYTE).name())
                .isEqualTo("Cpu");
        assertThat(start.isUnderWay()).isFalse();
        process.lived(100 * SECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void aFastStartOfAnotherProcessLowersTheBarToHalfASecond() throws IOException {
        process.measured(1);
        process.saved(SECOND);
        process.lived(10 * SECOND - 1);
        chosen();
        assertThat(start.isUnderWay()).isFalse();
        process.lived(10 * SECOND);
        chosen();
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void aStartTellsOthersWhatItTook() throws Exception {
        process.saved(2 * SECOND);
        process.lived(20 * SECOND);
        chosen();
        assertThat(process.hasTurn()).isTrue();
        awaitRun();
        awaitEnd();
        assertThat(process.tookNanos()).isEqualTo(3 * SECOND);
        assertThat(process.hasTurn()).as("the turn is over").isFalse();
    }

    @Test
    void aStartThatCameToNothingIsToldIfItTookLong() throws Exception {
        starts = false;
        process.saved(100 * SECOND);
        process.lived(100 * SECOND);
        process.measured(3 * SECOND);
        chosen();
        awaitRun();
        awaitEnd();
        assertThat(process.tookNanos()).as("three seconds were expected").isEqualTo(-1);

        ScriptedProcess other = new ScriptedProcess();
        other.saved(100 * SECOND);
        other.lived(100 * SECOND);
        AcceleratorStart slow = new AcceleratorStart(
                () -> {
                    other.lived(110 * SECOND);
                    return new Found(new Starting(), null);
                },
                () -> other,
                other);
        slow.consider();
        while (slow.isUnderWay()) {
            Thread.onSpinWait();
        }
        assertThat(other.tookNanos()).isEqualTo(10 * SECOND);
    }

    @Test
    void whileAnotherProcessStartsThisOneDoesNotAndAsksAgainASecondLater() throws IOException {
        process.turnTaken(true);
        process.saved(1000 * SECOND);
        process.lived(1000 * SECOND);
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 1000 * MEGABYTE).name())
                .as("and waits for nothing")
                .isEqualTo("Cpu");
        process.turnTaken(false);
        chosen();
        assertThat(start.isUnderWay()).as("a batch within the same second").isFalse();
        process.lived(1001 * SECOND);
        chosen();
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void aProcessThatIsSaidToLiveLongStartsWithItsFirstBatch() throws Exception {
        start.expectLongLife();
        assertThat(chosen()).isEqualTo("Cpu");
        awaitRun();
        assertThat(chosen()).isEqualTo("Starting");
    }

    @Test
    void aLongSessionOfAYoungProcessStartsDevicesAndWaits() throws IOException {
        process.step(NO_WAIT_ENDS);
        mayRun.countDown();
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 330 * MEGABYTE).name())
                .isEqualTo("Starting");
    }

    @Test
    void aBatchThatLookedInVainKeepsNoSessionFromItsStart() throws IOException {
        process.saved(1000 * SECOND);
        process.lived(15 * SECOND);
        mayRun.countDown();
        assertThat(chosen()).isEqualTo("Cpu");
        assertThat(start.isUnderWay()).isFalse();
        process.step(NO_WAIT_ENDS);
        assertThat(engines.chooseForSession(Format.GZIP, AUTO, 1000 * MEGABYTE).name())
                .isEqualTo("Starting");
    }

    @ParameterizedTest
    @EnumSource
    void onlySessionsOfDeflateWait(Format format) throws IOException {
        boolean waits = format == Format.GZIP || format == Format.ZLIB;
        process.step(NO_WAIT_ENDS);
        mayRun.countDown();
        assertThat(engines.chooseForSession(format, AUTO, 1000 * MEGABYTE).name())
                .isEqualTo(waits ? "Starting" : "Cpu");
    }

    @Test
    void aProcessThatKnowsItsWorkStartsDevicesAtOnceAndItsBatchesWait() throws Exception {
        process.step(NO_WAIT_ENDS);
        start.expect(Format.GZIP, Direction.ENCODE, Format.GZIP.defaultLevel(), 1000 * MEGABYTE, 16);
        assertThat(start.isUnderWay()).isTrue();
        mayRun.countDown();
        assertThat(nameOf(Direction.ENCODE, Format.GZIP)).isEqualTo("Starting");
        assertThat(nameOf(Direction.DECODE, Format.LZ4)).isEqualTo("Starting");
        assertThat(searches).hasValue(1);
    }

    @Test
    void itsBatchesWaitAlsoWhereTheDevicesAreFoundAndDoNotRunYet() throws Exception {
        process.step(NO_WAIT_ENDS);
        start.expect(Format.GZIP, Direction.ENCODE, Format.GZIP.defaultLevel(), 1000 * MEGABYTE, 16);
        while (start.known() == null) {
            Thread.onSpinWait();
        }
        FutureTask<String> chosen = new FutureTask<>(() -> nameOf(Direction.ENCODE, Format.GZIP));
        Thread batch = new Thread(chosen);
        batch.start();
        while (batch.getState() != Thread.State.TIMED_WAITING && !chosen.isDone()) {
            Thread.onSpinWait();
        }
        mayRun.countDown();
        assertThat(chosen.get()).isEqualTo("Starting");
    }

    @Test
    void itsBatchesWaitNoLongerThanTwiceWhatAStartTakes() throws Exception {
        start.expect(Format.GZIP, Direction.ENCODE, Format.GZIP.defaultLevel(), 1000 * MEGABYTE, 16);
        process.lived(2 * SECOND);
        assertThat(nameOf(Direction.ENCODE, Format.GZIP)).isEqualTo("Cpu");
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void whatItIsToDoIsSummed() {
        start.expect(Format.GZIP, Direction.ENCODE, Format.GZIP.defaultLevel(), 300 * MEGABYTE, 16);
        assertThat(start.isUnderWay()).isFalse();
        start.expect(Format.GZIP, Direction.ENCODE, Format.GZIP.defaultLevel(), 300 * MEGABYTE, 16);
        assertThat(start.isUnderWay()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "GZIP, ENCODE, 445, 16",
        "GZIP, DECODE, 1185, 16",
        "BZIP2, ENCODE, 94, 16",
        "BZIP2, DECODE, 84, 16",
        "LZ4, ENCODE, 400, 1",
        "SNAPPY, DECODE, 667, 2",
        "ZSTD, DECODE, 1000000, 1",
        "ZSTD, ENCODE, 178, 1"
    })
    void workOfWhichDevicesSaveLessThanAStartTakesStartsNone(
            Format format, Direction direction, long megabytes, int threads) throws IOException {
        start.expect(format, direction, format.defaultLevel(), megabytes * MEGABYTE * 9 / 10, threads);
        assertThat(start.isUnderWay()).isFalse();
        assertThat(nameOf(direction, format)).isEqualTo("Cpu");
        start.expect(format, direction, format.defaultLevel(), megabytes * MEGABYTE / 5, threads);
        assertThat(start.isUnderWay()).isEqualTo(format != Format.ZSTD || direction == Direction.ENCODE);
    }

    /** A core takes a second for 4 MB at level 19; levels 5 to 9 no device has. */
    @ParameterizedTest
    @CsvSource({"19, 3, false", "19, 5, true", "10, 31, false", "10, 40, true", "9, 100000, false", "5, 100000, false"})
    void aStrongLevelIsWorthAStartSooner(int level, long megabytes, boolean starts) {
        start.expect(Format.ZSTD, Direction.ENCODE, level, megabytes * MEGABYTE, 1);
        assertThat(start.isUnderWay()).isEqualTo(starts);
    }

    /** Devices save half of 80 seconds for a gigabyte at level 12, of 30 at level 9; levels 3 to 8 no device has. */
    @ParameterizedTest
    @CsvSource({
        "12, 24, false",
        "12, 26, true",
        "9, 66, false",
        "9, 68, true",
        "8, 100000, false",
        "3, 100000, false",
        "2, 390, false",
        "2, 410, true"
    })
    void aBestLevelOfLz4IsWorthAStartSooner(int level, long megabytes, boolean starts) {
        start.expect(Format.LZ4, Direction.ENCODE, level, megabytes * MEGABYTE, 1);
        assertThat(start.isUnderWay()).isEqualTo(starts);
    }

    /** Chooses for many chunks, all of these bytes, so that a wait for a start is a minute long. */
    private Encoding encoding(int level, byte[] raw) {
        HeapLeases leases = new HeapLeases();
        FutureTask<String> chosen = new FutureTask<>(() -> {
            Lease lease = leases.lease(raw.length, "raw");
            lease.memory().put(0, raw);
            List<Chunk> chunks = Collections.nCopies(100, Chunk.raw(lease, 0, raw.length, 0, 0));
            return engines.encode(Format.ZSTD, AUTO.withLevel(level), chunks)
                    .engine()
                    .name();
        });
        Thread thread = new Thread(chosen);
        thread.setDaemon(true);
        thread.start();
        return new Encoding(chosen, thread);
    }

    /** A choice, and the thread that makes it. */
    private record Encoding(FutureTask<String> chosen, Thread thread) {}

    private static byte[] noise() {
        byte[] noise = new byte[8 << 20];
        new Random(1).nextBytes(noise);
        return noise;
    }

    /** libzstd takes seconds for a frame, and a start less than one. The devices are told of the wait. */
    @Test
    void aFrameOfAStrongLevelWaitsForAStartThatIsUnderWay() throws Exception {
        start.expectLongLife();
        assertThat(chosen()).as("a start begins").isEqualTo("Cpu");
        process.lived(NO_WAIT_ENDS);
        Encoding encoding = encoding(19, noise());
        while (encoding.thread.getState() != Thread.State.TIMED_WAITING && !encoding.chosen.isDone()) {
            Thread.onSpinWait();
        }
        mayRun.countDown();
        assertThat(encoding.chosen.get()).isEqualTo("Starting");
        double cpuNanos = 100.0 * LongRepeats.otherBytes(ByteBuffer.wrap(noise())) * ZstdLevels.leastStrongNanos(19);
        assertThat(toldTimes).isEqualTo(3 * SECOND / cpuNanos);
    }

    @Test
    void devicesThatRunAreToldOfNoWait() throws Exception {
        start.expectLongLife();
        assertThat(chosen()).isEqualTo("Cpu");
        awaitRun();
        awaitEnd();
        assertThat(encoding(19, noise()).chosen.get()).isEqualTo("Starting");
        assertThat(toldTimes).isZero();
    }

    @ParameterizedTest
    @CsvSource({"19, true", "3, false"})
    void whatTheCpuDoesInNoTimeWaitsForNoStart(int level, boolean repeats) throws Exception {
        start.expectLongLife();
        process.step(NO_WAIT_ENDS);
        assertThat(encoding(level, repeats ? new byte[8 << 20] : noise()).chosen.get())
                .isEqualTo("Cpu");
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void whileAnotherProcessStartsTheExpectedWorkIsTheCpusAndStartsOneASecondLater() throws IOException {
        process.turnTaken(true);
        start.expect(Format.BZIP2, Direction.ENCODE, Format.BZIP2.defaultLevel(), 1000 * MEGABYTE, 16);
        assertThat(nameOf(Direction.ENCODE, Format.BZIP2))
                .as("it waits for nothing")
                .isEqualTo("Cpu");
        process.turnTaken(false);
        process.lived(SECOND);
        process.step(NO_WAIT_ENDS);
        mayRun.countDown();
        assertThat(nameOf(Direction.ENCODE, Format.BZIP2)).isEqualTo("Starting");
    }

    @Test
    void modeCpuNeverLooksAndModeGpuDoesAtOnce() throws IOException {
        process.saved(1000 * SECOND);
        process.lived(1000 * SECOND);
        CodecOptions cpu = CodecOptions.DEFAULTS.withMode(Mode.CPU);
        assertThat(engines.chooseForSession(Format.GZIP, cpu, 1000 * MEGABYTE).name())
                .isEqualTo("Cpu");
        assertThat(searches).hasValue(0);
        CodecOptions gpu = CodecOptions.DEFAULTS.withMode(Mode.GPU);
        assertThat(new EngineSelector(new Cpu(), new AcceleratorStart(this::search, () -> process, process))
                        .choose(Format.GZIP, Direction.DECODE, gpu)
                        .name())
                .isEqualTo("Starting");
    }

    @Test
    void streamsThatMayComeToDevicesLaterAreLookedAfter() {
        assertThat(engines.mayUseAccelerator(AUTO)).isTrue();
        assertThat(engines.mayUseAccelerator(AUTO.withMode(Mode.CPU))).isFalse();
        EngineSelector without = new EngineSelector(
                new Cpu(),
                new AcceleratorStart(() -> new Found(null, FallbackReason.NO_DRIVER), () -> process, process));
        assertThat(without.unavailableReason()).isEqualTo(FallbackReason.NO_DRIVER);
        assertThat(without.mayUseAccelerator(AUTO)).isFalse();
    }

    @Test
    void whereThereIsNoAcceleratorTheTurnEndsAndTheReasonIsKnown() throws Exception {
        AcceleratorStart absent =
                new AcceleratorStart(() -> new Found(null, FallbackReason.NO_DRIVER), () -> process, process);
        process.step(NO_WAIT_ENDS);
        EngineSelector without = new EngineSelector(new Cpu(), absent);
        assertThat(without.chooseForSession(Format.GZIP, AUTO, 1000 * MEGABYTE).name())
                .isEqualTo("Cpu");
        assertThat(absent.known().unavailableReason()).isEqualTo(FallbackReason.NO_DRIVER);
        while (process.hasTurn()) {
            Thread.onSpinWait();
        }
        assertThat(process.tookNanos()).isEqualTo(-1);
    }
}
