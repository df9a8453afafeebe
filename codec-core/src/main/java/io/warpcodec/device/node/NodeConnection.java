package io.warpcodec.device.node;

import io.warpcodec.device.node.NodeLease.State;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the node's service, from its welcome to its end, and the leases on it. When it ends, every wait for a lease ends; results that are there stay there. Thread-safe;
 * the messages of the service are read by one thread ({@link #run}).
 */
final class NodeConnection {
    // Between WORK and OVER a lease's memory belongs to a device: it is lent again only when OVER has come, whatever
    // became of the lease. When the connection ends without it, the memory is never lent again: the next connection
    // has segments of its own.

    /** Why a connection ended that had nothing to do. */
    static final String IDLE = "idle";

    /** Results that lie unread for so long are not waited for. */
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** How often a client without work looks whether the memory that it wants has come. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Pieces of work of a task that ends soon: 128 MB. */
    private static final int FIRST_PIECES = 16;
    /** How long a client that was told that there is no memory does not ask again. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Results that no task has read for so long are given up when another lease needs the memory. */
    private static final long STALE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** What the service said of its backlog counts for so long. */
    private static final long BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int MOST_WAITING_BYTES = 8 << 20;
    private static final Pattern SEGMENT_NAME = Pattern.compile("[A-Za-z0-9_-]+/[A-Za-z0-9_-]+");
    private static final Logger LOG = LoggerFactory.getLogger(NodeConnection.class);

    private final Path folder;
    private final long idleNanos;
    private final long turnMillis;
    /** A service that has work of this client and says nothing for long, though it is asked, counts as gone. */
    private final Silence silence;

    private final SocketChannel socket;
    private final Selector selector;
    private final MessageWriter writer;
    private final NodeMemory memory;
    private final MessageReader reader = new MessageReader();

    private final Map<Long, NodeLease> sent = new HashMap<>();
    private final Set<NodeLease> finished = new LinkedHashSet<>();
    /** Written inside the monitor only. */
    private volatile long lastId;

    private boolean wanted;
    private volatile Thread thread;
    private volatile long usedNanos = System.nanoTime();
    private String ending;

    private volatile NodeBounds bounds;
    private volatile boolean ready;
    /** The service has no more memory for this client, at that time. */
    private volatile boolean full;

    private volatile long fullNanos;
    private volatile long sentBytes;
    private volatile Backlog backlog = new Backlog(0, 0);

    /** What the service said of its backlog, and when. */
    private record Backlog(long bytes, long saidNanos) {}

    /**
     * Says hello. The rest is up to {@link #run}.
     *
     * @param folder of the node
     * @param socket connected to its service; does not block
     * @param name of this client, for people
     * @param idleNanos after so long without work it ends
     * @param turnMillis ten of these make a service that is silent a service that has gone
     * @param whenMemoryComesBack told so
     * @throws IOException if the connection is broken
     */
    NodeConnection(
            Path folder,
            SocketChannel socket,
            String name,
            long idleNanos,
            long turnMillis,
            Runnable whenMemoryComesBack)
            throws IOException {
        this.folder = folder;
        this.idleNanos = idleNanos;
        this.turnMillis = turnMillis;
        this.silence = new Silence(TimeUnit.MILLISECONDS.toNanos(turnMillis), System.nanoTime());
        this.socket = socket;
        this.selector = Selector.open();
        this.memory = new NodeMemory(whenMemoryComesBack);
        SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
        this.writer = new MessageWriter(socket, MOST_WAITING_BYTES, () -> {
            try {
                key.interestOpsOr(SelectionKey.OP_WRITE);
            } catch (CancelledKeyException closed) {
                LOG.trace("the connection has ended");
            }
            selector.wakeup();
        });
        writer.send(NodeProtocol.hello(name));
        want();
    }

    /** Reads what the service says until the connection ends; then every lease on it is over. Returns why. */
    String run() {
        try {
            thread = Thread.currentThread();
            while (!hasEnded()) {
                if (awaitWork()) {
                    selector.select(turnMillis);
                } else {
                    selector.selectNow();
                    LockSupport.parkNanos(this, LOOK_NANOS);
                }
                boolean heard = false;
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isWritable() && writer.goOn()) {
                        key.interestOps(SelectionKey.OP_READ);
                        // a thread may have begun to wait in between
                        key.interestOpsOr(writer.goOn() ? 0 : SelectionKey.OP_WRITE);
                    }
                    while (key.isReadable() && reader.read(socket, this::take)) {
                        heard = true;
                    }
                }
                selector.selectedKeys().clear();
                listen(heard);
            }
        } catch (IOException | RuntimeException | Error broken) {
            end(broken instanceof IOException ? broken.getMessage() : broken.toString());
        }
        return ending;
    }

    /**
     * Waits until the service may have something to say; whether it has work. A JVM that exits waits up to 0.3 s for every thread that is inside a system call, so a client
     * without work must not have one there: for memory it looks again and again, and that its service has gone it learns when it has work again.
     */
    private boolean awaitWork() {
        while (true) {
            synchronized (this) {
                if (bounds == null || ending != null || !sent.isEmpty()) {
                    return true;
                }
                if (wanted) {
                    return false;
                }
            }
            LockSupport.parkNanos(this, idleNanos);
            endIfIdle();
        }
    }

    /**
     * Gives back what is not used: ends the connection if no lease has memory, and takes back results that have lain unread for long. So a service that is short of memory need
     * not end the connection of a client that behaves, whose results would go with it.
     */
    private void endIfIdle() {
        long now = System.nanoTime();
        if (now - usedNanos < idleNanos) {
            return;
        }
        revokeStale(Integer.MAX_VALUE, FORGOTTEN_NANOS);
        if (memory.lentBytes() == 0) {
            end(IDLE);
        }
    }

    /** The service has been asked for something. */
    private void wake() {
        LockSupport.unpark(thread);
    }

    /** Asks a service that is silent though it has work. */
    private void listen(boolean heard) throws IOException {
        if (heard || !hasWork()) {
            silence.end(System.nanoTime());
        } else if (silence.lasts(System.nanoTime())) {
            writer.send(NodeProtocol.of(NodeProtocol.PING));
        }
    }

    /** Or is to welcome this client. */
    private synchronized boolean hasWork() {
        return bounds == null || !sent.isEmpty();
    }

    // ---- what the service says

    private void take(byte kind, ByteBuffer fields) throws IOException {
        switch (kind) {
            case NodeProtocol.WELCOME -> bounds = NodeBounds.read(fields);
            case NodeProtocol.REFUSED -> throw new IOException("it says: " + NodeProtocol.string(fields));
            case NodeProtocol.SEGMENT -> map(fields.getInt(), fields.getInt(), NodeProtocol.string(fields));
            case NodeProtocol.NO_SEGMENT -> {
                fullNanos = System.nanoTime();
                full = true;
                gotAnswer();
            }
            case NodeProtocol.OVER -> over(fields);
            case NodeProtocol.PONG -> LOG.trace("the service answers");
            default -> throw new IOException("a message of kind " + kind);
        }
    }

    private void map(int id, int bytes, String name) throws IOException {
        if (!SEGMENT_NAME.matcher(name).matches()) {
            throw new IOException("a segment named " + name);
        }
        ByteBuffer mapped;
        try (FileChannel file = FileChannel.open(
                folder.resolve(name),
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (file.size() != bytes) {
                throw new IOException("a segment of " + file.size() + " bytes, not " + bytes);
            }
            mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
        memory.add(id, mapped);
        gotAnswer();
    }

    /** The service has answered {@link #want}. */
    private void gotAnswer() {
        synchronized (this) {
            wanted = false;
            ready = ready || bounds != null;
            notifyAll();
        }
    }

    private void over(ByteBuffer fields) throws IOException {
        long id = fields.getLong();
        byte how = fields.get();
        short reason = fields.getShort();
        long spentNanos = fields.getLong();
        backlog = new Backlog(fields.getLong(), System.nanoTime());
        NodeLease lease;
        FallbackReason why;
        synchronized (this) {
            lease = sent.remove(id);
            if (lease == null) {
                throw new IOException("an answer to what was not asked");
            }
            sentBytes -= lease.outputBytes();
            if (lease.abandoned) {
                closeNow(lease);
                return;
            }
            why = reason(how, reason);
            if (why == null) {
                takeAnswer(lease, fields, spentNanos);
            } else {
                lease.state = State.FAILED;
            }
        }
        lease.finish(why);
    }

    private void takeAnswer(NodeLease lease, ByteBuffer fields, long spentNanos) throws IOException {
        try {
            lease.take(fields, spentNanos);
        } catch (RuntimeException malformed) {
            lease.state = State.FAILED;
            lease.finish(FallbackReason.NODE_LOST);
            throw new IOException("no answer to this work: " + malformed.getMessage(), malformed);
        }
        lease.state = State.DONE;
        finished.add(lease);
    }

    private static FallbackReason reason(byte how, short reason) throws IOException {
        return switch (how) {
            case NodeProtocol.DONE -> null;
            case NodeProtocol.WITHDRAWN -> FallbackReason.AUTO;
            case NodeProtocol.FAILED ->
                reason >= 0 && reason < FallbackReason.values().length
                        ? FallbackReason.values()[reason]
                        : FallbackReason.DRIVER_ERROR;
            default -> throw new IOException("work that is over by " + how);
        };
    }

    // ---- for leases

    /** Admits a task, or null when no memory is free for it now. */
    NodeLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        if (!admits(program, inputBytes, outputBytes, entryCount)) {
            return null;
        }
        usedNanos = System.nanoTime();
        int bytes = NodeLease.regionBytes(inputBytes, outputBytes);
        NodeMemory.Region region = tryTake(bytes);
        if (region == null && revokeStale(bytes, STALE_NANOS)) {
            region = tryTake(bytes);
        }
        if (region == null || isNearlyLent()) {
            want();
        }
        return region == null
                ? null
                : new NodeLease(this, bounds.programs().indexOf(program), region, inputBytes, outputBytes, entryCount);
    }

    /** None once the connection has ended. */
    private synchronized NodeMemory.Region tryTake(int bytes) {
        return ending == null ? memory.tryTake(bytes) : null;
    }

    /** Whether so much of its memory is lent that the next piece of work may find none. A client that has just begun may end soon: it takes no more than it needs. */
    private boolean isNearlyLent() {
        long capacity = memory.capacityBytes();
        return memory.lentBytes() > (isSettled() ? capacity / 2 : capacity / 4 * 3);
    }

    /** Whether it has had so many pieces of work that it may well have many more. */
    boolean isSettled() {
        return lastId > FIRST_PIECES;
    }

    /** Whether the service does such work. */
    boolean admits(String program, int inputBytes, int outputBytes, int entryCount) {
        NodeBounds known = bounds;
        return known != null
                && entryCount <= known.mostEntries()
                && inputBytes <= known.mostLeaseBytes()
                && outputBytes <= known.mostOutputBytes().getOrDefault(program, 0);
    }

    /** Asks the service for one segment more, if it may have one and has not been asked. */
    private void want() {
        synchronized (this) {
            NodeBounds known = bounds;
            if (wanted || ending != null || full && System.nanoTime() - fullNanos < FULL_NANOS) {
                return;
            }
            full = known != null && memory.capacityBytes() >= known.mostMemoryBytes();
            fullNanos = System.nanoTime();
            if (full) {
                return;
            }
            wanted = true;
        }
        wake();
        trySend(NodeProtocol.of(NodeProtocol.WANT));
    }

    private void trySend(ByteBuffer message) {
        try {
            writer.send(message);
        } catch (IOException broken) {
            end(String.valueOf(broken.getMessage()));
        }
    }

    /** Takes back results that no task has read for long, until about so many bytes are free. */
    private synchronized boolean revokeStale(int bytes, long staleNanos) {
        long now = System.nanoTime();
        long revokedBytes = 0;
        for (Iterator<NodeLease> oldestFirst = finished.iterator(); oldestFirst.hasNext() && revokedBytes < bytes; ) {
            NodeLease lease = oldestFirst.next();
            if (now - lease.lastUseNanos > staleNanos && lease.access().tryClose()) {
                oldestFirst.remove();
                lease.state = State.REVOKED;
                lease.finish(FallbackReason.RESULTS_REVOKED);
                giveBack(lease);
                revokedBytes += lease.region().memory().capacity();
            }
        }
        return revokedBytes > 0;
    }

    /** Sends a lease's work. */
    void send(NodeLease lease) {
        synchronized (this) {
            if (lease.state == State.CLOSED) {
                // by another thread, while this one filled it
                lease.finish(FallbackReason.CANCELLED);
                return;
            }
            if (lease.state != State.FILLING) {
                throw new IllegalStateException("lease is " + lease.state);
            }
            if (ending != null) {
                lease.state = State.FAILED;
                lease.finish(FallbackReason.NODE_LOST);
                return;
            }
            lease.state = State.SENT;
            lease.id = ++lastId;
            sent.put(lease.id, lease);
            sentBytes += lease.outputBytes();
        }
        wake();
        trySend(lease.order());
    }

    /** Asks the service to give work back that no wave has; whether it was asked. */
    boolean askToWithdraw(NodeLease lease) {
        synchronized (this) {
            if (lease.state != State.SENT) {
                return false;
            }
        }
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES);
        trySend(message.putLong(lease.id).flip());
        return true;
    }

    void close(NodeLease lease) {
        boolean withdraws = false;
        synchronized (this) {
            switch (lease.state) {
                case FILLING, FAILED -> closeNow(lease);
                case SENT -> {
                    withdraws = !lease.abandoned;
                    lease.abandoned = true;
                    lease.finish(FallbackReason.CANCELLED);
                }
                case DONE -> {
                    finished.remove(lease);
                    closeNow(lease);
                }
                case REVOKED, CLOSED -> LOG.trace("nothing is held");
            }
        }
        if (withdraws) {
            ByteBuffer message = NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES);
            trySend(message.putLong(lease.id).flip());
        }
    }

    private void closeNow(NodeLease lease) {
        lease.state = State.CLOSED;
        if (lease.access().close()) {
            giveBack(lease);
        }
    }

    /** No thread touches the memory of this closed lease any more. */
    void giveBack(NodeLease lease) {
        memory.give(lease.region());
        closeIfUnused();
    }

    /**
     * Closes the socket of a connection that has ended, once no thread touches its memory: that tells the service that it may cut the segments, and a thread that touched one
     * then would meet an {@link InternalError}.
     */
    private void closeIfUnused() {
        synchronized (this) {
            if (ending == null || memory.lentBytes() > 0) {
                return;
            }
        }
        try {
            socket.close();
            selector.close();
        } catch (IOException closing) {
            LOG.debug("{}", closing.getMessage());
        }
    }

    // ---- how it stands

    /** Waits until the service has welcomed this client and lent it memory, or refused that, or the connection has ended. */
    synchronized boolean awaitReady(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; !ready && ending == null && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return ready && ending == null;
    }

    /** Whether the service takes work of this client. */
    boolean isReady() {
        return ready;
    }

    NodeBounds bounds() {
        return bounds;
    }

    long lentBytes() {
        return memory.lentBytes();
    }

    /** Bytes that this client has, or may still get. */
    long capacityBytes() {
        NodeBounds known = bounds;
        return full || known == null ? memory.capacityBytes() : known.mostMemoryBytes();
    }

    /** Output bytes that work of this client would wait for. */
    long backlogBytes() {
        Backlog said = backlog;
        boolean fresh = System.nanoTime() - said.saidNanos < BACKLOG_NANOS;
        return Math.max(sentBytes, fresh ? said.bytes : 0);
    }

    /** Ends the connection, for a reason: every lease that the service has is over. Any thread may call. */
    void end(String why) {
        List<NodeLease> lost;
        synchronized (this) {
            if (ending != null) {
                return;
            }
            ending = why;
            lost = new ArrayList<>(sent.values());
            sent.clear();
            sentBytes = 0;
            lost.forEach(lease -> lease.state = lease.abandoned ? State.CLOSED : State.REVOKED);
            notifyAll();
        }
        // a device may still write to their memory, which is not lent again; no thread touches it
        lost.stream().filter(lease -> lease.access().close()).forEach(lease -> memory.give(lease.region()));
        lost.forEach(lease -> lease.finish(FallbackReason.NODE_LOST));
        wake();
        selector.wakeup();
        closeIfUnused();
    }

    synchronized boolean hasEnded() {
        return ending != null;
    }
}
