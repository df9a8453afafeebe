package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Driver calls that never return, each in turn, of devices of this process and of a service, in mode {@code auto}. The
 * task that has the work, and the next task, have their bytes from the CPU after their own bounds. That is long before
 * the watchdog, which is an hour here, says anything.
 */
@Timeout(300)
class HungCallTest {
    private static final byte[] RAW = GpuStreams.text(3_000_000, 1);
    private static final PoolLimits LIMITS = new PoolLimits(48 << 20, 24 << 20, 2 << 20, 0, TimeUnit.HOURS.toNanos(1));

    private ScriptedDriver driver;
    private AutoCloseable devices;

    @AfterEach
    void close() throws Exception {
        Engines.installAccelerator(null);
        driver.endHangs();
        devices.close();
        driver.discard();
    }

    static Stream<Arguments> calls() {
        return EnumSet.of(Call.MAKE_CURRENT, Call.UPLOAD, Call.LAUNCH, Call.DOWNLOAD, Call.IS_DONE, Call.WORK).stream()
                .flatMap(call -> Stream.of("own", "service")
                        .flatMap(where -> Stream.of(1, 4).map(n -> Arguments.of(call, where, n))));
    }

    private DevicePool open(boolean own) throws InterruptedException {
        if (own) {
            ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, LIMITS, DeviceChoices.learning()).started();
            driver = gpu.driver();
            devices = gpu;
            Engines.installAccelerator(gpu.engine());
            return gpu.pool();
        }
        ScriptedNode node = ScriptedNode.open(1, LIMITS);
        driver = node.driver();
        devices = node;
        Engines.installAccelerator(new GpuEngine(new CpuEngine(), node.pool(), DeviceChoices.learning()));
        node.pool().awaitFirst(TimeUnit.SECONDS.toNanos(60));
        return node.pool();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void everyStreamHasItsBytes(Call call, String where, int n) throws Exception {
        DevicePool pool = open(where.equals("own"));
        assertThat(pool.isRunning()).isTrue();
        for (GpuStreams kind : new GpuStreams[] {GpuStreams.BZIP2, GpuStreams.LZ4_FRAME}) {
            byte[] file = kind.write(RAW, 64 << 10);
            // three requests of LZ4 are the CPU's before a device is asked
            for (int round = 0; round < 5; round++) {
                assertThat(Arrays.equals(kind.read(file), RAW)).isTrue();
            }
            if (kind == GpuStreams.BZIP2) {
                driver.failNth(call, n, Script.HANG);
            }
            for (int round = 0; round < 5; round++) {
                assertThat(Arrays.equals(kind.read(file), RAW))
                        .as("%s, round %d", kind, round)
                        .isTrue();
            }
        }
        assertThat(GpuStreams.BZIP2.fallbacks("device-slow")).isPositive();
        assertThat(pool.unavailableReason()).as("the watchdog has said nothing").isNull();
    }
}
