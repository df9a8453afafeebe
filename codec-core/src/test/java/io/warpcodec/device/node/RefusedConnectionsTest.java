package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Descriptors of a client whose service refuses it again and again, as the kernel lists them. */
@Timeout(120)
class RefusedConnectionsTest {
    private static final int COUNT = 1000;

    /** How a service refuses a connection. */
    private enum Refusing {
        BEFORE_HELLO,
        WITHOUT_A_WORD,
        IN_WORDS,
        IN_THE_MIDDLE_OF_A_MESSAGE,
        WITH_NONSENSE;

        private void answer(SocketChannel client) throws IOException {
            ByteBuffer why = NodeProtocol.begin(NodeProtocol.REFUSED, NodeProtocol.bytes("full"));
            NodeProtocol.put(why, "full");
            switch (this) {
                case IN_WORDS -> client.write(why.flip());
                case IN_THE_MIDDLE_OF_A_MESSAGE -> client.write(why.flip().limit(6));
                case WITH_NONSENSE -> client.write(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 0}));
                default -> client.shutdownOutput();
            }
        }
    }

    @TempDir
    Path folder;

    /** Descriptors by kind: files that other tests leave open are of no kind here. */
    private static Map<String, Long> descriptors() throws IOException {
        Map<String, Long> kinds = new TreeMap<>();
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : all) {
                String target = target(each);
                if (target.startsWith("socket:") || target.startsWith("anon_inode:")) {
                    kinds.merge(target.replaceAll("[0-9]+", ""), 1L, Long::sum);
                }
            }
        }
        return kinds;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThousandRefusalsLeaveNone(Refusing how) throws Exception {
        Path path = folder.resolve(NodeProtocol.SOCKET);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            isRefused(server, path, how);
            Map<String, Long> before = descriptors();
            for (int connection = 1; connection < COUNT; connection++) {
                isRefused(server, path, how);
            }
            assertThat(descriptors()).isEqualTo(before);
        }
    }

    /** As the pool connects. */
    private void isRefused(ServerSocketChannel server, Path path, Refusing how) throws IOException {
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path));
        socket.configureBlocking(false);
        SocketChannel client = server.accept();
        if (how == Refusing.BEFORE_HELLO) {
            client.close();
        }
        try (client) {
            ServiceLink link = new ServiceLink(folder, socket, "refused", Long.MAX_VALUE, System::nanoTime, () -> {});
            how.answer(client);
            client.close();
            assertThat(link.run()).isNotNull();
        } catch (IOException atOnce) {
            assertThat(how).isEqualTo(Refusing.BEFORE_HELLO);
        }
    }
}
