package io.warpcodec.serve;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.device.serve.NodeGate;
import io.warpcodec.device.serve.NodeService;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.gpu.GpuNode;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that has a node's devices and lets others use them. Its arguments are settings: {@code
 * node.folder=/run/warpcodec devices=0,1 pinned.max=4g}. It ends, after the work that is under way, when its standard
 * input does, or a signal asks for it. {@code node.group=NAME} says which group's members may be clients.
 */
public final class ServeMain {
    /** Exit status where there is no device that can be served: to start again does not help. */
    public static final int NO_DEVICES = 78;

    /** Exit status of a service whose devices have failed: to start again may help. */
    public static final int DEVICES_LOST = 75;

    /** Exit status where the folder is another service's, or cannot be used. */
    public static final int NO_FOLDER = 73;

    /** Exit status where a setting cannot be read. */
    public static final int USAGE = 64;

    /** Says which group's members may be clients, or {@link #EVERYONE}. */
    public static final String GROUP = "node.group";

    /** Every account may be a client. */
    public static final String EVERYONE = "*";

    private static final long DRAIN_MILLIS = TimeUnit.SECONDS.toMillis(10);
    private static final Logger LOG = LoggerFactory.getLogger(ServeMain.class);

    private ServeMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        // no exit hook of the driver is waited for: it may hang where a device does
        Runtime.getRuntime().halt(run(arguments, System.in));
    }

    /** Serves until its end, which the end of the input asks for; its exit status. */
    static int run(String[] arguments, InputStream input) throws InterruptedException {
        try {
            Map<String, String> words = words(arguments);
            NodeGate gate = gate(words.remove(GROUP));
            PoolSettings settings = settings(words);
            Path folder = settings.node().folder();
            return serve(GpuNode.open(settings, folder, gate), folder, input);
        } catch (EngineUnavailableException none) {
            complain("no GPU to serve: " + none.getMessage());
            return none.code() == FallbackReason.DEVICE_FAILED ? DEVICES_LOST : NO_DEVICES;
        } catch (IllegalArgumentException unreadable) {
            complain(unreadable.getMessage());
            return USAGE;
        } catch (IOException unusable) {
            complain(unusable.getMessage());
            return NO_FOLDER;
        }
    }

    /** As the tool complains: nothing is served, and so nothing has begun to be logged. */
    private static void complain(String why) {
        System.err.println("warpcodec: " + why);
    }

    private static NodeGate gate(String group) {
        if (group == null) {
            return NodeGate.USUAL;
        }
        return group.equals(EVERYONE) ? NodeGate.EVERYONE : NodeGate.of(group);
    }

    private static Map<String, String> words(String[] arguments) {
        Map<String, String> words = new HashMap<>();
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            if (end < 1) {
                throw new IllegalArgumentException(argument + " is no setting such as pinned.max=4g");
            }
            words.put(argument.substring(0, end), argument.substring(end + 1));
        }
        return words;
    }

    private static PoolSettings settings(Map<String, String> words) {
        String folder = words.remove("node.folder");
        PoolSettings pool = Settings.pool(words::get);
        NodeSettings node = Settings.pool(word -> word.equals("node.folder") ? folder : null)
                .node();
        if (node.folder() == null) {
            throw new IllegalArgumentException("node.folder=none is nothing to serve in");
        }
        return pool.withNode(node);
    }

    /** Serves until its end, or that of the input. */
    static int serve(NodeService service, Path folder, InputStream input) throws InterruptedException {
        LOG.info("serving at {}", folder);
        Thread stopping = new Thread(() -> drain(service), "warpcodec drain");
        Runtime.getRuntime().addShutdownHook(stopping);
        Thread watching = new Thread(() -> awaitEnd(input, service), "warpcodec input");
        watching.setDaemon(true);
        watching.start();
        String why;
        try (ServiceBean bean = ServiceBean.register(service, folder)) {
            LOG.debug("{}", bean);
            why = service.awaitEnd();
        }
        LOG.info("the service has ended: {}", why);
        return why.equals(NodeService.CLOSED) || why.equals(NodeService.DRAINED) ? 0 : DEVICES_LOST;
    }

    private static void awaitEnd(InputStream input, NodeService service) {
        try {
            while (input.read() >= 0) {
                LOG.trace("the parent lives");
            }
        } catch (IOException gone) {
            LOG.debug("{}", gone.getMessage());
        }
        drain(service);
    }

    private static void drain(NodeService service) {
        service.drain();
        service.closeAfter(DRAIN_MILLIS);
    }
}
