package io.warpcodec.device.serve;

import io.warpcodec.device.node.MessageReader;
import io.warpcodec.device.node.MessageWriter;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.WaitingBudget;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The socket of one client on its thread: reads, writes and closes there, however long the client makes that last.
 * Belongs to that thread, but for {@link #send}, {@link #post} and {@link #wakeIfStalled}.
 */
final class ClientLoop {
    private static final int MOST_WAITING_BYTES = 4 << 20;
    private static final int DISCARDED_BYTES = 8 << 10;
    /** A hello is no longer: before it, whoever connects holds no more of the heap. */
    private static final int HELLO_BYTES = 2 << 10;

    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final MessageReader reader = new MessageReader();
    private final MessageWriter writer;
    private final long tickNanos;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean closed;
    private long tickedNanos = System.nanoTime();
    private volatile boolean writes;
    /** Whether it is not read before some of its work is over. */
    private volatile boolean stalled;

    /**
     * @param socket belongs to this loop from now on
     * @param budget of all clients, for what waits to be written
     */
    ClientLoop(SocketChannel socket, WaitingBudget budget, long tickMillis) throws IOException {
        this.socket = socket;
        tickNanos = TimeUnit.MILLISECONDS.toNanos(tickMillis);
        socket.configureBlocking(false);
        selector = Selector.open();
        try {
            key = socket.register(selector, 0);
        } catch (IOException | RuntimeException failed) {
            selector.close();
            throw failed;
        }
        reader.limit(HELLO_BYTES);
        writer = new MessageWriter(socket, MOST_WAITING_BYTES, budget, () -> {
            writes = true;
            selector.wakeup();
        });
    }

    /** One look at the socket: of what has come, no more than a few kilobytes are taken. */
    void turn(ServedClient client) throws IOException {
        long now = System.nanoTime();
        long waitNanos = Math.max(0, tickedNanos + tickNanos - now);
        long debtNanos = client.debtNanos(now);
        boolean reads = client.isRefused() || debtNanos == 0 && mayBeRead(client);
        key.interestOps((reads ? SelectionKey.OP_READ : 0) | (writes ? SelectionKey.OP_WRITE : 0));
        if (debtNanos > 0) {
            waitNanos = Math.min(waitNanos, debtNanos);
        }
        selector.select(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
        selector.selectedKeys().clear();
        runTasks();
        if (key.isWritable()) {
            // a thread may have begun to wait in between
            writes = false;
            if (!writer.goOn()) {
                writes = true;
            }
        }
        if (key.isReadable()) {
            read(client);
        }
        if (System.nanoTime() - tickedNanos >= tickNanos) {
            tickedNanos = System.nanoTime();
            client.tick(tickedNanos);
        }
    }

    /** Looks twice, since work may be over in between, by another thread that has seen no stall. */
    private boolean mayBeRead(ServedClient client) {
        stalled = false;
        if (!client.mayBeRead()) {
            stalled = true;
            return client.mayBeRead();
        }
        return true;
    }

    private void read(ServedClient client) throws IOException {
        if (!client.isRefused()) {
            reader.read(socket, client::take);
        } else if (socket.read(ByteBuffer.allocate(DISCARDED_BYTES)) < 0) {
            throw new EOFException("it has closed the connection");
        }
    }

    /** The client has said hello: its messages may be longer now. */
    void welcome() {
        reader.limit(NodeProtocol.MOST_MESSAGE_BYTES);
    }

    private void runTasks() {
        for (Runnable task = poll(); task != null; task = poll()) {
            task.run();
        }
    }

    private synchronized Runnable poll() {
        return tasks.poll();
    }

    /** Has a task run on the thread, soon; false if that has ended. Any thread may call. */
    boolean post(Runnable task) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            tasks.add(task);
        }
        selector.wakeup();
        return true;
    }

    /** Some of its work is over: has the thread look whether it may read on. Any thread may call. */
    void wakeIfStalled() {
        if (stalled) {
            selector.wakeup();
        }
    }

    /** Sends a message, or keeps it until the client reads. Never waits. Any thread may call. */
    void send(ByteBuffer message) throws IOException {
        writer.send(message);
    }

    /** How long the client has taken nothing of what waits for it, in nanoseconds. */
    long stuckNanos() {
        return writer.stuckNanos();
    }

    /** Drops what waits for a client that is refused. */
    void dropWaiting() {
        writer.dropWhole();
    }

    /** Runs what was posted, and closes the socket, which may take long. */
    void close() {
        writer.dropAll();
        synchronized (this) {
            closed = true;
        }
        runTasks();
        Acceptor.closeQuietly(socket);
        try {
            selector.close();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
