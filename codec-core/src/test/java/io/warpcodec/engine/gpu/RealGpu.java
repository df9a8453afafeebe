package io.warpcodec.engine.gpu;

import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.choice.DeviceChoices;

/** The GPU engine of this machine for tests: also in mode auto devices get all work that they can do. */
public final class RealGpu {
    private RealGpu() {}

    /** @throws EngineUnavailableException if there is none */
    public static Engine open(LendingEngine cpu) throws EngineUnavailableException {
        return GpuEngine.open(cpu, DeviceChoices.deviceAlways());
    }

    /** Page-locked bytes that tasks hold. */
    public static long lentBytes(Engine gpu) {
        return ((GpuEngine) gpu).pool().lentBytes();
    }
}
