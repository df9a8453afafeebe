package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many connections have a thread before their users are known: the directory of users may be slow. */
@Timeout(60)
class AcceptorTest {
    private static final int MOST_UNKNOWN = 128;
    private static final int KNOWN = 200;

    @TempDir
    Path folder;

    private final BlockingQueue<SocketChannel> begun = new LinkedBlockingQueue<>();
    private final List<SocketChannel> sockets = new ArrayList<>();
    private int unknown;
    private int mostUnknown;

    private void connect(int count) throws Exception {
        for (int connection = 0; connection < count; connection++) {
            sockets.add(SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("socket"))));
        }
    }

    private void awaitBegun(int count) throws Exception {
        for (int connection = 0; connection < count; connection++) {
            SocketChannel next = begun.poll(30, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            sockets.add(next);
            count(1);
        }
        SocketChannel more;
        while ((more = begun.poll()) != null) {
            sockets.add(more);
            count(1);
        }
    }

    private void count(int change) {
        unknown += change;
        mostUnknown = Math.max(mostUnknown, unknown);
    }

    @Test
    void manyWhoseUsersAreKnownAreServedBesideAsManyAsMayBeUnknown() throws Exception {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve("socket")), 1024);
        Acceptor acceptor = new Acceptor(server, KNOWN, begun::add);
        acceptor.start();
        try {
            connect(KNOWN);
            for (int client = 0; client < KNOWN; client++) {
                awaitBegun(1 - unknown);
                acceptor.isKnown();
                count(-1);
            }
            // of one whose name takes long
            connect(2 * MOST_UNKNOWN);
            awaitBegun(MOST_UNKNOWN);
            for (int client = 0; client < MOST_UNKNOWN; client++) {
                // each that is known lets one more in
                acceptor.hasEnded();
                acceptor.isKnown();
                count(-1);
                awaitBegun(1);
            }
            assertThat(mostUnknown).isEqualTo(MOST_UNKNOWN);
        } finally {
            acceptor.close();
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        }
    }
}
