package io.warpcodec.engine.gpu.node;

import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A {@link ServedNode} over a {@link ScriptedDriver}: all of the service's logic, on a machine without a device. */
public final class ScriptedNode implements AutoCloseable {
    public static final int SEGMENT_BYTES = 8 << 20;

    private final ScriptedDriver driver;
    private final ServedNode node;

    private ScriptedNode(ScriptedDriver driver, ServedNode node) {
        this.driver = driver;
        this.node = node;
    }

    /** Opens one with as little memory for the client as these limits give a pool. */
    public static ScriptedNode open(int deviceCount, PoolLimits limits) {
        return open(deviceCount, limits, caps(limits.pinnedMaxBytes()));
    }

    /** As {@link #open(int, PoolLimits)}, but with other caps. */
    public static ScriptedNode open(int deviceCount, PoolLimits limits, NodeCaps caps) {
        try {
            return openIn(ServedNode.newFolder(), deviceCount, limits, caps, NodeLimits.USUAL);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One device, with another patience. */
    public static ScriptedNode open(NodeCaps caps, NodeLimits limits) throws IOException {
        return openIn(ServedNode.newFolder(), 1, ScriptedGpu.smallLimits(), caps, limits);
    }

    /** Opens one in a folder. */
    public static ScriptedNode openIn(Path folder, int deviceCount, PoolLimits limits) {
        return openIn(folder, deviceCount, limits, caps(limits.pinnedMaxBytes()), NodeLimits.USUAL);
    }

    private static ScriptedNode openIn(
            Path folder, int deviceCount, PoolLimits limits, NodeCaps caps, NodeLimits patience) {
        ScriptedDriver driver = ScriptedGpu.newDriver(deviceCount);
        return new ScriptedNode(
                driver,
                ServedNode.openIn(
                        folder,
                        new CpuEngine(),
                        driver.openPool(limits.withPinnedMaxBytes(0), new GpuPrograms(), Metrics::counter),
                        caps,
                        patience));
    }

    /** Caps of a client that may have so much. */
    public static NodeCaps caps(long clientBytes) {
        return new NodeCaps(64, 1024, clientBytes, 8 * clientBytes, clientBytes, SEGMENT_BYTES);
    }

    public ScriptedDriver driver() {
        return driver;
    }

    public ServedNode node() {
        return node;
    }

    public NodePool pool() {
        return node.pool();
    }

    public Engine engine() {
        return node.engine();
    }

    /** Whether a device of it has worked at all. */
    public boolean hasWorked() {
        return driver.count(ScriptedDriver.Call.LAUNCH) > 0;
    }

    @Override
    public void close() {
        node.close();
    }
}
