package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import org.junit.jupiter.api.AfterEach;

/** On a scripted device. */
class ZstdSegmentLiesTest extends ZstdSegmentLiesContract {
    private ScriptedGpu gpu;

    @Override
    OwnPool openPool() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits());
        return gpu.pool();
    }

    @AfterEach
    void closeDevice() {
        gpu.close();
    }

    @Override
    int lies() {
        return 60;
    }
}
