package io.warpcodec.engine.gpu.node;

import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.serve.NodeGate;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.device.serve.NodeService;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A process that serves scripted devices: {@code FOLDER DEVICES CLIENT_BYTES}. It ends when its standard input does.
 */
public final class ScriptedServeMain {
    private ScriptedServeMain() {}

    public static void main(String[] arguments) throws Exception {
        ScriptedDriver driver = ScriptedGpu.newDriver(Integer.parseInt(arguments[1]));
        PoolLimits small = ScriptedGpu.smallLimits();
        PoolLimits limits = new PoolLimits(
                small.memoryMaxBytes(), 0, small.waveBytes(), small.lingerNanos(), small.watchdogNanos());
        OwnPool devices = driver.openPool(limits, new GpuPrograms(), Metrics::counter);
        devices.awaitStart(TimeUnit.SECONDS.toNanos(60));
        long clientBytes = Long.parseLong(arguments[2]);
        NodeService service = NodeService.open(
                Path.of(arguments[0]),
                devices,
                GpuPrograms.readers(),
                ScriptedNode.caps(clientBytes),
                NodeLimits.USUAL,
                NodeGate.EVERYONE);
        System.out.println("serving");
        while (System.in.read() >= 0) {
            // the parent lives
        }
        service.close();
        Runtime.getRuntime().halt(0);
    }
}
