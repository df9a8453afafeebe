package io.warpcodec.engine.gpu.scripted;

import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.GpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.KernelCatalog;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.metrics.Metrics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The real GPU engine and pool over a {@link ScriptedDriver}: all of its logic, on a machine without a device. */
public final class ScriptedGpu implements AutoCloseable {
    private static final long DEVICE_MEMORY_BYTES = 1L << 30;

    private final ScriptedDriver driver;
    private final OwnPool pool;
    private final GpuEngine engine;

    /** Gives all work to its devices, also in mode auto, where they would lose. */
    public ScriptedGpu(LendingEngine cpu, int deviceCount, PoolLimits limits) {
        this(cpu, deviceCount, limits, DeviceChoices.deviceAlways());
    }

    public ScriptedGpu(LendingEngine cpu, int deviceCount, PoolLimits limits, DeviceChoices choices) {
        this(cpu, deviceCount, limits, choices, System::nanoTime);
    }

    /** @param clock of the pool, in nanoseconds */
    public ScriptedGpu(
            LendingEngine cpu, int deviceCount, PoolLimits limits, DeviceChoices choices, LongSupplier clock) {
        this(cpu, newDriver(deviceCount), limits, choices, clock);
    }

    /** Gives all work to devices with other kernels than {@link HostKernels}'. */
    public ScriptedGpu(LendingEngine cpu, int deviceCount, PoolLimits limits, Map<String, Kernel> kernels) {
        this(cpu, newDriver(deviceCount, kernels), limits, DeviceChoices.deviceAlways(), System::nanoTime);
    }

    private ScriptedGpu(
            LendingEngine cpu, ScriptedDriver driver, PoolLimits limits, DeviceChoices choices, LongSupplier clock) {
        this.driver = driver;
        pool = driver.openPool(limits, new GpuPrograms(), Metrics::counter, clock);
        engine = GpuEngines.over(cpu, pool, choices);
    }

    /** A driver with Java kernels for everything that the engine does. */
    public static ScriptedDriver newDriver(int deviceCount) {
        return newDriver(deviceCount, HostKernels.all());
    }

    private static ScriptedDriver newDriver(int deviceCount, Map<String, Kernel> kernels) {
        return new ScriptedDriver(deviceCount, DEVICE_MEMORY_BYTES, kernels, KernelCatalog.contracts());
    }

    /** Small waves and little memory: what is rare on a real device happens all the time. */
    public static PoolLimits smallLimits() {
        return new PoolLimits(
                48 << 20, 24 << 20, 2 << 20, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.SECONDS.toNanos(20));
    }

    /** Room for strong frames of 8 MiB on one device. */
    public static PoolLimits strongLimits() {
        return new PoolLimits(
                800 << 20, 200 << 20, 8 << 20, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.SECONDS.toNanos(20));
    }

    /** What is behind the pool. */
    public ScriptedDriver driver() {
        return driver;
    }

    public OwnPool pool() {
        return pool;
    }

    public Engine engine() {
        return engine;
    }

    /** Waits until each device runs, or has turned out not to. */
    public ScriptedGpu started() {
        try {
            pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return this;
    }

    /** Fails unless all page-locked memory comes back soon: of what was closed unread it does when its wave ends. */
    public void awaitNothingLent() {
        Drained.await("page-locked bytes", pool::lentBytes);
    }

    /** Whether a device of it has worked at all. */
    public boolean hasWorked() {
        return driver.count(ScriptedDriver.Call.LAUNCH) > 0;
    }

    @Override
    public void close() {
        pool.close();
    }
}
