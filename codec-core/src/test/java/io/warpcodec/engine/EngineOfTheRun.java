package io.warpcodec.engine;

import io.warpcodec.Engines;
import io.warpcodec.engine.cpu.CpuEngine;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Puts the engine that {@code -Dwarpcodec.test.engine} names under a whole test run: {@code cranky} with a seed from
 * {@code -Dwarpcodec.test.seed}. The number of leases that did not come
 * back is printed; suites that close all their streams assert that it is 0.
 */
public final class EngineOfTheRun implements LauncherSessionListener {
    private CrankyEngine cranky;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if ("cranky".equals(System.getProperty("warpcodec.test.engine"))) {
            long seed = Long.getLong("warpcodec.test.seed", 1);
            System.out.println("engine of this run: cranky, seed " + seed);
            cranky = new CrankyEngine(new CpuEngine(), seed);
            Engines.installAccelerator(cranky);
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (cranky != null) {
            System.out.println("cranky engine: " + cranky.chunkCount() + " chunks, "
                    + cranky.lentLeases().size() + " leases not given back");
        }
    }
}
