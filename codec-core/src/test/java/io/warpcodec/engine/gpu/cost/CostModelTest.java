package io.warpcodec.engine.gpu.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.CostReport;
import io.warpcodec.engine.gpu.cost.CostModel.Choice;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostModelTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final double WEIGHT = 1;

    private final RouteCosts costs = new RouteCosts(1e6, false);
    private long now = 1;

    @Test
    void aLineFollowsWhatIsSeen() {
        DecayingLinearFit line = new DecayingLinearFit(1000, 5, 2000, 6);
        Random random = new Random(1);
        for (int round = 0; round < 500; round++) {
            int bytes = 1 + random.nextInt(10_000_000);
            line.add(bytes, (500_000 + bytes / 10.0) * (0.8 + 0.4 * random.nextDouble()));
        }
        assertThat(line.at(2_000_000)).isBetween(600_000.0, 800_000.0);
        assertThat(line.at(20_000_000)).isBetween(2_000_000.0, 3_000_000.0);
    }

    @Test
    void aLineThroughOneSizeLeadsToZero() {
        DecayingLinearFit line = new DecayingLinearFit(1000, 5, 2000, 6);
        for (int round = 0; round < 1000; round++) {
            line.add(1_000_000 + round % 7, 3_000_000);
        }
        assertThat(line.at(1_000_000)).isBetween(2_990_000.0, 3_010_000.0);
        assertThat(line.at(500_000)).isBetween(1_490_000.0, 1_510_000.0);
    }

    @Test
    void aLineNeverBeginsNorFallsBelowZero() {
        DecayingLinearFit steep = new DecayingLinearFit(1000, 0, 2000, 10_000);
        assertThat(steep.fixedNanos()).isZero();
        assertThat(steep.at(0)).isZero();
        DecayingLinearFit falling = new DecayingLinearFit(1000, 100, 2000, 10);
        assertThat(falling.nanosPerByte()).isZero();
        assertThat(falling.at(1 << 30)).isBetween(10.0, 100.0);
    }

    @Test
    void theMedianIsInTheMiddle() {
        MedianError errors = new MedianError();
        assertThat(errors.percent()).isNaN();
        for (double predicted : new double[] {100, 90, 130, 50, 100_000}) {
            errors.add(predicted, 100);
        }
        assertThat(errors.count()).isEqualTo(5);
        assertThat(errors.percent()).isEqualTo(31);
    }

    @Test
    void eachSideIsAskedBeforeTheyAreCompared() {
        for (int round = 0; round < RouteCosts.LEAST_ASKED; round++) {
            assertThat(choose(MEBIBYTE, 0)).isFalse();
        }
        for (int round = 0; round < RouteCosts.LEAST_ASKED; round++) {
            assertThat(choose(MEBIBYTE, 0)).isTrue();
        }
    }

    @Test
    void whereTheCpuIsKnownToBeSlowADeviceIsAskedFirst() {
        CostModel model = CostModel.learning();
        CodecOptions options = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
        RouteCosts slow = model.of(Format.BZIP2, Direction.DECODE, options, 35e6, true);
        for (int round = 0; round < 100; round++) {
            assertThat(model.choose(slow, options, 8L * MEBIBYTE, 0, new ToldPool()))
                    .isEqualTo(Choice.DEVICE);
            slow.deviceDid(8L * MEBIBYTE, 0, 15_000_000, 0, 3_000_000, 1_000_000);
        }
        assertThat(slow.deviceIsCheaper(8L * MEBIBYTE, 400L * MEBIBYTE, WEIGHT, System.nanoTime()))
                .as("behind a queue that lasts longer than the CPU needs")
                .isFalse();
    }

    @Test
    void aColdStartAndAHiccupDoNotSpoilTheModel() {
        costs.cpuDid(MEBIBYTE, 500_000_000);
        double assumed = costs.report("x", WEIGHT).cpuNanosPerByte() * MEBIBYTE;
        assertThat(assumed).as("the first is not learned from").isLessThan(2_000_000);
        for (int round = 0; round < 50; round++) {
            costs.cpuDid(MEBIBYTE, 1_000_000);
        }
        costs.cpuDid(MEBIBYTE, 500_000_000);
        CostReport report = costs.report("x", WEIGHT);
        assertThat(report.cpuFixedNanos() + report.cpuNanosPerByte() * MEBIBYTE).isLessThan(1_200_000);
    }

    @Test
    void aLastingChangeIsFollowed() {
        for (int round = 0; round < 50; round++) {
            costs.cpuDid(MEBIBYTE, 1_000_000);
        }
        for (int round = 0; round < 100; round++) {
            costs.cpuDid(MEBIBYTE, 20_000_000);
        }
        CostReport report = costs.report("x", WEIGHT);
        assertThat(report.cpuFixedNanos() + report.cpuNanosPerByte() * MEBIBYTE).isGreaterThan(15_000_000);
    }

    @Test
    void theCheaperSideIsChosen() {
        see(2.0, 0.3);
        assertThat(choose(4 * MEBIBYTE, 0))
                .as("8 ms on the CPU, 1.4 on an idle device")
                .isTrue();
        assertThat(choose(10_000, 0)).as("20 us on the CPU, 1 ms on the device").isFalse();
        assertThat(choose(4 * MEBIBYTE, 1L << 30)).as("a gigabyte is queued").isFalse();
    }

    @Test
    void whatTheThreadDoesMeanwhileDoesNotCount() {
        see(0.5, 0.1);
        assertThat(choose(2 * MEBIBYTE, 0))
                .as("1 ms of waiting against 1 ms of work, twice")
                .isTrue();
        RouteCosts busy = new RouteCosts(1e6, false);
        see(busy, 0.25, 0.1, 0);
        assertThat(busy.deviceIsCheaper(2 * MEBIBYTE, 0, WEIGHT, now)).isFalse();
        RouteCosts ahead = new RouteCosts(1e6, false);
        see(ahead, 0.25, 0.1, 2_000_000);
        assertThat(ahead.deviceIsCheaper(2 * MEBIBYTE, 0, WEIGHT, now)).isTrue();
    }

    @Test
    void theDevicesThreadIsPaidForToo() {
        see(0.5, 0.1);
        assertThat(choose(2 * MEBIBYTE, 0)).isTrue();
        RouteCosts polled = new RouteCosts(1e6, false);
        see(polled, 0.5, 0.1, 0, 900_000);
        assertThat(polled.deviceIsCheaper(2 * MEBIBYTE, 0, WEIGHT, now))
                .as("0.9 ms of polling more")
                .isFalse();
    }

    @Test
    void theWeightIsThePriceOfHostTime() {
        see(0.25, 0.05);
        assertThat(costs.deviceIsCheaper(2 * MEBIBYTE, 0, 0, now))
                .as("only elapsed time")
                .isFalse();
        assertThat(costs.deviceIsCheaper(2 * MEBIBYTE, 0, 10, now))
                .as("host time is dear")
                .isTrue();
    }

    @Test
    void aSideThatWasNotAskedForLongIsTriedAgain() {
        see(0.25, 0.1);
        assertThat(choose(2 * MEBIBYTE, 0)).isFalse();
        int rounds = 0;
        while (!choose(2 * MEBIBYTE, 0)) {
            now += RouteCosts.HALVING_NANOS / 4;
            assertThat(++rounds).isLessThan(100);
        }
        assertThat(choose(2 * MEBIBYTE, 0)).as("once").isFalse();
    }

    @Test
    void hostTimeCountsOnceElapsedAndOncePaid() {
        see(0.8, 0.25);
        // at 4 MiB the device takes 1.1 ms and the thread 1.0, twice: 3.2 ms, and the CPU 3.4, twice: 6.7
        assertThat(choose(4 * MEBIBYTE, 0)).isTrue();
        RouteCosts copying = new RouteCosts(1e6, false);
        see(copying, 0.8, 0.75, 0);
        // the thread 3.1 ms, twice: 7.4; counted once less 4.3
        assertThat(copying.deviceIsCheaper(4 * MEBIBYTE, 0, WEIGHT, now)).isFalse();
    }

    @Test
    void aStreamThatTheCpuWouldKeepAsksDevicesFirst() {
        RouteCosts streams = new RouteCosts(3e6, true);
        for (int round = 0; round < 2 * RouteCosts.LEAST_ASKED; round++) {
            assertThat(streams.deviceIsCheaper(8 * MEBIBYTE, 0, WEIGHT, now))
                    .as("round %d", round)
                    .isTrue();
        }
    }

    @Test
    void aStreamIsNotGivenToTheCpuToSeeWhatItCosts() {
        RouteCosts streams = new RouteCosts(3e6, true);
        see(streams, 3.0, 0.3, 0);
        assertThat(streams.deviceIsCheaper(8 * MEBIBYTE, 0, WEIGHT, now)).isTrue();
        // a prediction that was not tried for long is doubted, of streams only that of devices
        now += 100 * RouteCosts.HALVING_NANOS;
        for (int round = 0; round < 2; round++) {
            assertThat(streams.deviceIsCheaper(8 * MEBIBYTE, 0, WEIGHT, now))
                    .as("round %d", round)
                    .isTrue();
        }
        RouteCosts dear = new RouteCosts(3e6, true);
        see(dear, 0.1, 0.3, 0);
        assertThat(dear.deviceIsCheaper(8 * MEBIBYTE, 0, WEIGHT, now)).isFalse();
    }

    @Test
    void predictionsAreHeldAgainstWhatHappened() {
        see(2.0, 0.3);
        CostReport report = costs.report("x", WEIGHT);
        assertThat(report.devicePredictions()).isGreaterThan(100);
        assertThat(report.deviceErrorPercent()).isLessThan(10);
        assertThat(report.cpuErrorPercent()).isLessThan(10);
        assertThat(report.cpuNanosPerByte()).isBetween(1.9, 2.1);
        assertThat(report.breakEvenBytes()).isBetween(64L << 10, 1L << 20);
    }

    @Test
    void aStreamThatReadsAheadDoesNotWaitForTheDevice() {
        see(0.35, 0.1);
        assertThat(choose(MEBIBYTE, 0))
                .as("1.0 ms of waiting, 0.4 ms on the CPU, twice")
                .isFalse();
        assertThat(costs.deviceIsCheaper(MEBIBYTE, RouteCosts.PIPELINED_BYTES - 1, 0, WEIGHT, now))
                .as("of a batch that is small")
                .isFalse();
        assertThat(costs.deviceIsCheaper(MEBIBYTE, RouteCosts.PIPELINED_BYTES, 1L << 30, WEIGHT, now))
                .as("of a large batch, whatever is queued")
                .isTrue();
        RouteCosts surprised = new RouteCosts(1e6, false);
        see(surprised, 0.35, 5, 0);
        assertThat(surprised.deviceIsCheaper(MEBIBYTE, 1L << 30, 0, WEIGHT, now))
                .as("where the host has seemed to work long for the device")
                .isTrue();
        assertThat(new RouteCosts(1e6, false).deviceIsCheaper(MEBIBYTE, 1L << 30, 0, WEIGHT, now))
                .as("before the CPU was seen")
                .isFalse();
    }

    /** A process whose code was not compiled when it first asked a device must not stay on the CPU for that. */
    @Test
    void whatWasLearnedLongAgoIsSoonForgotten() {
        see(0.25, 10);
        assertThat(choose(MEBIBYTE, 0)).as("10 ms on the host, 0.25 on the CPU").isFalse();
        int inARow = 0;
        int quarters = 0;
        while (inARow < 5) {
            now += RouteCosts.HALVING_NANOS / 4;
            assertThat(++quarters).as("half seconds").isLessThan(80);
            inARow = choose(MEBIBYTE, 0) ? inARow + 1 : 0;
            if (inARow > 0) {
                costs.deviceDid(MEBIBYTE, 0, 100_000, 0, 50_000, 0);
            } else {
                costs.cpuDid(MEBIBYTE, 262_144);
            }
        }
    }

    @Test
    void ageingLeavesALineWhereItIs() {
        DecayingLinearFit line = new DecayingLinearFit(0, 0, MEBIBYTE, 1);
        for (int bytes = 1; bytes <= 64; bytes++) {
            line.add(bytes * 1000, 5000 + 2.0 * bytes * 1000);
        }
        double before = line.at(MEBIBYTE);
        line.age(1e-9);
        assertThat(line.at(MEBIBYTE)).isCloseTo(before, within(1.0));
        line.age(0);
        assertThat(line.at(MEBIBYTE)).isCloseTo(before, within(1.0));
        line.add(MEBIBYTE, 1);
        assertThat(line.at(MEBIBYTE))
                .as("one point counts as much as all before")
                .isLessThan(0.6 * before);
    }

    @Test
    void onlyAutoLeavesItOpen() {
        CostModel model = CostModel.learning();
        CodecOptions options = CodecOptions.DEFAULTS;
        RouteCosts fresh = model.of(Format.LZ4, Direction.DECODE, options, 1e6, false);
        DevicePool pool = new ToldPool();
        assertThat(model.choose(fresh, options, 1000, 0, pool)).isEqualTo(Choice.CPU);
        assertThat(model.choose(fresh, options.withMode(Mode.GPU), 1, 0, pool)).isEqualTo(Choice.DEVICE);
        assertThat(model.report(1)).extracting(CostReport::work).containsExactly("decode lz4");
    }

    private boolean choose(long rawBytes, long backlogBytes) {
        return costs.deviceIsCheaper(rawBytes, backlogBytes, WEIGHT, now);
    }

    private void see(double cpuNanosPerByte, double hostNanosPerByte) {
        see(costs, cpuNanosPerByte, hostNanosPerByte, 0);
    }

    private void see(RouteCosts these, double cpuNanosPerByte, double hostNanosPerByte, long leadNanos) {
        see(these, cpuNanosPerByte, hostNanosPerByte, leadNanos, 0);
    }

    /** Both sides were asked often; the device takes a millisecond and 0.03 ns a byte. */
    private void see(
            RouteCosts these, double cpuNanosPerByte, double hostNanosPerByte, long leadNanos, long poolNanos) {
        Random random = new Random(2);
        for (int round = 0; round < 2 * RouteCosts.LEAST_ASKED; round++) {
            these.deviceIsCheaper(1, 0, WEIGHT, now);
        }
        for (int round = 0; round < 300; round++) {
            int bytes = 1 + random.nextInt(4 * MEBIBYTE);
            long backlog = (long) random.nextInt(64) * MEBIBYTE;
            these.cpuDid(bytes, 1 + Math.round(cpuNanosPerByte * bytes));
            these.deviceDid(
                    bytes,
                    backlog,
                    1_000_000 + Math.round(0.03 * (backlog + bytes)),
                    leadNanos,
                    1 + Math.round(hostNanosPerByte * bytes),
                    poolNanos);
        }
    }
}
