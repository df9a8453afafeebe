package io.warpcodec.engine;

import io.warpcodec.Engines;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.RealGpu;
import io.warpcodec.engine.gpu.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Puts the engine that {@code -Dwarpcodec.test.engine} names under a whole test run: {@code cranky} with a seed from {@code
 * -Dwarpcodec.test.seed}, {@code scripted-gpu}, the GPU engine on a driver in host memory, or {@code gpu}, that of this machine. What did not come back, and how much the engine
 * did, is printed at the end; suites that close all their streams assert that nothing is missing.
 */
public final class EngineOfTheRun implements LauncherSessionListener {
    private CrankyEngine cranky;
    private ScriptedGpu gpu;
    private boolean counting;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String engine = System.getProperty("warpcodec.test.engine", "");
        if (engine.equals("cranky")) {
            long seed = Long.getLong("warpcodec.test.seed", 1);
            System.out.println("engine of this run: cranky, seed " + seed);
            cranky = new CrankyEngine(new CpuEngine(), seed);
            Engines.installAccelerator(cranky);
        } else if (engine.equals("scripted-gpu")) {
            System.out.println("engine of this run: gpu on a scripted driver");
            gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
            Engines.installAccelerator(gpu.engine());
            counting = true;
        } else if (engine.equals("gpu")) {
            Engines.installAccelerator(realGpu());
            System.out.println("engine of this run: gpu");
            counting = true;
        } else if (!engine.isEmpty()) {
            throw new IllegalArgumentException("no test engine named " + engine);
        }
    }

    private static Engine realGpu() {
        try {
            Engine gpu = RealGpu.open(new CpuEngine());
            String absence = gpu.absence(true);
            if (absence != null) {
                throw new IllegalStateException("no GPU engine: " + absence);
            }
            return gpu;
        } catch (EngineUnavailableException unavailable) {
            throw new IllegalStateException("no GPU engine", unavailable);
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (cranky != null) {
            System.out.println("cranky engine: " + cranky.chunkCount() + " chunks, "
                    + cranky.lentLeases().size() + " leases not given back");
        }
        if (counting) {
            Metrics.snapshot().forEach((name, value) -> {
                if (name.startsWith("pool.") || name.contains(".gpu.chunks") || name.startsWith("fallback.")) {
                    System.out.println(name + " " + value);
                }
            });
        }
        if (gpu != null) {
            System.out.println("scripted gpu: " + gpu.pool().lentBytes() + " bytes not given back");
            gpu.close();
        }
    }
}
