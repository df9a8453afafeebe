package io.warpcodec.engine;

import io.warpcodec.Engines;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.RealGpu;
import io.warpcodec.engine.gpu.node.NodeProcess;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Puts the engine that {@code -Dwarpcodec.test.engine} names under a whole test run:
 *
 * <ul>
 *   <li>{@code cranky}: {@link CrankyEngine}, with a seed from {@code -Dwarpcodec.test.seed}
 *   <li>{@code scripted-gpu}: the GPU engine on a driver in host memory
 *   <li>{@code scripted-node}: the GPU engine on such a driver, through a node's service in another process
 *   <li>{@code gpu}: the devices of this machine
 *   <li>{@code node}: the devices of this machine, through a node's service in another process
 * </ul>
 *
 * <p>Scripted devices are two, or as many as {@code -Dwarpcodec.test.devices} says. At the end it prints how much the
 * engine did, and fails the run if that is nothing, so that the run proves nothing about the engine, or if memory that
 * the engine lent is out.
 */
public final class EngineOfTheRun implements LauncherSessionListener {
    private static final int SCRIPTED_DEVICES = Integer.getInteger("warpcodec.test.devices", 2);

    private String name = "";
    private LongSupplier lent;
    private BooleanSupplier hasWorked;
    private Runnable report = () -> {};
    private Runnable close = () -> {};

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        name = System.getProperty("warpcodec.test.engine", "");
        switch (name) {
            case "" -> {}
            case "cranky" -> installCranky(Long.getLong("warpcodec.test.seed", 1));
            case "scripted-gpu" -> installScripted();
            case "scripted-node" -> installNode(NodeProcess.scripted(new CpuEngine(), SCRIPTED_DEVICES));
            case "gpu" -> installReal();
            case "node" -> installNode(NodeProcess.real(new CpuEngine()));
            default -> throw new IllegalArgumentException("no test engine named " + name);
        }
    }

    private void installCranky(long seed) {
        CrankyEngine cranky = new CrankyEngine(new CpuEngine(), seed);
        install(cranky.selector(), () -> cranky.lentLeases().size(), () -> cranky.chunkCount() > 0);
        report = () -> System.out.println("cranky engine: " + cranky.chunkCount() + " chunks");
        System.out.println("engine of this run: cranky, seed " + seed);
    }

    private void installScripted() {
        ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), SCRIPTED_DEVICES, ScriptedGpu.smallLimits()).started();
        install(withCpu(gpu.engine()), gpu.pool()::lentBytes, gpu::hasWorked);
        report = EngineOfTheRun::printCounters;
        close = gpu::close;
        System.out.println("engine of this run: gpu on a scripted driver, devices: " + SCRIPTED_DEVICES);
    }

    private void installNode(NodeProcess node) {
        long before = deviceChunks();
        install(withCpu(node.engine()), node.pool()::lentBytes, () -> deviceChunks() > before);
        report = EngineOfTheRun::printCounters;
        close = node::close;
        System.out.println("engine of this run: gpu through a service, in a process of its own: " + name);
    }

    private void installReal() {
        Engine gpu = realGpu();
        install(withCpu(gpu), () -> RealGpu.lentBytes(gpu), () -> deviceChunks() > 0);
        report = EngineOfTheRun::printCounters;
        System.out.println("engine of this run: gpu");
    }

    private static long deviceChunks() {
        return Metrics.sum("", ".gpu.chunks");
    }

    private static EngineSelector withCpu(Engine accelerator) {
        return new EngineSelector(new CpuEngine(), AcceleratorStart.of(accelerator));
    }

    private void install(EngineSelector engines, LongSupplier lent, BooleanSupplier hasWorked) {
        Engines.install(engines);
        this.lent = lent;
        this.hasWorked = hasWorked;
    }

    private static Engine realGpu() {
        try {
            Engine gpu = RealGpu.open(new CpuEngine());
            FallbackReason unavailableReason = gpu.unavailableReason(true);
            if (unavailableReason != null) {
                throw new IllegalStateException("no GPU engine: " + unavailableReason);
            }
            return gpu;
        } catch (EngineUnavailableException unavailable) {
            throw new IllegalStateException("no GPU engine", unavailable);
        }
    }

    private static void printCounters() {
        Metrics.snapshot().forEach((counter, value) -> {
            if (counter.startsWith("pool.") || counter.contains(".gpu.chunks") || counter.startsWith("fallback.")) {
                System.out.println(counter + " " + value);
            }
        });
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        report.run();
        try {
            requireThatItWorked();
        } finally {
            close.run();
        }
    }

    private void requireThatItWorked() {
        if (lent == null) {
            return;
        }
        if (!hasWorked.getAsBoolean()) {
            throw new AssertionError("the " + name + " engine of this run did nothing");
        }
        Drained.await(
                name.equals("cranky") ? "leases of the cranky engine" : "page-locked bytes of this run's engine", lent);
    }
}
