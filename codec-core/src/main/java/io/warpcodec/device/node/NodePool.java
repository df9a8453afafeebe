package io.warpcodec.device.node;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.device.lease.MemoryTurns;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices of the node's service. Its one thread connects, reads what the service says, and when the connection
 * has ended connects again, once work asks for it and a second has passed; until then there are no devices, and the
 * CPU works. Closing, and the end of the process, waits for nothing: the service takes back what a client had.
 */
public final class NodePool implements DevicePool {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(NodePool.class);

    private final NodeAddress address;
    private final long idleNanos;
    private final LongSupplier clock;
    private final MemoryTurns turns;
    private final Thread thread;

    /** The first connection, which the caller of {@link #start} makes: no clock decides whether a service is there. */
    private SocketChannel first;

    private volatile ServiceLink link;
    private volatile boolean started;
    private volatile boolean closed;
    /** Whether an attempt to connect has failed, or a connection has ended, and no other has been made since. */
    private volatile boolean gone;

    private volatile long goneNanos;
    private volatile String whyGone;
    /** Said once for each time that the service goes. */
    private volatile boolean said;

    /** @param address of the service */
    public NodePool(NodeAddress address) {
        this(address, IDLE_NANOS, System::nanoTime);
    }

    /**
     * @param idleNanos after so long without work the connection ends
     * @param clock that waits are measured by, in nanoseconds
     */
    NodePool(NodeAddress address, long idleNanos, LongSupplier clock) {
        this.address = address;
        this.idleNanos = idleNanos;
        this.clock = clock;
        turns = new MemoryTurns(clock);
        thread = new Thread(this::run, "warpcodec node");
        thread.setDaemon(true);
    }

    // ---- the thread

    private void run() {
        SocketChannel socket = first;
        first = null;
        while (true) {
            if (socket != null) {
                serve(socket);
            }
            awaitWork();
            if (closed) {
                return;
            }
            socket = dial();
        }
    }

    /** Connects without waiting: a service whose backlog is full is not there. Null if it is not. */
    private SocketChannel dial() {
        try {
            SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                socket.configureBlocking(false);
                if (socket.connect(UnixDomainSocketAddress.of(address.socket()))) {
                    return socket;
                }
                throw new IOException("too many processes wait for it");
            } catch (IOException | RuntimeException failed) {
                socket.close();
                throw failed;
            }
        } catch (IOException refused) {
            lost(refused.getMessage());
            return null;
        }
    }

    /** Speaks with a service until the connection ends. */
    private void serve(SocketChannel socket) {
        try {
            ServiceLink made = meet(socket);
            link = made;
            if (closed) {
                made.end("closed");
            }
            lost(made.run());
        } catch (IOException refused) {
            lost(refused.getMessage());
        }
    }

    private ServiceLink meet(SocketChannel socket) throws IOException {
        try {
            address.requireTrusted(socket);
            String name = "process " + ProcessHandle.current().pid();
            return new ServiceLink(address.folder(), socket, name, idleNanos, clock, turns::cameBack);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private void lost(String why) {
        whyGone = why;
        link = null;
        boolean idle = ServiceLink.IDLE.equals(why);
        goneNanos = idle ? System.nanoTime() - RETRY_NANOS : System.nanoTime();
        if (!closed && !said && !idle) {
            said = true;
            LOG.warn("The node service at {} is not used; the CPU works until it is there: {}", address.folder(), why);
        }
        gone = true;
        turns.cameBack();
    }

    /** Until work asks for a connection, and the last attempt is a second ago. */
    private void awaitWork() {
        long left;
        while (!closed && ((left = RETRY_NANOS - (System.nanoTime() - goneNanos)) > 0 || gone)) {
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                LockSupport.park(this);
            }
        }
    }

    private NodeLeases leases() {
        ServiceLink now = link;
        return now == null ? null : now.leases();
    }

    /** Work asks for devices: has a lost connection made anew if it is time. */
    private NodeLeases ready() {
        NodeLeases now = leases();
        if (now != null && now.isReady()) {
            if (said) {
                said = false;
                LOG.info("The node service at {} is there again", address.folder());
            }
            return now;
        }
        if (gone && System.nanoTime() - goneNanos > RETRY_NANOS) {
            gone = false;
            LockSupport.unpark(thread);
        }
        return null;
    }

    // ---- the pool

    @Override
    public long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public void start() {
        if (!started) {
            synchronized (this) {
                if (!started && !closed) {
                    started = true;
                    first = dial();
                    thread.start();
                }
            }
        }
    }

    @Override
    public void awaitStart(long timeoutNanos) throws InterruptedException {
        awaitFirst(timeoutNanos);
    }

    @Override
    public void awaitFirst(long timeoutNanos) throws InterruptedException {
        start();
        long end = System.nanoTime() + timeoutNanos;
        while (ready() == null && !closed && !gone) {
            long left = end - System.nanoTime();
            NodeLeases now = leases();
            if (left <= 0) {
                return;
            }
            if (now == null) {
                Thread.sleep(1);
            } else {
                now.awaitReady(left);
            }
        }
    }

    @Override
    public FallbackReason unavailableReason() {
        if (closed) {
            return FallbackReason.POOL_CLOSED;
        }
        return ready() == null && gone ? FallbackReason.NODE_LOST : null;
    }

    @Override
    public boolean isRunning() {
        return ready() != null;
    }

    @Override
    public DeviceLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        LeaseTerms terms = new LeaseTerms(program, inputBytes, outputBytes, entryCount);
        NodeLeases now = ready();
        return now == null ? null : now.tryLease(terms);
    }

    @Override
    public FallbackReason refusalReason(String program, int inputBytes, int outputBytes, int entryCount) {
        FallbackReason reason = unavailableReason();
        NodeLeases now = ready();
        if (reason != null || now == null) {
            return reason == null ? FallbackReason.POOL_FULL : reason;
        }
        return now.admits(program, inputBytes, outputBytes, entryCount)
                ? FallbackReason.POOL_FULL
                : FallbackReason.OVER_MEMORY;
    }

    @Override
    public boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount) {
        NodeLeases now = ready();
        return now != null && now.admits(program, inputBytes, outputBytes, entryCount);
    }

    @Override
    public int mostLeaseBytes() {
        NodeLeases now = ready();
        return now == null ? 0 : now.bounds().mostLeaseBytes();
    }

    /**
     * {@inheritDoc} A client that has just begun asks for no long leases, for which the service would have to make
     * more memory.
     */
    @Override
    public int mostOutputBytes(String program) {
        NodeLeases now = ready();
        if (now == null) {
            return 0;
        }
        int most = now.bounds().mostOutputBytes().getOrDefault(program, 0);
        return now.isSettled() ? most : Math.min(most, now.bounds().mostLeaseBytes());
    }

    @Override
    public long lentBytes() {
        NodeLeases now = leases();
        return now == null ? 0 : now.lentBytes();
    }

    @Override
    public double lentShare() {
        NodeLeases now = ready();
        return now == null ? 0 : (double) now.lentBytes() / Math.max(1, now.capacityBytes());
    }

    @Override
    public boolean isAwaited() {
        return turns.isAwaited();
    }

    @Override
    public boolean attempt(BooleanSupplier attempt, long nanos) throws InterruptedException {
        return turns.attempt(attempt, nanos);
    }

    /** Why the last connection ended, or was not made; null if neither has happened. */
    public String whyGone() {
        return whyGone;
    }

    @Override
    public void close() {
        closed = true;
        ServiceLink now = link;
        if (now != null) {
            now.end("closed");
        }
        LockSupport.unpark(thread);
    }
}
