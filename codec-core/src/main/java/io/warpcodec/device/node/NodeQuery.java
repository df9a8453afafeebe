package io.warpcodec.device.node;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** Asks a node's service how it stands, over a connection of its own that takes no memory. Not thread-safe. */
public final class NodeQuery {
    private static final int MOST_WAITING_BYTES = 64 << 10;

    private final SocketChannel socket;
    private final MessageReader reader = new MessageReader();
    private final MessageWriter writer;
    private boolean welcome;
    private ServiceReport report;

    private NodeQuery(SocketChannel socket) {
        this.socket = socket;
        writer = new MessageWriter(socket, MOST_WAITING_BYTES, () -> {});
    }

    /**
     * Asks once.
     *
     * @param nanos to wait at most
     * @return its figures
     * @throws IOException if no service is there, it is not trusted, it does not answer in time, or it refuses: it
     *     tells root and its own user alone
     */
    public static ServiceReport ask(NodeAddress address, long nanos) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(address.socket()));
                Selector selector = Selector.open()) {
            address.requireTrusted(socket);
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ);
            return new NodeQuery(socket).ask(selector, nanos);
        }
    }

    private ServiceReport ask(Selector selector, long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        writer.send(NodeProtocol.hello("process " + ProcessHandle.current().pid()));
        while (report == null) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (leftMillis <= 0) {
                throw new IOException("it does not answer");
            }
            selector.select(leftMillis);
            selector.selectedKeys().clear();
            reader.read(socket, this::take);
        }
        return report;
    }

    private void take(byte kind, ByteBuffer fields) throws IOException {
        switch (kind) {
            case NodeProtocol.WELCOME -> {
                if (!welcome) {
                    welcome = true;
                    writer.send(NodeProtocol.of(NodeProtocol.REPORT));
                }
            }
            case NodeProtocol.REFUSED -> throw new IOException("it says: " + NodeProtocol.string(fields));
            case NodeProtocol.REPORTED -> report = ReportMessage.read(fields);
            default -> throw new IOException("a message of kind " + kind);
        }
    }
}
