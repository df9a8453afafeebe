package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.gpu.block.BlockJob;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Clients that stand still: they are given up by themselves, and the others are served meanwhile. */
class StalledClientTest {
    private static final String LZ4 = "decode.lz4";
    private static final byte[] BLOCK = {0x10, 'x'};
    private static final long NEVER = Long.MAX_VALUE;
    private static final long TICK_MILLIS = 10;
    private static final int SEGMENTS = 3;
    private static final long MEMORY = (long) SEGMENTS * ScriptedNode.SEGMENT_BYTES;

    /** A service without clients, whose memory is three segments. */
    private static ScriptedNode open(long helloMillis, long stuckMillis, long idleMillis) throws Exception {
        NodeLimits limits = new NodeLimits(nanos(helloMillis), nanos(stuckMillis), nanos(idleMillis), TICK_MILLIS);
        ScriptedNode node = ScriptedNode.open(new NodeCaps(64, 48, 1024, MEMORY, 2 * MEMORY, MEMORY, 8 << 20), limits);
        node.pool().close();
        await(() -> totals(node).clientCount() == 0);
        return node;
    }

    private static long nanos(long millis) {
        return millis == NEVER ? NEVER : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits too long").isLessThan(end);
            Thread.sleep(1);
        }
    }

    private static ServiceReport totals(ScriptedNode node) {
        return node.node().service().totals();
    }

    private static void awaitRefused(ScriptedNode node, String word) throws InterruptedException {
        await(() -> totals(node).refused().containsKey(word));
        assertThat(totals(node).refused()).isEqualTo(Map.of(word, 1L));
    }

    private static void isServed(RawClient client, long id, RawClient.Lent segment) throws IOException {
        segment.memory().put(0, BLOCK);
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        client.work(id, LZ4, segment.id(), 0, BLOCK.length, 1, order.array());
        assertThat(client.next(NodeProtocol.OVER).fields().get(Long.BYTES)).isEqualTo(NodeProtocol.DONE);
        assertThat(segment.memory().get(RawClient.outputAt(0, BLOCK.length))).isEqualTo((byte) 'x');
    }

    /** What a client does that is not idle and wants more memory. Whether it got it. */
    private static boolean wantAndWork(RawClient client, long id, RawClient.Lent segment) {
        try {
            isServed(client, id, segment);
            client.send(NodeProtocol.of(NodeProtocol.WANT));
            return client.next().kind() == NodeProtocol.SEGMENT;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aClientThatNeverSaysHelloIsEnded() throws Exception {
        try (ScriptedNode node = open(300, NEVER, NEVER);
                RawClient client = RawClient.welcome(node.node().folder());
                RawClient silent = new RawClient(node.node().folder())) {
            assertThat(NodeProtocol.string(silent.next(NodeProtocol.REFUSED).fields()))
                    .isEqualTo("it has not said hello");
            awaitRefused(node, "no-hello");
            await(() -> totals(node).clientCount() == 1);
            isServed(client, 1, client.segment());
        }
    }

    @Test
    void neitherIsHalfAHello() throws Exception {
        try (ScriptedNode node = open(300, NEVER, NEVER);
                RawClient torn = new RawClient(node.node().folder())) {
            torn.send(ByteBuffer.wrap(new byte[] {20, 0, 0, 0, NodeProtocol.HELLO, 1}));
            awaitRefused(node, "no-hello");
            await(() -> totals(node).clientCount() == 0);
        }
    }

    /** It costs its own memory alone, so nothing refuses it before others need that. */
    @Test
    void halfAMessageIsWaitedForUntilMemoryIsShort() throws Exception {
        try (ScriptedNode node = open(NEVER, NEVER, 100);
                RawClient torn = RawClient.welcome(node.node().folder());
                RawClient other = RawClient.welcome(node.node().folder())) {
            torn.segment();
            torn.send(ByteBuffer.wrap(new byte[] {40, 0, 0, 0, NodeProtocol.WORK, 1, 2, 3}));
            RawClient.Lent segment = other.segment();
            for (int id = 1; id <= 200; id++) {
                isServed(other, id, segment);
            }
            assertThat(totals(node).clientCount()).isEqualTo(2);
            assertThat(totals(node).refused()).isEmpty();
            other.segment();
            long[] id = {1000};
            await(() -> {
                wantAndWork(other, id[0]++, segment);
                return !totals(node).refused().isEmpty();
            });
            assertThat(totals(node).refused()).isEqualTo(Map.of("idle", 1L));
            assertThat(totals(node).denied()).containsOnlyKeys("user-full");
            assertThat(NodeProtocol.string(torn.next(NodeProtocol.REFUSED).fields()))
                    .isEqualTo("memory is short and it has not used its own");
            // it may touch its memory until it closes the connection
            assertThat(totals(node).clientCount()).isEqualTo(2);
            torn.close();
            await(() -> wantAndWork(other, id[0]++, segment));
        }
    }

    @Test
    void aClientThatDoesNotReadIsRefusedAndItsMemoryComesBack() throws Exception {
        try (ScriptedNode node = open(NEVER, 200, NEVER);
                RawClient other = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = other.segment();
            long usual = totals(node).memoryBytes();
            try (RawClient deaf = RawClient.welcome(node.node().folder())) {
                deaf.segment();
                deaf.segment();
                // more than its socket takes, less than what may wait here
                for (int count = 0; count < 10_000; count++) {
                    deaf.send(NodeProtocol.of(NodeProtocol.WANT));
                }
                isServed(other, 1, segment);
                awaitRefused(node, "not-reading");
                isServed(other, 2, segment);
                assertThat(totals(node).clientCount()).isEqualTo(2);
                // devices may have its memory until it has gone
                assertThat(totals(node).memoryBytes()).isEqualTo(MEMORY);
            }
            await(() -> totals(node).clientCount() == 1);
            await(() -> totals(node).memoryBytes() <= usual);
            isServed(other, 3, segment);
        }
    }

    /** However small they are, and whatever time it has. */
    @Test
    void answersThatAreNotReadTakeLittleOfTheHeap() throws Exception {
        try (ScriptedNode node = open(NEVER, NEVER, NEVER);
                RawClient other = RawClient.welcome(node.node().folder());
                RawClient deaf = RawClient.welcome(node.node().folder())) {
            deaf.segment();
            deaf.segment();
            // as bytes, these are a sixteenth of what may wait
            for (int count = 0; count < 50_000; count++) {
                deaf.send(NodeProtocol.of(NodeProtocol.WANT));
            }
            awaitRefused(node, "not-reading");
            isServed(other, 1, other.segment());
        }
    }

    private static Optional<ServiceReport.Client> worker(ScriptedNode node) {
        return node.node().service().report().clients().stream()
                .filter(client -> client.name().startsWith("process "))
                .findFirst();
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aStoppedProcessCostsTheOthersNothingAndGoesOn() throws Exception {
        try (ScriptedNode node = open(NEVER, NEVER, 200);
                RawClient other = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = other.segment();
            Process process =
                    ChildJava.start(NodeWorker.class, node.node().folder().toString(), "600", "7");
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
                assertThat(said.readLine()).isEqualTo("works");
                await(() -> worker(node).isPresent());
                signal(process, "STOP");
                for (int id = 1; id <= 50; id++) {
                    isServed(other, id, segment);
                }
                long done = totals(node).work().done();
                signal(process, "CONT");
                await(() -> totals(node).work().done() > done + 10);
                assertThat(totals(node).refused()).isEmpty();

                // now the memory is wanted that it holds
                await(() -> worker(node).isPresent());
                signal(process, "STOP");
                long[] id = {1000};
                await(() -> {
                    wantAndWork(other, id[0]++, segment);
                    return totals(node).refused().containsKey("idle");
                });
                signal(process, "CONT");
                other.close();
                long before = totals(node).work().done();
                await(() -> totals(node).work().done() > before + 10 || !process.isAlive());
                assertThat(process.isAlive())
                        .as("it ends at a byte that differs")
                        .isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }
}
