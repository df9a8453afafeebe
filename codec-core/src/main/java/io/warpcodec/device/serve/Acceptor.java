package io.warpcodec.device.serve;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that accepts connections, and does nothing else. To ask who a client is, to read from it or to close its
 * socket may take as long as a stranger likes. So each connection has a thread of its own for that. While there are
 * too many of those threads, new connections wait. Thread-safe.
 */
final class Acceptor {
    /** Threads that do not know their user yet: the directory of users may be slow. */
    private static final int MOST_UNKNOWN = 128;

    private static final long PAUSE_MILLIS = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final ServerSocketChannel server;
    private final Selector selector = Selector.open();
    private final SelectionKey key;
    private final int mostThreads;
    private final Consumer<SocketChannel> start;
    private final Thread thread = new Thread(this::run, "warpcodec accept");
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private volatile boolean closed;

    /**
     * @param server bound; belongs to this acceptor from now on
     * @param mostKnown threads of clients whose users are known
     * @param start gives a connection a thread, which calls {@link #isKnown} and {@link #hasEnded}
     */
    Acceptor(ServerSocketChannel server, int mostKnown, Consumer<SocketChannel> start) throws IOException {
        this.server = server;
        this.mostThreads = mostKnown + MOST_UNKNOWN;
        this.start = start;
        server.configureBlocking(false);
        key = server.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                key.interestOps(mayAccept() ? SelectionKey.OP_ACCEPT : 0);
                selector.select(PAUSE_MILLIS);
                selector.selectedKeys().clear();
                if (!closed && mayAccept()) {
                    accept();
                }
            }
            // connections that wait may hold descriptors which take long to close
            server.close();
            selector.close();
        } catch (IOException | RuntimeException broken) {
            LOG.error("no client is accepted any more", broken);
        }
    }

    private boolean mayAccept() {
        return threads.get() < mostThreads && unknown.get() < MOST_UNKNOWN;
    }

    private void accept() {
        SocketChannel socket;
        try {
            socket = server.accept();
        } catch (IOException failed) {
            LOG.debug("a connection failed: {}", failed.getMessage());
            // this process may have no descriptors left
            pause();
            return;
        }
        if (socket != null) {
            threads.incrementAndGet();
            unknown.incrementAndGet();
            begin(socket);
        }
    }

    private void begin(SocketChannel socket) {
        try {
            start.accept(socket);
        } catch (RuntimeException | OutOfMemoryError noThread) {
            LOG.debug("a connection has no thread: {}", noThread.toString());
            isKnown();
            hasEnded();
            closeQuietly(socket);
            pause();
        }
    }

    static void closeQuietly(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread knows its user. */
    void isKnown() {
        if (unknown.getAndDecrement() == MOST_UNKNOWN) {
            selector.wakeup();
        }
    }

    /** A thread has ended. */
    void hasEnded() {
        if (threads.getAndDecrement() == mostThreads) {
            selector.wakeup();
        }
    }

    /** Accepts no more. Does not wait. */
    void close() {
        closed = true;
        selector.wakeup();
    }
}
