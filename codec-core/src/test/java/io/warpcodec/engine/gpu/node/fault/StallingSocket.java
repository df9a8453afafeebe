package io.warpcodec.engine.gpu.node.fault;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.node.ServedNode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A socket between the clients and a service, in a folder of its own, that lets so many bytes of the service through
 * and holds the others: as a service that stands still, in the middle of what it says. With none from the start, it
 * never says hello. Thread-safe.
 */
final class StallingSocket implements AutoCloseable {
    private final Path folder;
    private final Path behind;
    private final AtomicLong leftBytes;
    private final ServerSocketChannel server;
    private final Queue<SocketChannel> sockets = new ConcurrentLinkedQueue<>();

    /** @param behind the folder of the service */
    StallingSocket(Path behind, long leftBytes) throws IOException {
        this.behind = behind;
        folder = ServedNode.newFolder();
        this.leftBytes = new AtomicLong(leftBytes);
        // names of segments are of the folder
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(behind, NodeProtocol.SEGMENTS)) {
            for (Path each : segments) {
                Files.createSymbolicLink(folder.resolve(each.getFileName()), each);
            }
        }
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve(NodeProtocol.SOCKET)));
        start(this::accept);
    }

    Path folder() {
        return folder;
    }

    /** From now on the service may say so much more. */
    void letThrough(long bytes) {
        leftBytes.set(bytes);
    }

    /** Whether it has said all that it may. */
    boolean isStalled() {
        return leftBytes.get() == 0;
    }

    /** What ends by itself when its sockets are closed. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // the test is over, or a side has gone
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            SocketChannel client = server.accept();
            SocketChannel service = SocketChannel.open(UnixDomainSocketAddress.of(behind.resolve(NodeProtocol.SOCKET)));
            sockets.add(client);
            sockets.add(service);
            start(() -> copy(client, service, false));
            start(() -> copy(service, client, true));
        }
    }

    private void copy(SocketChannel from, SocketChannel to, boolean limited) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        while (from.read(bytes.clear()) >= 0) {
            int limit = bytes.flip().limit();
            while (bytes.position() < limit) {
                bytes.limit(limited ? bytes.position() + take(to, limit - bytes.position()) : limit);
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }
        }
        to.close();
    }

    /** How many of so many bytes may go through now; waits while it is none. */
    private int take(SocketChannel to, int wanted) throws IOException {
        while (to.isOpen()) {
            long left = leftBytes.getAndUpdate(many -> Math.max(0, many - wanted));
            if (left > 0) {
                return (int) Math.min(left, wanted);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        throw new ClosedChannelException();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (SocketChannel socket : sockets) {
            socket.close();
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path each : left) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }
}
