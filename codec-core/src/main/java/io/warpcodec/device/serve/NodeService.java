package io.warpcodec.device.serve;

import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.node.Denial;
import io.warpcodec.device.node.NodeBounds;
import io.warpcodec.device.node.Refusal;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.node.WaitingBudget;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service of a node: lets processes of this machine use a pool's devices, through a socket in a folder and memory that both map. One thread reads what the clients say; the
 * pool's threads tell them what is over; a third makes segments. Thread-safe.
 */
public final class NodeService implements AutoCloseable {
    /** Why it ended: it was closed. */
    public static final String CLOSED = "closed";

    /** Why it ended: it was drained. */
    public static final String DRAINED = "drained";

    private static final long ANSWER_MILLIS = 1000;
    /** How often devices are looked at; twice as often as the pool needs. */
    private static final long LOOK_MILLIS = 100;

    private static final Set<String> ROOT = Set.of("root", "0");
    /** Waves that a device has under way, and two more that wait, so that it is never idle. */
    private static final int WAVES_OUTSTANDING = 14;

    private static final long MEBIBYTE = 1 << 20;
    private static final int BACKLOG = 1024;
    /** Of the heap, for answers that clients have not read. */
    private static final long WAITING_BYTES = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

    private final NodeFolder folder;
    private final OwnPool pool;
    private final Map<String, JobReader> readers;
    private final NodeCaps caps;
    private final NodeLimits limits;
    private final NodeBounds bounds;
    private final SegmentStock stock;
    private final FairQueue queue;

    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey acceptance;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<ServedClient> clients = new LinkedHashSet<>();
    private final ServiceCount count = new ServiceCount();
    private final WaitingBudget waiting = new WaitingBudget(WAITING_BYTES);
    private final Thread thread = new Thread(this::work, "warpcodec serve");
    private final CompletableFuture<String> end = new CompletableFuture<>();

    private volatile boolean closing;
    private volatile boolean draining;
    /** Of {@link #clients}, for other threads. */
    private volatile int clientCount;

    private NodeService(
            NodeFolder folder,
            OwnPool pool,
            Map<String, JobReader> readers,
            NodeCaps caps,
            NodeLimits limits,
            NodeBounds bounds,
            SelectionKey acceptance) {
        this.folder = folder;
        this.pool = pool;
        this.readers = Map.copyOf(readers);
        this.caps = caps;
        this.limits = limits;
        this.bounds = bounds;
        selector = acceptance.selector();
        this.acceptance = acceptance;
        server = (ServerSocketChannel) acceptance.channel();
        stock = new SegmentStock(pool, folder.segments(), caps);
        queue = new FairQueue(
                pool,
                (long) WAVES_OUTSTANDING * bounds.mostLeaseBytes() * pool.deviceCount(),
                stock::giveBack,
                this::run);
    }

    /**
     * Opens a service.
     *
     * @param path its folder, on tmpfs; is made if it is not there
     * @param pool runs; is closed with the service
     * @param readers of the programs' jobs, by name
     * @throws IOException if another service has the folder, or it cannot be used
     */
    public static NodeService open(Path path, OwnPool pool, Map<String, JobReader> readers, NodeCaps caps)
            throws IOException {
        return open(path, pool, readers, caps, NodeLimits.USUAL);
    }

    /** The same with another patience. */
    public static NodeService open(
            Path path, OwnPool pool, Map<String, JobReader> readers, NodeCaps caps, NodeLimits limits)
            throws IOException {
        Map<String, Integer> most = new LinkedHashMap<>();
        for (String program : readers.keySet()) {
            most.put(program, pool.mostOutputBytes(program));
        }
        NodeFolder folder = NodeFolder.open(path);
        try {
            NodeCaps fitting = caps.within(folder.freeBytes() / 10 * 9);
            if (fitting.mostMemory() < caps.mostMemory()) {
                LOG.warn(
                        "{} has space for {} MiB, less than {}",
                        path,
                        fitting.mostMemory() / MEBIBYTE,
                        caps.mostMemory() / MEBIBYTE);
            }
            NodeBounds bounds =
                    new NodeBounds(pool.mostLeaseBytes(), pool.mostEntries(), fitting.mostMemoryOfClient(), most);
            Selector selector = Selector.open();
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(folder.socket()), BACKLOG);
            Files.setPosixFilePermissions(folder.socket(), PosixFilePermissions.fromString("rw-rw-rw-"));
            server.configureBlocking(false);
            SelectionKey acceptance = server.register(selector, SelectionKey.OP_ACCEPT);
            NodeService service = new NodeService(folder, pool, readers, fitting, limits, bounds, acceptance);
            service.thread.start();
            return service;
        } catch (IOException | RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    // ---- the thread

    private void work() {
        String why = CLOSED;
        try {
            long ticked = System.nanoTime();
            while (!closing) {
                selector.select(Math.min(limits.tickMillis(), LOOK_MILLIS));
                pool.checkAlive();
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    runApart(task);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    turn(key);
                }
                selector.selectedKeys().clear();
                if (System.nanoTime() - ticked >= TimeUnit.MILLISECONDS.toNanos(limits.tickMillis())) {
                    ticked = System.nanoTime();
                    acceptance.interestOps(SelectionKey.OP_ACCEPT);
                    tick();
                }
                FallbackReason lost = pool.unavailableReason();
                if (lost != null) {
                    why = "its devices take no work any more: " + lost.word();
                    break;
                }
                if (draining && isQuiet()) {
                    why = DRAINED;
                    break;
                }
            }
        } catch (IOException | RuntimeException | Error defect) {
            why = defect.toString();
            LOG.error("the node service ends", defect);
        } finally {
            finish(why);
        }
    }

    /** A defect in what is done for one client must not end the others. */
    private static void runApart(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException defect) {
            LOG.error("a defect of this software", defect);
        }
    }

    private void turn(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof ServedClient client) {
            try {
                client.turn();
            } catch (IOException gone) {
                end(client, gone.getMessage());
            } catch (RuntimeException defect) {
                LOG.error("a defect of this software", defect);
                client.refuse(Refusal.DEFECT, defect.toString());
            }
        } else {
            accept();
        }
    }

    private void accept() {
        SocketChannel socket = null;
        try {
            socket = server.accept();
            if (socket == null) {
                return;
            }
            UserPrincipal user =
                    socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            socket.configureBlocking(false);
            SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
            ServedClient client = new ServedClient(this, socket, key, user);
            key.attach(client);
            clients.add(client);
            clientCount = clients.size();
            RefusedException refusal = refusal(client);
            if (refusal != null) {
                client.refuse(RefusedException.of(refusal), refusal.getMessage());
            }
        } catch (IOException | RuntimeException failed) {
            LOG.debug("a connection failed: {}", failed.getMessage());
            closeQuietly(socket);
            // this process may have no descriptors left: until the next tick those that come wait
            acceptance.interestOps(0);
        }
    }

    private static void closeQuietly(SocketChannel socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    private void tick() {
        count.work().tick(System.nanoTime());
        for (ServedClient client : new ArrayList<>(clients)) {
            client.tick();
        }
    }

    private boolean isQuiet() {
        return clients.stream().allMatch(client -> client.workCount() == 0);
    }

    private void finish(String why) {
        stock.closeSoon();
        new ArrayList<>(clients).forEach(client -> end(client, why));
        try {
            server.close();
            selector.close();
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
        stock.close();
        pool.close();
        folder.close();
        end.complete(why);
    }

    /** Runs a task on the service's thread, soon. */
    void run(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    // ---- for clients, on the service's thread

    /** Why a client that is among them is not served; null if it is. */
    RefusedException refusal(ServedClient client) {
        if (draining) {
            return new RefusedException(Refusal.ENDING, "the service is about to end");
        }
        long ofUser = clients.stream()
                .filter(other -> other.user().equals(client.user()))
                .count();
        return clients.size() > caps.mostClients() || ofUser > caps.mostClientsOfUser()
                ? new RefusedException(Refusal.TOO_MANY_CLIENTS, "too many clients")
                : null;
    }

    /** Lends a client a segment, or tells it that there is none. */
    void lendSegment(ServedClient client) {
        long ofUser = clients.stream()
                .filter(other -> other.user().equals(client.user()))
                .mapToLong(ServedClient::memoryBytes)
                .sum();
        long more = caps.segmentBytes();
        if (client.memoryBytes() + more > caps.mostMemoryOfClient()) {
            deny(client, Denial.CLIENT_FULL);
        } else if (ofUser + more > caps.mostMemoryOfUser()) {
            endIdle(other -> other.user().equals(client.user()));
            deny(client, Denial.USER_FULL);
        } else {
            stock.take(segment -> run(() -> {
                if (segment == null) {
                    endIdle(other -> true);
                    deny(client, Denial.MEMORY_FULL);
                } else {
                    lend(client, segment);
                }
            }));
        }
    }

    private void deny(ServedClient client, Denial why) {
        count.denied(why, client.name(), client.user().getName());
        lend(client, null);
    }

    private void lend(ServedClient client, Segment segment) {
        if (client.hasEnded()) {
            if (segment != null) {
                letGo(segment);
            }
            return;
        }
        try {
            if (segment != null) {
                folder.open(segment.path(), client.user());
            }
            client.lent(segment);
        } catch (RefusedException unread) {
            client.refuse(RefusedException.of(unread), unread.getMessage());
        } catch (IOException failed) {
            client.refuse(Refusal.NO_HANDOVER, failed.getMessage());
        }
    }

    /** Memory is short: one of these clients that has not used its own for long is to give it back. */
    private void endIdle(Predicate<ServedClient> these) {
        clients.stream()
                .filter(client -> client.isIdle(limits.idleNanos()))
                .filter(these)
                .findFirst()
                .ifPresent(client -> client.refuse(Refusal.IDLE, "memory is short and it has not used its own"));
    }

    /** A client does not hold a segment any more. */
    void letGo(Segment segment) {
        segment.forgetName();
        if (segment.letGo()) {
            stock.giveBack(segment);
        }
    }

    void end(ServedClient client, String why) {
        clients.remove(client);
        clientCount = clients.size();
        client.end(why);
    }

    /** A segment's name as clients resolve it. */
    String nameOf(Segment segment) {
        return folder.path().relativize(segment.path()).toString();
    }

    NodeBounds bounds() {
        return bounds;
    }

    NodeCaps caps() {
        return caps;
    }

    NodeLimits limits() {
        return limits;
    }

    /** What all clients have come to. */
    ServiceCount count() {
        return count;
    }

    /** What may wait for all clients. */
    WaitingBudget waiting() {
        return waiting;
    }

    FairQueue queue() {
        return queue;
    }

    JobReader reader(String program) {
        return readers.get(program);
    }

    /** What a client may know of it: which others there are, if it is of root or of this process's user. */
    ServiceReport reportFor(ServedClient asker) {
        boolean knowsOthers =
                folder.isOf(asker.user()) || ROOT.contains(asker.user().getName());
        List<ServiceReport.Client> others = knowsOthers
                ? clients.stream()
                        .filter(client -> client != asker)
                        .map(ServedClient::report)
                        .sorted(ServiceReport.BUSIEST_FIRST)
                        .toList()
                : List.of();
        return report(others, clients.size() - 1);
    }

    private ServiceReport report(List<ServiceReport.Client> known, int clientCount) {
        return new ServiceReport(
                known,
                clientCount,
                stock.bytes(),
                caps.mostMemory(),
                queue.backlogBytes(),
                count.upNanos(),
                count.work().work(),
                count.work().window(System.nanoTime()),
                count.refused(),
                count.denied());
    }

    // ---- for its owner

    /** How it stands now; without clients if its thread does not answer within a second. */
    public ServiceReport report() {
        CompletableFuture<List<ServiceReport.Client>> answer = new CompletableFuture<>();
        run(() -> answer.complete(clients.stream().map(ServedClient::report).toList()));
        List<ServiceReport.Client> known = List.of();
        try {
            known = end.isDone() ? known : answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("the service's thread does not answer");
        }
        return report(known, known.size());
    }

    /** The same without clients, but for their number. Does not wait for its thread. */
    public ServiceReport totals() {
        return report(List.of(), clientCount);
    }

    /** Takes no new clients, and ends when those that are there have no work under way. */
    public void drain() {
        draining = true;
        selector.wakeup();
    }

    /** Waits for its end, and says why it ended. */
    public String awaitEnd() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Ends it after so long at the latest; what {@link #drain} waits for may end it before. */
    public void closeAfter(long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /** Ends it: clients are told by the end of their connections. Idempotent. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
