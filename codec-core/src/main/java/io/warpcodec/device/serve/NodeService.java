package io.warpcodec.device.serve;

import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.node.Denial;
import io.warpcodec.device.node.NodeBounds;
import io.warpcodec.device.node.Refusal;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.node.WaitingBudget;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.serve.share.ConnectionShares;
import io.warpcodec.device.serve.share.MemoryShares;
import io.warpcodec.device.serve.share.OrderBudget;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service of a node: lets processes of this machine use a pool's devices, through a socket in a folder and memory
 * that both map. One thread accepts clients, each has a thread that reads what it says, the pool's threads tell them
 * what is over, and another makes segments. The service's own looks after them all, and no client can make it wait.
 * Thread-safe.
 */
public final class NodeService implements AutoCloseable {
    /** Why it ended: it was closed. */
    public static final String CLOSED = "closed";

    /** Why it ended: it was drained. */
    public static final String DRAINED = "drained";

    /** How often devices are looked at; twice as often as the pool needs. */
    private static final long LOOK_MILLIS = 100;
    /** Clients that have not gone by then are left to the end of the process. */
    private static final long GONE_MILLIS = 1000;

    private static final long END_MILLIS = 15_000;
    /** Waves that a device has under way, and two more that wait, so that it is never idle. */
    private static final int WAVES_OUTSTANDING = 14;

    private static final int BACKLOG = 1024;
    /** Of a client's thread, which calls nothing deep. */
    private static final int STACK_BYTES = 128 << 10;
    /** Of the heap, for answers that clients have not read. */
    private static final long WAITING_BYTES = 64 << 20;
    /** Of the heap, for orders of work that is not over: of all, of one client. */
    private static final long ORDER_BYTES = 96 << 20;

    private static final long ORDER_BYTES_OF_CLIENT = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

    private final NodeFolder folder;
    private final OwnPool pool;
    private final Map<String, JobReader> readers;
    private final NodeCaps caps;
    private final NodeLimits limits;
    private final NodeBounds bounds;
    private final SegmentStock stock;
    private final FairQueue queue;
    private final Acceptor acceptor;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Set<ServedClient> clients = ConcurrentHashMap.newKeySet();
    private final ConnectionShares connections;
    private final MemoryShares memory;
    private final OrderBudget orders = new OrderBudget(ORDER_BYTES, ORDER_BYTES_OF_CLIENT);
    private final WaitingBudget waiting = new WaitingBudget(WAITING_BYTES);
    private final ServiceCount count = new ServiceCount();
    private final Thread thread = new Thread(this::work, "warpcodec serve");
    private final CompletableFuture<String> end = new CompletableFuture<>();

    private volatile boolean closing;
    private volatile boolean draining;
    private long stepSeen = -1;
    private long stepLooks;
    private long lookedNanos = System.nanoTime();

    private NodeService(
            NodeFolder folder,
            OwnPool pool,
            Map<String, JobReader> readers,
            NodeCaps caps,
            NodeLimits limits,
            NodeBounds bounds,
            ServerSocketChannel server)
            throws IOException {
        this.folder = folder;
        this.pool = pool;
        this.readers = Map.copyOf(readers);
        this.caps = caps;
        this.limits = limits;
        this.bounds = bounds;
        connections = new ConnectionShares(caps.mostClients());
        memory = memoryShares(caps);
        stock = new SegmentStock(pool, folder.segments(), caps, count::noMemory);
        queue = new FairQueue(
                pool,
                () -> (long) WAVES_OUTSTANDING * bounds.mostLeaseBytes() * Math.max(1, pool.runningCount()),
                stock::giveBack,
                tasks::add);
        acceptor = new Acceptor(server, caps.mostClients(), this::begin);
    }

    /** How the memory of these caps is shared. */
    static MemoryShares memoryShares(NodeCaps caps) {
        return new MemoryShares(
                caps.segments(caps.mostMemoryOfClient()),
                caps.segments(caps.mostMemory()),
                caps.segments(caps.reservedMemory()));
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
        return open(path, pool, readers, caps, NodeLimits.USUAL, NodeGate.USUAL);
    }

    /** As above, with another patience, and for other accounts. */
    public static NodeService open(
            Path path, OwnPool pool, Map<String, JobReader> readers, NodeCaps caps, NodeLimits limits, NodeGate gate)
            throws IOException {
        Map<String, Integer> most = new LinkedHashMap<>();
        for (String program : readers.keySet()) {
            most.put(program, pool.mostOutputBytes(program));
        }
        NodeFolder folder = NodeFolder.open(path, gate);
        try {
            NodeBounds bounds =
                    new NodeBounds(pool.mostLeaseBytes(), pool.mostEntries(), caps.mostMemoryOfClient(), 0, most);
            ServerSocketChannel server = listen(folder.socket());
            NodeService service = new NodeService(folder, pool, readers, caps, limits, bounds, server);
            service.thread.start();
            service.acceptor.start();
            return service;
        } catch (IOException | RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            // the folder says who may come
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            return server;
        } catch (IOException | RuntimeException failed) {
            server.close();
            throw failed;
        }
    }

    // ---- the thread

    private void work() {
        String why = CLOSED;
        try {
            long ticked = System.nanoTime();
            while (!closing) {
                runApart(tasks.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS));
                pool.checkAlive();
                if (System.nanoTime() - ticked >= TimeUnit.MILLISECONDS.toNanos(limits.tickMillis())) {
                    ticked = System.nanoTime();
                    count.work().tick(ticked);
                }
                FallbackReason lost = pool.unavailableReason();
                if (lost != null) {
                    why = "its devices take no work any more: " + lost.word();
                    break;
                }
                if (isStockStuck()) {
                    why = "a driver call that locks memory has not returned";
                    break;
                }
                if (draining && isQuiet()) {
                    why = DRAINED;
                    break;
                }
            }
        } catch (InterruptedException | RuntimeException | Error defect) {
            why = defect.toString();
            LOG.error("the node service ends", defect);
        } finally {
            finish(why);
        }
    }

    /** A defect in what is done for one client must not end the others. */
    private static void runApart(Runnable task) {
        try {
            if (task != null) {
                task.run();
            }
        } catch (RuntimeException defect) {
            LOG.error("a defect of this software", defect);
        }
    }

    /** Counts looks and not the clock: a pause of this process is one of them. Tasks that come in between are none. */
    private boolean isStockStuck() {
        long now = System.nanoTime();
        if (now - lookedNanos < TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
            return false;
        }
        lookedNanos = now;
        long step = stock.stepUnderWay();
        stepLooks = step >= 0 && step == stepSeen ? stepLooks + 1 : 0;
        stepSeen = step;
        return stepLooks > limits.stuckNanos() / TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    }

    private boolean isQuiet() {
        return clients.stream().allMatch(client -> client.workCount() == 0);
    }

    /** Whatever fails here, or does not return, {@link #awaitEnd} returns. */
    private void finish(String why) {
        end.completeOnTimeout(why, END_MILLIS, TimeUnit.MILLISECONDS);
        closing = true;
        try {
            acceptor.close();
            stock.closeSoon();
            clients.forEach(client -> client.endSoon(why));
            awaitGone();
            stock.close();
            pool.close();
        } catch (RuntimeException | Error defect) {
            LOG.error("the end of the node service", defect);
        } finally {
            folder.close();
            end.complete(why);
        }
    }

    private void awaitGone() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GONE_MILLIS);
        try {
            while (!clients.isEmpty() && System.nanoTime() < until) {
                Thread.sleep(1);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- for clients, on their threads

    /** Begins to serve a connection, on a thread of its own. */
    private void begin(SocketChannel socket) {
        ServedClient client = new ServedClient(this, socket);
        Runnable serving = () -> {
            try {
                client.run();
            } finally {
                acceptor.hasEnded();
            }
        };
        Thread made = new Thread(null, serving, "warpcodec client", STACK_BYTES);
        made.setDaemon(true);
        made.start();
    }

    Acceptor acceptor() {
        return acceptor;
    }

    /** Takes a client among those that are served, until it {@linkplain #leave leaves}; or says why not. */
    RefusedException enter(ServedClient client) {
        if (draining || closing) {
            return new RefusedException(Refusal.ENDING, "the service is about to end");
        }
        if (!connections.tryEnter(client.user())) {
            return new RefusedException(Refusal.TOO_MANY_CLIENTS, "too many clients");
        }
        clients.add(client);
        return null;
    }

    void leave(ServedClient client) {
        clients.remove(client);
        connections.leave(client.user());
    }

    /**
     * Lends a client a segment, or tells it that there is none.
     *
     * @param ofClient segments that it has, or is about to get
     * @param made name of the file that it has made for it; null if this service makes it
     * @throws ProtocolException if that file is not right
     */
    void lendSegment(ServedClient client, int ofClient, String made) throws ProtocolException {
        Denial denial = memory.tryTake(client.user(), ofClient, System.nanoTime());
        if (denial != null) {
            deny(client, denial);
            return;
        }
        FileChannel file;
        try {
            file = made == null ? null : folder.take(made, client.user(), caps.segmentBytes());
        } catch (ProtocolException wrong) {
            memory.give(client.user());
            throw wrong;
        } catch (IOException failed) {
            memory.give(client.user());
            throw new RefusedException(Refusal.NO_HANDOVER, "its file for memory cannot be opened");
        }
        stock.take(new SegmentTaker(client, file));
    }

    /** A client that gets a segment, perhaps of its own file. */
    private final class SegmentTaker implements SegmentStock.Taker {
        private final ServedClient client;
        private final FileChannel file;

        private SegmentTaker(ServedClient client, FileChannel file) {
            this.client = client;
            this.file = file;
        }

        @Override
        public boolean isThere() {
            return !client.hasEnded();
        }

        @Override
        public FileChannel made() {
            return file;
        }

        @Override
        public void take(Segment segment) {
            if (segment == null && file != null) {
                closeQuietly(file);
            }
            lend(client, segment);
        }
    }

    private static void closeQuietly(FileChannel file) {
        try {
            file.close();
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    private void deny(ServedClient client, Denial why) {
        count.denied(why, client.name(), client.user().getName());
        client.lend(null);
    }

    private void lend(ServedClient client, Segment segment) {
        if (segment == null) {
            memory.give(client.user());
            deny(client, Denial.MEMORY_FULL);
            return;
        }
        segment.charge(() -> memory.give(client.user()));
        if (!client.lend(segment)) {
            letGo(segment);
        }
    }

    /** A client does not hold a segment any more. */
    void letGo(Segment segment) {
        segment.forgetName();
        if (segment.letGo()) {
            stock.giveBack(segment);
        }
    }

    /** Lets a user open a segment. Returns its name as clients resolve it; empty if the client has made the file. */
    String open(Segment segment, UserPrincipal user) throws IOException {
        if (segment.path() == null) {
            return "";
        }
        folder.open(segment.path(), user);
        return folder.path().relativize(segment.path()).toString();
    }

    NodeBounds bounds() {
        return bounds;
    }

    /** Whether clients of a user make the files of their segments. */
    boolean haveToMake(UserPrincipal user) {
        return folder.haveToMake(user);
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

    /** What the orders of all clients may take. */
    OrderBudget orders() {
        return orders;
    }

    FairQueue queue() {
        return queue;
    }

    JobReader reader(String program) {
        return readers.get(program);
    }

    /** Whether a user may know of all clients: root, or this process's. */
    boolean trusts(UserPrincipal user) {
        return folder.isOf(user) || folder.isOfRoot(user);
    }

    /** What a client of such a user is told: of all others. */
    ServiceReport reportFor(ServedClient asker) {
        return report(
                clients.stream()
                        .filter(client -> client != asker)
                        .map(ServedClient::report)
                        .sorted(ServiceReport.BUSIEST_FIRST)
                        .toList(),
                clients.size() - 1);
    }

    private ServiceReport report(List<ServiceReport.Client> known, int clientCount) {
        return new ServiceReport(
                known,
                clientCount,
                stock.bytes(),
                caps.allMemory(),
                queue.backlogBytes(),
                count.upNanos(),
                count.work().work(),
                count.work().window(System.nanoTime()),
                count.refused(),
                count.denied());
    }

    // ---- for its owner

    /** How it stands now. */
    public ServiceReport report() {
        List<ServiceReport.Client> known =
                clients.stream().map(ServedClient::report).toList();
        return report(known, known.size());
    }

    /** As {@link #report}, but without clients, except for their number. */
    public ServiceReport totals() {
        return report(List.of(), clients.size());
    }

    /** Takes no new clients, and ends when those that are there have no work under way. */
    public void drain() {
        draining = true;
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
        tasks.add(() -> {});
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
