package io.warpcodec.device.node;

import io.warpcodec.device.lease.LeaseKeeper;
import io.warpcodec.device.lease.LeaseState;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.device.lease.UnreadResults;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases and the memory of one connection to the node's service: which work it has, which results are there. When
 * the connection ends, every wait for a lease ends; results that are there stay there. Thread-safe; messages are
 * taken by the connection's thread.
 */
final class NodeLeases implements LeaseKeeper<NodeLease> {
    // Between WORK and OVER a lease's memory belongs to a device: it is lent again only when OVER has come, whatever
    // became of the lease. When the connection ends without it, the memory is never lent again: the next connection
    // has segments of its own.

    /** Results that lie unread for so long are not waited for. */
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Work that no task waits for is given up after so long. */
    private static final long UNANSWERED_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Pieces of work of a task that ends soon: 128 MB. */
    private static final int FIRST_PIECES = 16;
    /** Pause after an answer that there is no memory. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Pattern SEGMENT_NAME = Pattern.compile("[A-Za-z0-9_-]+/[A-Za-z0-9_-]+");
    private static final Logger LOG = LoggerFactory.getLogger(NodeLeases.class);

    private final ServiceLink link;
    private final Path folder;
    private final LongSupplier clock;
    private final NodeMemory memory;

    private final Map<Long, NodeLease> sent = new HashMap<>();
    private final UnreadResults<NodeLease> unread = new UnreadResults<>();
    /** Written inside the monitor only. */
    private volatile long lastId;

    private boolean wanted;
    /** Made by this client and not mapped yet. */
    private SegmentFile made;

    private String ending;
    private volatile long usedNanos = System.nanoTime();

    private volatile NodeBounds bounds;
    private volatile boolean ready;
    /** When the service last had no memory for this client; null if it may have some. */
    private volatile Moment full;

    /** A time of {@link System#nanoTime}. */
    private record Moment(long nanos) {
        static Moment now() {
            return new Moment(System.nanoTime());
        }

        boolean isOlderThan(long age) {
            return System.nanoTime() - nanos >= age;
        }
    }

    /**
     * @param link to the service
     * @param folder of the node
     * @param clock that waits are measured by, in nanoseconds
     * @param whenMemoryComesBack told so
     */
    NodeLeases(ServiceLink link, Path folder, LongSupplier clock, Runnable whenMemoryComesBack) {
        this.link = link;
        this.folder = folder;
        this.clock = clock;
        this.memory = new NodeMemory(whenMemoryComesBack);
    }

    // ---- what the service says

    void take(byte kind, ByteBuffer fields) throws IOException {
        switch (kind) {
            case NodeProtocol.WELCOME -> welcome(NodeBounds.read(fields));
            case NodeProtocol.REFUSED -> throw new IOException("it says: " + NodeProtocol.string(fields));
            case NodeProtocol.SEGMENT -> map(fields.getInt(), fields.getInt(), NodeProtocol.string(fields));
            case NodeProtocol.NO_SEGMENT -> {
                full = Moment.now();
                drop(takeMade());
                gotAnswer();
            }
            case NodeProtocol.OVER -> over(fields);
            default -> throw new IOException("a message of kind " + kind);
        }
    }

    /** What was asked before is not answered if this client has to make its files. */
    private void welcome(NodeBounds said) {
        bounds = said;
        if (said.madeBytes() > 0) {
            synchronized (this) {
                wanted = false;
            }
            want();
        }
    }

    private void map(int id, int bytes, String name) throws IOException {
        memory.add(id, bounds != null && bounds.madeBytes() > 0 ? mapMade(bytes) : mapNamed(bytes, name));
        gotAnswer();
    }

    private ByteBuffer mapMade(int bytes) throws IOException {
        try (SegmentFile made = takeMade()) {
            if (made == null) {
                throw new IOException("a segment that was not asked for");
            }
            return made.map(bytes);
        }
    }

    private ByteBuffer mapNamed(int bytes, String name) throws IOException {
        if (!SEGMENT_NAME.matcher(name).matches()) {
            throw new IOException("a segment named " + name);
        }
        try (FileChannel file = FileChannel.open(
                folder.resolve(name),
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (file.size() != bytes) {
                throw new IOException("a segment of " + file.size() + " bytes, not " + bytes);
            }
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }

    private synchronized SegmentFile takeMade() {
        SegmentFile taken = made;
        made = null;
        return taken;
    }

    private static void drop(SegmentFile file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    /** The service has answered {@link #want}. */
    private synchronized void gotAnswer() {
        wanted = false;
        ready = ready || bounds != null;
        notifyAll();
    }

    private void over(ByteBuffer fields) throws IOException {
        long id = fields.getLong();
        byte how = fields.get();
        short reason = fields.getShort();
        NodeLease lease;
        FallbackReason why;
        synchronized (this) {
            lease = sent.get(id);
            if (lease == null) {
                throw new IOException("an answer to what was not asked");
            }
            why = reason(how, reason);
            if (why == null && !lease.isAbandoned()) {
                takeAnswer(lease, fields);
            }
            sent.remove(id);
            if (lease.isAbandoned()) {
                endLease(lease);
                return;
            }
            if (why == null) {
                unread.add(lease);
            } else {
                lease.state(LeaseState.FAILED);
            }
        }
        lease.finish(why);
    }

    /** Takes the answer. A lease whose answer cannot be right is among those that the end of the connection ends. */
    private static void takeAnswer(NodeLease lease, ByteBuffer fields) throws IOException {
        try {
            lease.take(fields);
        } catch (RuntimeException malformed) {
            throw new IOException("no answer to this work: " + malformed.getMessage(), malformed);
        }
    }

    private static FallbackReason reason(byte how, short reason) throws IOException {
        return switch (how) {
            case NodeProtocol.DONE -> null;
            case NodeProtocol.WITHDRAWN -> FallbackReason.CANCELLED;
            case NodeProtocol.FAILED ->
                reason >= 0 && reason < FallbackReason.values().length
                        ? FallbackReason.values()[reason]
                        : FallbackReason.DRIVER_ERROR;
            default -> throw new IOException("work that is over by " + how);
        };
    }

    // ---- for tasks

    /** Admits a task, or null when no memory is free for it now. */
    NodeLease tryLease(LeaseTerms terms) {
        if (!admits(terms.program(), terms.inputBytes(), terms.outputBytes(), terms.entryCount())) {
            return null;
        }
        usedNanos = System.nanoTime();
        int bytes = terms.regionBytes();
        NodeMemory.Region region = tryTake(bytes);
        if (region == null && revokeStale(bytes, UnreadResults.STALE_NANOS)) {
            region = tryTake(bytes);
        }
        if (region == null || isNearlyLent()) {
            want();
        }
        return region == null
                ? null
                : new NodeLease(this, bounds.programs().indexOf(terms.program()), region, terms, clock);
    }

    /** Lends memory; none once the connection has ended. */
    private synchronized NodeMemory.Region tryTake(int bytes) {
        return ending == null ? memory.tryTake(bytes) : null;
    }

    /**
     * Whether so much memory is lent that the next piece of work may find none. A client that has just begun may end
     * soon: it takes no more than it needs.
     */
    private boolean isNearlyLent() {
        long capacity = memory.capacityBytes();
        return memory.lentBytes() > (isSettled() ? capacity / 2 : capacity / 4 * 3);
    }

    /** Whether this client has had so many pieces of work that it may well have many more. */
    boolean isSettled() {
        return lastId > FIRST_PIECES;
    }

    /** Whether the service does such work. */
    boolean admits(String program, int inputBytes, int outputBytes, int entryCount) {
        NodeBounds known = bounds;
        return known != null
                && entryCount <= known.mostEntries()
                && inputBytes <= known.mostInputBytes(program)
                && outputBytes <= known.mostOutputBytes().getOrDefault(program, 0);
    }

    /** Asks the service for a further segment, if this client may have more and no such question is open. */
    void want() {
        synchronized (this) {
            NodeBounds known = bounds;
            Moment refused = full;
            if (wanted || ending != null || refused != null && !refused.isOlderThan(FULL_NANOS)) {
                return;
            }
            if (known != null && memory.capacityBytes() >= known.mostMemoryBytes()) {
                full = Moment.now();
                return;
            }
            full = null;
            wanted = true;
        }
        link.wake();
        NodeBounds known = bounds;
        if (known == null || known.madeBytes() == 0) {
            link.trySend(NodeProtocol.want(null));
        } else {
            wantMade(known.madeBytes());
        }
    }

    private void wantMade(int bytes) {
        try {
            SegmentFile file = SegmentFile.make(folder.resolve(NodeProtocol.SEGMENTS), bytes);
            synchronized (this) {
                made = file;
            }
            link.trySend(NodeProtocol.want(file.name()));
            if (ending() != null) {
                drop(takeMade());
            }
        } catch (IOException failed) {
            LOG.debug("no file for memory: {}", failed.getMessage());
            full = Moment.now();
            gotAnswer();
        }
    }

    /**
     * Takes back results that no task has read for so long, until about so many bytes are free; whether there were any.
     */
    private synchronized boolean revokeStale(int bytes, long staleNanos) {
        return unread.revoke(bytes, staleNanos, this) > 0;
    }

    // ---- for leases

    @Override
    public void enqueue(NodeLease lease) {
        FallbackReason refusal = tryEnqueue(lease);
        if (refusal != null) {
            lease.finish(refusal);
            return;
        }
        link.wake();
        link.trySend(lease.order());
    }

    private synchronized FallbackReason tryEnqueue(NodeLease lease) {
        if (lease.state() == LeaseState.CLOSED) {
            // by another thread, while this one filled it
            return FallbackReason.CANCELLED;
        }
        if (lease.state() != LeaseState.FILLING) {
            throw new IllegalStateException("lease is " + lease.state());
        }
        if (ending != null) {
            lease.state(LeaseState.FAILED);
            return FallbackReason.NODE_LOST;
        }
        lease.state(LeaseState.ISSUED);
        lease.sent(++lastId);
        sent.put(lastId, lease);
        return null;
    }

    @Override
    public void close(NodeLease lease) {
        if (mayWithdraw(lease)) {
            ByteBuffer message = NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES);
            link.trySend(message.putLong(lease.id()).flip());
        }
    }

    /** Closes a lease; whether the service is to be told that its work is not wanted any more. */
    private synchronized boolean mayWithdraw(NodeLease lease) {
        switch (lease.state()) {
            case FILLING, FAILED -> endLease(lease);
            case ISSUED -> {
                boolean first = !lease.isAbandoned();
                lease.abandonAt(clock.getAsLong());
                return first;
            }
            case DONE -> {
                unread.remove(lease);
                endLease(lease);
            }
            case QUEUED, REVOKED, LOST, CLOSED -> LOG.trace("nothing is held");
        }
        return false;
    }

    private void endLease(NodeLease lease) {
        if (lease.end()) {
            giveBack(lease);
        }
    }

    @Override
    public void giveBack(NodeLease lease) {
        memory.give(lease.region());
        endIfUnused();
    }

    /** The connection has to end, for a reason. Any thread may call. */
    void lose(String why) {
        link.end(why);
    }

    // ---- the end

    /**
     * Gives back what is not used: takes back results that have lain unread for long, and ends the connection if no
     * lease has memory. So a service that is short of memory need not refuse a client that behaves, whose results
     * would go with it.
     */
    void endIfIdle(long idleNanos) {
        if (System.nanoTime() - usedNanos < idleNanos) {
            return;
        }
        revokeStale(Integer.MAX_VALUE, FORGOTTEN_NANOS);
        if (memory.lentBytes() == 0) {
            link.end(ServiceLink.IDLE);
        }
    }

    /** Ends the connection if abandoned work is not over within a minute. Else its memory is never lent again. */
    void endIfUnanswered() {
        long now = clock.getAsLong();
        boolean lost;
        synchronized (this) {
            lost = sent.values().stream().anyMatch(lease -> lease.isAbandonedFor(UNANSWERED_NANOS, now));
        }
        if (lost) {
            link.end("it has not answered for a minute");
        }
    }

    /** Ends every lease that the service has, once. Returns false if that was done before. */
    boolean end(String why) {
        List<NodeLease> lost;
        synchronized (this) {
            if (ending != null) {
                return false;
            }
            ending = why;
            lost = new ArrayList<>(sent.values());
            sent.clear();
            lost.forEach(lease -> lease.state(LeaseState.LOST));
            notifyAll();
        }
        drop(takeMade());
        // a device may still write to their memory, which is not lent again; no thread touches it
        lost.stream().filter(NodeLease::endAccess).forEach(lease -> memory.give(lease.region()));
        lost.forEach(lease -> lease.finish(lease.isAbandoned() ? FallbackReason.CANCELLED : FallbackReason.NODE_LOST));
        return true;
    }

    /**
     * Once the connection has ended and no thread touches its memory: unmaps that, and closes the socket, which tells
     * the service that it may cut the segments. A thread that touched them then would end the JVM.
     */
    void endIfUnused() {
        synchronized (this) {
            if (ending == null || memory.lentBytes() > 0) {
                return;
            }
            memory.unmap();
        }
        link.close();
    }

    // ---- how it stands

    /** Why the connection has ended, or is about to; null while it lasts. */
    synchronized String ending() {
        return ending;
    }

    /** Whether the service owes an answer: a welcome, memory, or the end of work. */
    synchronized boolean owesAnswer() {
        return bounds == null || wanted || !sent.isEmpty();
    }

    /** Whether the service has work. */
    synchronized boolean hasWork() {
        return !sent.isEmpty();
    }

    /**
     * Waits until the service has welcomed this client and lent it memory, or refused that, or the connection has
     * ended.
     */
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
        return full != null || known == null ? memory.capacityBytes() : known.mostMemoryBytes();
    }
}
