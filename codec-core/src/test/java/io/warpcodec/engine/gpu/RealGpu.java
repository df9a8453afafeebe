package io.warpcodec.engine.gpu;

import io.warpcodec.PoolSettings;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.cost.CostModel;
import io.warpcodec.metrics.Metrics;

/** The GPU engine of this machine for tests: also in mode auto devices get all work that they can do. */
public final class RealGpu {
    private RealGpu() {}

    /** @throws EngineUnavailableException if there is none */
    public static Engine open(LendingEngine cpu) throws EngineUnavailableException {
        return GpuEngine.open(cpu, CostModel.deviceAlways());
    }

    /** A service of this machine's devices, and a client of it. */
    public static ServedNode openNode(LendingEngine cpu) {
        PoolLimits usual = GpuEngine.limits(PoolSettings.current(), DeviceDriver.devices());
        PoolLimits limits = new PoolLimits(
                usual.memoryMaxBytes(), 0, usual.waveBytes(), usual.lingerNanos(), usual.watchdogNanos());
        OwnPool devices = OwnPool.open(DeviceDriver.devices(), limits, new GpuPrograms(), Metrics::counter)
                .orElseThrow();
        return ServedNode.open(cpu, devices, NodeCaps.of(1L << 30));
    }

    /** Page-locked bytes that tasks hold. */
    public static long lentBytes(Engine gpu) {
        return ((GpuEngine) gpu).pool().lentBytes();
    }
}
