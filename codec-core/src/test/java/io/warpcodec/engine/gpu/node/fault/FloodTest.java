package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Clients that say much that keeps to the protocol, and many clients that come at once: an honest one beside them is
 * served.
 */
class FloodTest {
    private static final String LZ4 = "decode.lz4";
    private static final byte[] BLOCK = {0x10, 'x'};
    private static final int REQUESTS = 100;
    private static final int PROCESSES = 128;
    private static final long SMALL_BYTES = 1 << 18;
    /** Far above what a request takes beside a flood, far below what one took that was served behind it. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());

    @AfterEach
    void close() {
        node.close();
    }

    private static byte[] order() {
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.array();
    }

    private static void isServed(RawClient client, RawClient.Lent segment, int id) throws IOException {
        segment.memory().put(0, BLOCK);
        client.work(id, LZ4, segment.id(), 0, BLOCK.length, 1, order());
        assertThat(client.next(NodeProtocol.OVER).fields().get(Long.BYTES)).isEqualTo(NodeProtocol.DONE);
    }

    /** Sends a message again and again until its connection is closed. */
    private static Thread flood(RawClient client, ByteBuffer message) {
        ByteBuffer many = ByteBuffer.allocate(1000 * message.remaining());
        while (many.hasRemaining()) {
            many.put(message.duplicate());
        }
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    client.send(many.duplicate().flip());
                }
            } catch (IOException closed) {
                // the test is over
                return;
            }
        });
        thread.start();
        return thread;
    }

    private void anHonestClientIsServedBeside(ByteBuffer message) throws Exception {
        List<RawClient> floods = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (RawClient honest = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = honest.segment();
            for (int count = 0; count < 20; count++) {
                RawClient client = RawClient.welcome(node.node().folder());
                floods.add(client);
                threads.add(flood(client, message));
            }
            for (int id = 1; id <= REQUESTS; id++) {
                long begin = System.nanoTime();
                isServed(honest, segment, id);
                assertThat(System.nanoTime() - begin).isLessThan(MOST_NANOS);
            }
        } finally {
            for (RawClient client : floods) {
                client.close();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void withdrawalsOfWhatDoesNotExist() throws Exception {
        anHonestClientIsServedBeside(
                NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES).putLong(7).flip());
        // each of them has been listened to for its credit, and a little more
        assertThat(node.node().service().totals().refused()).isEmpty();
    }

    @Test
    void requestsForMemoryThatIsNotThere() throws Exception {
        anHonestClientIsServedBeside(NodeProtocol.want(null));
    }

    /** All processes of a node may be of one user, and begin within a second; some want more than one segment. */
    @Test
    void everyOneOfManyProcessesOfAUserGetsMemoryAndIsServed() throws Exception {
        NodeCaps caps = new NodeCaps(
                384, 1024, 8 * SMALL_BYTES, PROCESSES * SMALL_BYTES, PROCESSES / 4 * SMALL_BYTES, (int) SMALL_BYTES);
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedNode many = ScriptedNode.open(1, ScriptedGpu.smallLimits(), caps)) {
            try {
                many.pool().close();
                for (int client = 0; client < PROCESSES; client++) {
                    clients.add(RawClient.welcome(many.node().folder()));
                }
                for (int client = 0; client < PROCESSES; client++) {
                    isServed(clients.get(client), clients.get(client).segment(), 1);
                    // whatever comes of that
                    clients.get(client).send(NodeProtocol.want(null));
                    if (client < PROCESSES / 4) {
                        clients.get(client).next();
                    }
                }
            } finally {
                for (RawClient client : clients) {
                    client.close();
                }
            }
        }
    }

    /** Connections that ask for memory and go count for their user until the service has seen that. */
    @Test
    void whoComesBesideConnectionsThatAskAndGoGetsMemory() throws Exception {
        for (int count = 0; count < 200; count++) {
            try (RawClient client = RawClient.welcome(node.node().folder())) {
                client.send(NodeProtocol.want(null));
                client.send(NodeProtocol.want(null));
            }
        }
        try (RawClient honest = RawClient.welcome(node.node().folder())) {
            isServed(honest, honest.segmentInTheEnd(), 1);
        }
        // memory of those that went comes back
        while (node.node().service().totals().memoryBytes() > 5L * ScriptedNode.SEGMENT_BYTES) {
            Thread.sleep(1);
        }
    }

    /** A socket that is sent along and whose close waits for what it has not sent. */
    private static final String LINGERS = """
            import array, os, socket, struct, sys, threading, time
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
            lingers = socket.socket()
            lingers.connect(listener.getsockname())
            other = listener.accept()
            lingers.setblocking(False)
            try:
                while True:
                    lingers.send(b"x" * 65536)
            except BlockingIOError:
                pass
            lingers.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 600))
            lingers.setblocking(True)
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1])
            client.sendmsg([b"\\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [lingers.fileno()]))])
            # the service may have closed its own already: then this one waits
            threading.Thread(target=os.close, args=(lingers.detach(),), daemon=True).start()
            print("sent", flush=True)
            sys.stdin.read()
            """;

    @Test
    void aClientWhoseSocketTakesLongToCloseKeepsNoOtherWaiting() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/python3")), "there is no python3: Java cannot send descriptors");
        Process lingers = new ProcessBuilder(
                        "/usr/bin/python3",
                        "-c",
                        LINGERS,
                        node.node().folder().resolve(NodeProtocol.SOCKET).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (RawClient honest = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = honest.segment();
            assertThat(lingers.inputReader().readLine()).isEqualTo("sent");
            for (int id = 1; id <= REQUESTS; id++) {
                long begin = System.nanoTime();
                isServed(honest, segment, id);
                assertThat(System.nanoTime() - begin).isLessThan(MOST_NANOS);
            }
            RawClient.welcome(node.node().folder()).close();
        } finally {
            lingers.destroyForcibly().waitFor();
        }
    }
}
