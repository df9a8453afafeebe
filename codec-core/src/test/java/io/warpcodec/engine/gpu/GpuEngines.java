package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.PoolSettings;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.choice.DeviceChoices;

/** Package-private parts of the GPU engine, for tests in other packages. */
public final class GpuEngines {
    private GpuEngines() {}

    /** An engine on a pool. */
    public static GpuEngine over(LendingEngine cpu, DevicePool pool, DeviceChoices choices) {
        return new GpuEngine(cpu, pool, choices);
    }

    /** Limits of a pool of these devices in this process. */
    public static PoolLimits limits(PoolSettings settings, int deviceCount) {
        return GpuEngine.limits(settings, deviceCount);
    }

    /** Plans of a format's chunks. */
    public static DecodePlanner planner(Format format, CodecOptions options) {
        return GpuFormats.planner(format, options, 0);
    }
}
