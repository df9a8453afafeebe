package io.warpcodec.device.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the node's service: the socket, and the thread that reads from it ({@link #run}). It knows
 * nothing of how long the service takes: threads that wait for a lease have bounds of their own. Thread-safe.
 */
final class ServiceLink {
    /** Why a connection ended that had nothing to do. */
    static final String IDLE = "idle";

    /** Shortest and longest pause between two looks of a client without work whether the service has answered. */
    private static final long LEAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long MOST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(16);
    /** A thread that waits for the socket looks whether the connection has ended, at least so often. */
    private static final long TURN_MILLIS = 1000;

    /** A service that has not welcomed a client for so long does not. */
    private static final long WELCOME_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST_WAITING_BYTES = 8 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(ServiceLink.class);

    private final SocketChannel socket;
    private final Selector selector;
    private final MessageWriter writer;
    private final MessageReader reader = new MessageReader();
    private final NodeLeases leases;
    private final long idleNanos;
    private final LongSupplier clock;
    private final long begunNanos;
    private volatile Thread thread;

    /**
     * Says hello. The rest is up to {@link #run}.
     *
     * @param folder of the node
     * @param socket connected to its service; does not block; is closed if this fails
     * @param name of this client, for people
     * @param idleNanos after so long without work it ends
     * @param clock that waits are measured by, in nanoseconds
     * @param whenMemoryComesBack told so
     * @throws IOException if the connection is broken
     */
    ServiceLink(
            Path folder,
            SocketChannel socket,
            String name,
            long idleNanos,
            LongSupplier clock,
            Runnable whenMemoryComesBack)
            throws IOException {
        this.socket = socket;
        this.idleNanos = idleNanos;
        this.clock = clock;
        this.begunNanos = clock.getAsLong();
        this.selector = Selector.open();
        this.leases = new NodeLeases(this, folder, clock, whenMemoryComesBack);
        boolean open = false;
        try {
            SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
            this.writer = new MessageWriter(socket, MOST_WAITING_BYTES, () -> awaitWritable(key));
            writer.send(NodeProtocol.hello(name));
            open = true;
        } finally {
            if (!open) {
                close();
            }
        }
        leases.want();
    }

    private void awaitWritable(SelectionKey key) {
        try {
            key.interestOpsOr(SelectionKey.OP_WRITE);
        } catch (CancelledKeyException closed) {
            LOG.trace("the connection has ended");
        }
        selector.wakeup();
    }

    NodeLeases leases() {
        return leases;
    }

    /** Reads what the service says until the connection ends; then every lease on it is over. Returns why. */
    String run() {
        try {
            thread = Thread.currentThread();
            while (leases.ending() == null) {
                if (leases.hasWork()) {
                    selector.select(TURN_MILLIS);
                } else {
                    awaitWorkOrAnswer();
                }
                turn();
                leases.endIfUnanswered();
            }
        } catch (IOException | RuntimeException | Error broken) {
            end(broken instanceof IOException ? broken.getMessage() : broken.toString());
        }
        return leases.ending();
    }

    private void turn() throws IOException {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isWritable() && writer.goOn()) {
                key.interestOps(SelectionKey.OP_READ);
                // a thread may have begun to wait in between
                key.interestOpsOr(writer.goOn() ? 0 : SelectionKey.OP_WRITE);
            }
            if (key.isReadable()) {
                reader.read(socket, leases::take);
            }
        }
        selector.selectedKeys().clear();
    }

    /**
     * Waits until the service has answered, or may have to. A JVM that exits waits up to 0.3 s for every thread that
     * is inside a system call. So a client without work has no thread there. For a welcome and for memory it looks
     * again and again. That its service has gone it learns when it has work again.
     */
    private void awaitWorkOrAnswer() throws IOException {
        for (long pause = LEAST_LOOK_NANOS; leases.ending() == null && !leases.hasWork(); ) {
            if (leases.owesAnswer()) {
                if (selector.selectNow() > 0) {
                    return;
                }
                if (leases.bounds() == null && clock.getAsLong() - begunNanos > WELCOME_NANOS) {
                    throw new IOException("it accepts connections and says nothing");
                }
                LockSupport.parkNanos(this, pause);
                pause = Math.min(MOST_LOOK_NANOS, 2 * pause);
            } else {
                LockSupport.parkNanos(this, idleNanos);
                leases.endIfIdle(idleNanos);
                pause = LEAST_LOOK_NANOS;
            }
        }
    }

    /** The service has been asked for something. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Sends a message, without waiting. A broken connection ends. */
    void trySend(ByteBuffer message) {
        try {
            writer.send(message);
        } catch (IOException broken) {
            end(String.valueOf(broken.getMessage()));
        }
    }

    /** Ends the connection, for a reason: every lease that the service has is over. Any thread may call. */
    void end(String why) {
        if (leases.end(why)) {
            wake();
            selector.wakeup();
            leases.endIfUnused();
        }
    }

    /** Closes the socket. Idempotent. */
    void close() {
        try {
            socket.close();
            selector.close();
        } catch (IOException closing) {
            LOG.debug("{}", closing.getMessage());
        }
    }
}
