package io.warpcodec;

import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.ThreadedCpuEngine;
import io.warpcodec.metrics.FallbackReason;
import java.lang.reflect.InvocationTargetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: the one place that knows both engines. Everything here is static because a JVM has one pool of
 * devices; a second copy of these classes under another class loader gets the CPU.
 *
 * <p>The GPU engine is found by name, so that the CPU path runs without its classes. Nothing is loaded before the first
 * stream works. Thread-safe.
 */
public final class Engines {
    private static final Logger LOG = LoggerFactory.getLogger(Engines.class);
    private static final String GPU_ENGINE_CLASS = "io.warpcodec.engine.gpu.GpuEngine";
    private static volatile EngineSelector selector;
    private static AcceleratorStart start;
    private static boolean longLifeExpected;
    private static int cpuThreads = 1;
    /** Whether it has been said that the node's service is not used: it is looked for every second. */
    private static volatile boolean nodeRefusalSaid;
    /**
     * Whether it has been said that the node's service is missing, or closed to this account, where no other devices
     * are to be used.
     */
    private static volatile boolean nodeAbsenceSaid;

    private Engines() {}

    /**
     * The engines of this JVM. Looks for a device, and says once which engine is active and why, when one is insisted
     * on or its start pays.
     */
    public static EngineSelector selector() {
        EngineSelector known = selector;
        return known != null ? known : make();
    }

    /**
     * Puts an engine in the accelerator's place, for tests and embedders.
     *
     * @param accelerator the engine, or null to discover again at next use
     */
    public static synchronized void installAccelerator(Engine accelerator) {
        install(accelerator == null ? null : new EngineSelector(cpuEngine(), AcceleratorStart.of(accelerator)));
    }

    /**
     * Puts other engines in the place of this JVM's, for tests and embedders.
     *
     * @param engines null to discover again at next use
     */
    public static synchronized void install(EngineSelector engines) {
        selector = engines;
    }

    /**
     * Tells that this process is to live and work for long, as an executor does: in mode {@code auto} its devices
     * then start, in the background, with its first stream, instead of when the start has paid.
     */
    public static synchronized void expectLongLife() {
        longLifeExpected = true;
        if (start != null) {
            start.expectLongLife();
        }
    }

    /**
     * Tells what this process is to do before long: in mode {@code auto} its devices then start at once, if that is
     * worth waiting for, and its streams wait for them.
     *
     * @param level of what is encoded
     * @param bytes raw bytes to encode, or compressed bytes to decode
     * @param mostThreads of the CPU engine that can work on them at once: as many as a file has chunks
     */
    public static void expectWork(Format format, Direction direction, int level, long bytes, int mostThreads) {
        int threads;
        synchronized (Engines.class) {
            threads = cpuThreads;
        }
        selector().expectWork(format, direction, level, bytes, Math.min(threads, mostThreads));
    }

    /**
     * Lets the CPU engine of this JVM work on threads of its own: the setting {@code cpu.threads}, for a process that
     * has the machine to itself. Without this call, as in Hadoop and Spark, a stream's work stays on the thread that
     * reads or writes it. Streams that are open go on as they are.
     *
     * @param threads chunks in work at once; 1 for none but the caller's
     * @throws IllegalArgumentException if {@code threads} is less than 1
     */
    public static synchronized void useCpuThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("cpu.threads " + threads + " is less than 1");
        }
        if (threads != cpuThreads) {
            cpuThreads = threads;
            EngineSelector known = selector;
            selector = known == null ? null : known.withCpu(cpuEngine());
        }
    }

    /**
     * What is installed in this JVM, as {@link #restore} takes it back: both engines, found or still to be found, and
     * what is known of the process. For tests.
     */
    record Installed(EngineSelector selector, AcceleratorStart start, boolean longLifeExpected, int cpuThreads) {}

    /** What is installed now. */
    static synchronized Installed installed() {
        EngineSelector now = selector();
        return new Installed(now, start, longLifeExpected, cpuThreads);
    }

    /** Puts back what was installed; an accelerator that was found stays found. */
    static synchronized void restore(Installed before) {
        selector = before.selector;
        start = before.start;
        longLifeExpected = before.longLifeExpected;
        cpuThreads = before.cpuThreads;
    }

    private static LendingEngine cpuEngine() {
        CpuEngine engine = new CpuEngine();
        return cpuThreads == 1 ? engine : new ThreadedCpuEngine(engine, cpuThreads);
    }

    private static synchronized EngineSelector make() {
        if (selector == null) {
            LendingEngine cpu = cpuEngine();
            start = new AcceleratorStart(
                    () -> discover(cpu), () -> nodeService(cpu), Engines::startTurns, StartEvidence.ofThisProcess());
            if (longLifeExpected) {
                start.expectLongLife();
            }
            selector = new EngineSelector(cpu, start);
        }
        return selector;
    }

    static StartTurns startTurns() {
        if (PoolSettings.current().node().required()) {
            return null;
        }
        try {
            return (StartTurns)
                    Class.forName(GPU_ENGINE_CLASS).getMethod("startTurns").invoke(null);
        } catch (ReflectiveOperationException | LinkageError absent) {
            // then there is nothing to start either
            return StartTurns.alone();
        }
    }

    /**
     * The engine on the devices of the node's service; null if there is none now, or this process is not to use it.
     * Without the service no class of the GPU engine is loaded.
     */
    private static Found nodeService(LendingEngine cpu) {
        NodeSettings node = PoolSettings.current().node();
        if (!node.mayBeThere()) {
            if (node.isClosed()) {
                sayOnce("its folder " + node.folder() + " does not let this account in; `doctor` names the group");
            }
            return null;
        }
        try {
            Engine accelerator = (Engine) Class.forName(GPU_ENGINE_CLASS)
                    .getMethod("openNode", LendingEngine.class)
                    .invoke(null, cpu);
            LOG.info("Warpcodec {} uses the GPUs of the node service", Version.text());
            return new Found(accelerator, null);
        } catch (InvocationTargetException failed) {
            sayOnce(failed.getCause().getMessage());
        } catch (ReflectiveOperationException | LinkageError absent) {
            LOG.debug("{}", absent.toString());
        }
        return null;
    }

    private static void sayOnce(String why) {
        if (!nodeRefusalSaid) {
            nodeRefusalSaid = true;
            LOG.info("The node service is not used: {}", why);
        }
    }

    /** Without the service where it is required: looked for every second, said once. */
    private static Found withoutService(NodeSettings node) {
        FallbackReason why = node.isClosed() ? FallbackReason.NODE_CLOSED : FallbackReason.NODE_LOST;
        if (nodeAbsenceSaid) {
            return new Found(null, why);
        }
        nodeAbsenceSaid = true;
        return unavailable(
                why,
                node.isClosed()
                        ? "devices=node, and the folder " + node.folder() + " does not let this account in"
                        : "devices=node, and the node service is not there");
    }

    private static Found discover(LendingEngine cpu) {
        NodeSettings node = PoolSettings.current().node();
        if (node.required()) {
            return withoutService(node);
        }
        try {
            Class<?> type = Class.forName(GPU_ENGINE_CLASS);
            Engine accelerator =
                    (Engine) type.getMethod("open", LendingEngine.class).invoke(null, cpu);
            LOG.info("Warpcodec {} uses the {} engine", Version.text(), accelerator.name());
            return new Found(accelerator, null);
        } catch (ClassNotFoundException | LinkageError absent) {
            return unavailable(FallbackReason.NO_GPU_ENGINE, absent.toString());
        } catch (InvocationTargetException failed) {
            if (failed.getCause() instanceof EngineUnavailableException unavailable) {
                return unavailable(unavailable.code(), unavailable.getMessage());
            }
            return unavailable(FallbackReason.GPU_ENGINE_FAILED, String.valueOf(failed.getCause()));
        } catch (ReflectiveOperationException failed) {
            return unavailable(FallbackReason.GPU_ENGINE_FAILED, failed.toString());
        }
    }

    private static Found unavailable(FallbackReason code, String reason) {
        LOG.info("Warpcodec {} uses the CPU engine: {}", Version.text(), reason);
        return new Found(null, code);
    }
}
