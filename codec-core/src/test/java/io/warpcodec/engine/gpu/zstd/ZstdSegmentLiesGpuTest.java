package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.metrics.Metrics;
import java.util.concurrent.TimeUnit;

/** On the first device of this machine. */
@GpuTest
class ZstdSegmentLiesGpuTest extends ZstdSegmentLiesContract {
    @Override
    OwnPool openPool() {
        PoolLimits limits = new PoolLimits(2L << 30, 128 << 20, 8 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        return OwnPool.open(DeviceDriver.devices().subList(0, 1), limits, new GpuPrograms(), Metrics::counter)
                .orElseThrow();
    }

    @Override
    int lies() {
        return Integer.getInteger("warpcodec.test.lies", 3_000);
    }
}
