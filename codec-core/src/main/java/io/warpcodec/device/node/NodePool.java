package io.warpcodec.device.node;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.MemoryTurns;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices of the node's service. Its one thread connects, reads what the service says, and when the connection has ended connects again, once work asks for it and a
 * second has passed; until then there are no devices, and the CPU works. Closing, and the end of the process, waits for nothing: the service takes back what a client had.
 */
public final class NodePool implements DevicePool {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long TURN_MILLIS = 1000;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(NodePool.class);

    private final NodeAddress address;
    private final long idleNanos;
    private final long turnMillis;
    private final MemoryTurns turns = new MemoryTurns();
    private final Thread thread;

    private volatile NodeConnection connection;
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
        this(address, IDLE_NANOS, TURN_MILLIS);
    }

    /**
     * @param idleNanos after so long without work the connection ends
     * @param turnMillis a service that is silent for ten of these, though it has work, has gone
     */
    NodePool(NodeAddress address, long idleNanos, long turnMillis) {
        this.address = address;
        this.idleNanos = idleNanos;
        this.turnMillis = turnMillis;
        thread = new Thread(this::run, "warpcodec node");
        thread.setDaemon(true);
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            try {
                NodeConnection made = connect();
                connection = made;
                if (closed) {
                    made.end("closed");
                }
                String why = made.run();
                lost(why);
            } catch (IOException refused) {
                lost(refused.getMessage());
            }
            awaitWork();
        }
    }

    private NodeConnection connect() throws IOException {
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(address.socket()));
        try {
            address.requireTrusted(socket);
            socket.configureBlocking(false);
            String name = "process " + ProcessHandle.current().pid();
            return new NodeConnection(address.folder(), socket, name, idleNanos, turnMillis, turns::cameBack);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private void lost(String why) {
        whyGone = why;
        connection = null;
        boolean idle = NodeConnection.IDLE.equals(why);
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

    /** Work asks for devices: has a lost connection made anew if it is time. */
    private NodeConnection ready() {
        NodeConnection now = connection;
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
        return System.nanoTime();
    }

    @Override
    public void start() {
        if (!started) {
            synchronized (this) {
                if (!started && !closed) {
                    started = true;
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
            NodeConnection now = connection;
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
        if (inputBytes < 1 || outputBytes < 1 || entryCount < 0) {
            throw new IllegalArgumentException(
                    inputBytes + " bytes in, " + outputBytes + " bytes out, " + entryCount + " units");
        }
        NodeConnection now = ready();
        return now == null ? null : now.tryLease(program, inputBytes, outputBytes, entryCount);
    }

    @Override
    public FallbackReason refusalReason(String program, int inputBytes, int outputBytes, int entryCount) {
        FallbackReason reason = unavailableReason();
        NodeConnection now = ready();
        if (reason != null || now == null) {
            return reason == null ? FallbackReason.POOL_FULL : reason;
        }
        return now.admits(program, inputBytes, outputBytes, entryCount)
                ? FallbackReason.POOL_FULL
                : FallbackReason.OVER_MEMORY;
    }

    @Override
    public boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount) {
        NodeConnection now = ready();
        return now != null && now.admits(program, inputBytes, outputBytes, entryCount);
    }

    @Override
    public int mostLeaseBytes() {
        NodeConnection now = ready();
        return now == null ? 0 : now.bounds().mostLeaseBytes();
    }

    @Override
    public int mostOutputBytes(String program) {
        NodeConnection now = ready();
        return now == null ? 0 : now.bounds().mostOutputBytes().getOrDefault(program, 0);
    }

    @Override
    public long backlogBytes() {
        NodeConnection now = ready();
        return now == null ? 0 : now.backlogBytes();
    }

    @Override
    public long lentBytes() {
        NodeConnection now = connection;
        return now == null ? 0 : now.lentBytes();
    }

    @Override
    public boolean isCrowded() {
        return lentMoreThan(2);
    }

    /** {@inheritDoc} Not while this client has just begun. */
    @Override
    public boolean isQuiet() {
        NodeConnection now = ready();
        return now != null && now.isSettled() && !lentMoreThan(1);
    }

    @Override
    public boolean isNearlyFull() {
        return lentMoreThan(3);
    }

    /** Whether more than so many quarters of this client's memory are lent. */
    private boolean lentMoreThan(int quarters) {
        NodeConnection now = ready();
        return now != null && now.lentBytes() > now.capacityBytes() / 4 * quarters;
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
        NodeConnection now = connection;
        if (now != null) {
            now.end("closed");
        }
        LockSupport.unpark(thread);
    }
}
