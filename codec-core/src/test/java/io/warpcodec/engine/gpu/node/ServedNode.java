package io.warpcodec.engine.gpu.node;

import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeGate;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.device.serve.NodeService;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.GpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A node's service and a client of it, through a real socket and real shared memory, in one process. Gives all work
 * to the devices, also in mode auto.
 */
public final class ServedNode implements AutoCloseable {
    private final Path folder;
    private final OwnPool devices;
    private final NodeService service;
    private final NodePool pool;
    private final GpuEngine engine;

    private ServedNode(Path folder, LendingEngine cpu, OwnPool devices, NodeCaps caps, NodeLimits limits)
            throws IOException {
        this.devices = devices;
        this.folder = folder;
        service = NodeService.open(folder, devices, GpuPrograms.readers(), caps, limits, NodeGate.EVERYONE);
        pool = client();
        engine = GpuEngines.over(cpu, pool, DeviceChoices.deviceAlways());
    }

    /** A new folder on tmpfs. */
    public static Path newFolder() throws IOException {
        return Files.createTempDirectory(Path.of("/dev/shm"), "warpcodec-test-");
    }

    /** Deletes the folder of a service that has ended, which holds nothing of its clients. */
    static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("lock"));
        Files.deleteIfExists(folder.resolve(NodeProtocol.SEGMENTS));
        Files.deleteIfExists(folder);
    }

    /** Serves a pool, which starts. */
    public static ServedNode open(LendingEngine cpu, OwnPool devices, NodeCaps caps) {
        try {
            return openIn(newFolder(), cpu, devices, caps);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** As {@link #open}, but in a folder. */
    public static ServedNode openIn(Path folder, LendingEngine cpu, OwnPool devices, NodeCaps caps) {
        return openIn(folder, cpu, devices, caps, NodeLimits.USUAL);
    }

    /** As {@link #openIn(Path, LendingEngine, OwnPool, NodeCaps)}, but with another patience. */
    static ServedNode openIn(Path folder, LendingEngine cpu, OwnPool devices, NodeCaps caps, NodeLimits limits) {
        try {
            devices.awaitStart(TimeUnit.SECONDS.toNanos(60));
            return new ServedNode(folder, cpu, devices, caps, limits);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** One more client, connected. */
    public NodePool client() {
        NodePool client = new NodePool(address());
        try {
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return client;
    }

    public NodeAddress address() {
        return new NodeAddress(folder, Set.of());
    }

    public Path folder() {
        return folder;
    }

    public NodeService service() {
        return service;
    }

    /** The client's. */
    public NodePool pool() {
        return pool;
    }

    /** The service's. */
    public OwnPool devices() {
        return devices;
    }

    public Engine engine() {
        return engine;
    }

    @Override
    public void close() {
        pool.close();
        service.close();
        try {
            delete(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
