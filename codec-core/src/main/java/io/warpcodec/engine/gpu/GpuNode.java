package io.warpcodec.engine.gpu;

import io.warpcodec.PoolSettings;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeGate;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.device.serve.NodeService;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Opens the service of a node on this machine's devices. */
public final class GpuNode {
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long DEFAULT_LOCKED_BYTES = 4L << 30;
    private static final int DEFAULT_LOCKED_SHARE = 8;

    private GpuNode() {}

    /**
     * Starts the devices and serves them.
     *
     * @param settings of the pool; {@code pinned.max} is what all clients may have, 4 GiB by default, or an eighth of
     *     the machine's memory if that is less
     * @param folder of the service, on tmpfs
     * @param gate who may be a client
     * @throws EngineUnavailableException if no device runs
     * @throws IOException if the folder is another service's, or cannot be used
     */
    public static NodeService open(PoolSettings settings, Path folder, NodeGate gate)
            throws EngineUnavailableException, IOException {
        List<DeviceInfo> devices = GpuEngine.devices(settings);
        // the clients bring the memory of all leases
        PoolLimits limits = GpuEngine.limits(settings, devices.size()).withPinnedMaxBytes(0);
        OwnPool pool = OwnPool.open(devices, limits, new GpuPrograms(), Metrics::counter)
                .orElseThrow(() -> new EngineUnavailableException(
                        FallbackReason.POOL_ELSEWHERE, "another class loader of this JVM has the devices"));
        try {
            pool.awaitStart(START_NANOS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!pool.isRunning()) {
            FallbackReason why = pool.unavailableReason();
            pool.close();
            throw new EngineUnavailableException(
                    why == null ? FallbackReason.DEVICE_FAILED : why, "no device has started");
        }
        long lockedBytes = settings.pinnedMaxBytes() == PoolSettings.UNSET
                ? Math.min(DEFAULT_LOCKED_BYTES, machineBytes() / DEFAULT_LOCKED_SHARE)
                : settings.pinnedMaxBytes();
        return NodeService.open(folder, pool, GpuPrograms.readers(), NodeCaps.of(lockedBytes), NodeLimits.USUAL, gate);
    }

    private static long machineBytes() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
    }
}
