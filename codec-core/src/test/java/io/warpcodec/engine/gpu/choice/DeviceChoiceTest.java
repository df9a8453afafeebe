package io.warpcodec.engine.gpu.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.gpu.choice.DeviceChoices.Verdict;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long MILLI = 1_000_000;
    private static final double WEIGHT = 1;

    /** A known price of 1 ms for a mebibyte. */
    private final DeviceChoice choice = new DeviceChoice("x", MILLI, false);

    private long now = 1;

    private boolean isForDevice(long rawBytes, long batchBytes) {
        return choice.isForDevice(rawBytes, batchBytes, WEIGHT, now);
    }

    private void ask() {
        for (int round = 0; round < DeviceChoice.CPU_FIRST; round++) {
            assertThat(isForDevice(8 * MEBIBYTE, 8 * MEBIBYTE)).isFalse();
        }
    }

    @Test
    void theCpuIsAskedFirst() {
        ask();
        assertThat(isForDevice(8 * MEBIBYTE, 8 * MEBIBYTE)).isTrue();
    }

    @Test
    void theCpuIsNotAskedOnlyToSeeWhereItIsDear() {
        DeviceChoice dear = new DeviceChoice("x", 35 * MILLI, true);
        assertThat(dear.isForDevice(MEBIBYTE, 0, WEIGHT, now)).isTrue();
        assertThat(dear.isForDevice(1000, 0, WEIGHT, now)).isFalse();
    }

    @Test
    void aStreamThatKeepsWorkInFlightGetsDevices() {
        ask();
        for (int round = 0; round < 100; round++) {
            choice.turnedAround(1000 * MILLI, now);
            choice.cpuDid(MEBIBYTE, MILLI / 10);
        }
        assertThat(isForDevice(1, DeviceChoice.PIPELINED_BYTES)).isTrue();
        assertThat(isForDevice(1, DeviceChoice.PIPELINED_BYTES - 1)).isFalse();
    }

    @Test
    void workThatIsWaitedForIsADevicesFromTheTurnaroundOn() {
        ask();
        // the known turnaround is 1 ms, and so is what the CPU takes, counted twice, for half a mebibyte
        assertThat(choice.leastBytes(WEIGHT, now)).isCloseTo(MEBIBYTE / 2.0, within(1.0));
        assertThat(isForDevice(MEBIBYTE / 2 + 1, 0)).isTrue();
        assertThat(isForDevice(MEBIBYTE / 2 - 1, 0)).isFalse();
        choice.turnedAround(MILLI / 2, now);
        assertThat(isForDevice(MEBIBYTE / 4 + 1, 0)).isTrue();
        assertThat(isForDevice(MEBIBYTE / 4 - 1, 0)).isFalse();
    }

    @Test
    void aFastCpuGetsLargerWork() {
        ask();
        choice.cpuDid(MEBIBYTE, 500 * MILLI);
        for (int round = 0; round < 100; round++) {
            choice.cpuDid(MEBIBYTE, MILLI / 4);
        }
        assertThat(choice.leastBytes(WEIGHT, now)).isCloseTo(2.0 * MEBIBYTE, within(1000.0));
    }

    @Test
    void theWeightIsThePriceOfTheProcessor() {
        ask();
        assertThat(choice.leastBytes(0, now)).isCloseTo(1.0 * MEBIBYTE, within(1.0));
        assertThat(choice.leastBytes(9, now)).isCloseTo(MEBIBYTE / 10.0, within(1.0));
    }

    @Test
    void aBadMomentIsNotForEver() {
        ask();
        choice.turnedAround(100 * MILLI, now);
        assertThat(isForDevice(MEBIBYTE, 0)).isFalse();
        now += DeviceChoice.REMEMBERED_NANOS - 1;
        assertThat(isForDevice(MEBIBYTE, 0)).isFalse();
        now += 1;
        assertThat(isForDevice(MEBIBYTE, 0)).isTrue();
        choice.turnedAround(MILLI, now);
        assertThat(choice.leastBytes(WEIGHT, now))
                .as("what was forgotten does not count")
                .isCloseTo(MEBIBYTE / 2.0, within(1.0));
    }

    @Test
    void aLastingChangeIsFollowed() {
        choice.cpuDid(MEBIBYTE, 1);
        for (int round = 0; round < 50; round++) {
            choice.cpuDid(MEBIBYTE, MILLI);
            choice.turnedAround(MILLI, now);
        }
        for (int round = 0; round < 100; round++) {
            choice.cpuDid(MEBIBYTE, 3 * MILLI);
            choice.turnedAround(6 * MILLI, now);
        }
        ChoiceReport report = choice.report(WEIGHT, now);
        assertThat(report.cpuNanosPerByte() * MEBIBYTE).isBetween(2.9 * MILLI, 3.1 * MILLI);
        assertThat(report.turnaroundNanos()).isBetween(5.9 * MILLI, 6.1 * MILLI);
        assertThat(report.leastBytes()).isBetween((long) (0.95 * MEBIBYTE), (long) (1.05 * MEBIBYTE));
    }

    @Test
    void aColdStartIsNoLessonAndAHiccupASmallOne() {
        choice.cpuDid(MEBIBYTE, 500 * MILLI);
        assertThat(choice.cpuNanos(MEBIBYTE)).isCloseTo(MILLI, within(1.0));
        for (int round = 0; round < 50; round++) {
            choice.cpuDid(MEBIBYTE, MILLI);
        }
        choice.cpuDid(MEBIBYTE, 500 * MILLI);
        assertThat(choice.cpuNanos(MEBIBYTE)).isLessThan(1.25 * MILLI);
    }

    @Test
    void largePiecesSayWhatTheCpuTakes() {
        choice.cpuDid(MEBIBYTE, MILLI);
        for (int round = 0; round < 30; round++) {
            choice.cpuDid(1000, 4000);
            choice.cpuDid(4 * MEBIBYTE, 4 * MILLI);
        }
        assertThat(choice.cpuNanos(MEBIBYTE)).isCloseTo(MILLI, within(0.01 * MILLI));
    }

    @Test
    void onlyAutoLeavesItOpen() {
        DeviceChoices choices = DeviceChoices.learning();
        CodecOptions options = CodecOptions.DEFAULTS;
        DeviceChoice fresh = choices.of(Format.LZ4, Direction.DECODE, options, 1e6, false);
        DevicePool pool = new ToldPool();
        assertThat(choices.choose(fresh, options, 1000, 0, pool)).isEqualTo(Verdict.CPU);
        assertThat(choices.choose(fresh, options.withMode(Mode.GPU), 1, 0, pool))
                .isEqualTo(Verdict.DEVICE);
        assertThat(choices.of(Format.LZ4, Direction.DECODE, options, 1e6, false))
                .isSameAs(fresh);
        assertThat(choices.ofSessions(Format.LZ4, options, 1e6, false)).isNotSameAs(fresh);
        assertThat(choices.report(1, now))
                .extracting(ChoiceReport::work)
                .containsExactly("decode lz4", "decode lz4 runs");
    }

    /** A core takes a hundred times as long for a strong level as for a quick one, and not to decode. */
    @Test
    void whatIsEncodedIsKnownByItsLevel() {
        DeviceChoices choices = DeviceChoices.learning();
        CodecOptions strong = CodecOptions.DEFAULTS.withLevel(19);
        DeviceChoice quick = choices.of(Format.ZSTD, Direction.ENCODE, CodecOptions.DEFAULTS, 5e6, false);
        assertThat(choices.of(Format.ZSTD, Direction.ENCODE, strong, 3.5e8, true))
                .isNotSameAs(quick);
        assertThat(choices.of(Format.ZSTD, Direction.DECODE, strong, 2e6, false))
                .isSameAs(choices.of(Format.ZSTD, Direction.DECODE, CodecOptions.DEFAULTS, 2e6, false));
        assertThat(choices.report(1, now))
                .extracting(ChoiceReport::work)
                .containsExactly("decode zstd", "encode zstd", "encode zstd level 19");
    }
}
