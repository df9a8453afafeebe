package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.pool.FaultyDriver;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.gpu.GpuPrograms;
import java.util.concurrent.TimeUnit;

/** On the devices of this machine, in a pool beside that of the process, without faults. */
@GpuTest
class ZstdSegmentLiesGpuTest extends ZstdSegmentLiesContract {
    @Override
    OwnPool openPool() {
        PoolLimits limits = new PoolLimits(2L << 30, 128 << 20, 8 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        return FaultyDriver.overCuda(TestSeed.value()).openPool(limits, new GpuPrograms());
    }

    @Override
    int lies() {
        return Integer.getInteger("warpcodec.test.lies", 3_000);
    }
}
