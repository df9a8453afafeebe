package io.warpcodec.engine.gpu.node;

import io.warpcodec.NodeSettings;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.GpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.serve.ServeMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A node's service in a process of its own, and a client of it in this one. Gives all work to the devices, also in
 * mode auto.
 */
public final class NodeProcess implements AutoCloseable {
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path folder;
    private final Process process;
    private final NodePool pool;
    private final GpuEngine engine;

    private NodeProcess(Path folder, Process process, LendingEngine cpu) throws IOException {
        this.folder = folder;
        this.process = process;
        pool = new NodePool(new NodeAddress(folder, Set.of()));
        engine = GpuEngines.over(cpu, pool, DeviceChoices.deviceAlways());
        connect();
    }

    /**
     * Serves so many scripted devices, with as little memory for the client as {@link ScriptedGpu#smallLimits} gives
     * a pool.
     */
    public static NodeProcess scripted(LendingEngine cpu, int deviceCount) {
        try {
            Path folder = ServedNode.newFolder();
            String clientBytes = Long.toString(ScriptedGpu.smallLimits().pinnedMaxBytes());
            return new NodeProcess(
                    folder,
                    // device memory lies on the heap
                    ChildJava.start(
                            160 + 64 * deviceCount,
                            ScriptedServeMain.class,
                            folder.toString(),
                            Integer.toString(deviceCount),
                            clientBytes),
                    cpu);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Serves this machine's devices. */
    public static NodeProcess real(LendingEngine cpu) {
        try {
            Path folder = ServedNode.newFolder();
            return new NodeProcess(folder, ChildJava.start(ServeMain.class, "node.folder=" + folder), cpu);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void connect() throws IOException {
        long begun = System.nanoTime();
        try {
            while (!pool.isRunning()) {
                if (!process.isAlive() || System.nanoTime() - begun > START_NANOS) {
                    close();
                    throw new IOException("the service does not serve");
                }
                if (Files.exists(folder.resolve(NodeSettings.SOCKET))) {
                    pool.awaitFirst(START_NANOS);
                }
                Thread.sleep(10);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    public NodePool pool() {
        return pool;
    }

    public Engine engine() {
        return engine;
    }

    /** Ends the service, as the end of its parent would. */
    @Override
    public void close() {
        pool.close();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the service has not ended");
            }
            ServedNode.delete(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
