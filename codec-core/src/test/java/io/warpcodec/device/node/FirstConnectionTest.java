package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the thread that starts a pool knows at once, though the pool's own thread may not have run yet. */
class FirstConnectionTest {
    private static final int POOLS = 200;

    @TempDir
    Path folder;

    private NodePool started() {
        NodePool pool = new NodePool(new NodeAddress(folder, Set.of()));
        pool.start();
        return pool;
    }

    private void requireNoService() {
        for (int each = 0; each < POOLS; each++) {
            try (NodePool pool = started()) {
                assertThat(pool.whyGone()).isNotNull();
            }
        }
    }

    @Test
    void aFolderWithoutASocketIsNoService() {
        requireNoService();
    }

    @Test
    void aSocketThatNoProcessListensAtIsNoService() throws Exception {
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(folder.resolve(NodeProtocol.SOCKET)));
        }
        requireNoService();
    }

    @Test
    void aSocketWithAListenerMayBecomeOne() throws Exception {
        try (ServerSocketChannel listens = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listens.bind(UnixDomainSocketAddress.of(folder.resolve(NodeProtocol.SOCKET)));
            try (NodePool pool = started()) {
                assertThat(pool.whyGone()).isNull();
            }
        }
    }
}
