package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.ChildJava;
import io.warpcodec.engine.gpu.node.NodeWorker;
import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.node.ScriptedNode;
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
    /** An eighth is for further segments of a client, also while one of a client that has just gone is closed. */
    private static final int SEGMENTS = 40;

    private static final long MEMORY = (long) SEGMENTS * ScriptedNode.SEGMENT_BYTES;

    /** A service without clients, with memory for a few. */
    private static ScriptedNode open(long helloMillis, long stuckMillis) throws Exception {
        NodeLimits limits = new NodeLimits(nanos(helloMillis), nanos(stuckMillis), TICK_MILLIS);
        ScriptedNode node =
                ScriptedNode.open(new NodeCaps(64, 1024, MEMORY, MEMORY, 0, ScriptedNode.SEGMENT_BYTES), limits);
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

    private static byte[] order() {
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.array();
    }

    private static void isServed(RawClient client, long id, RawClient.Lent segment) throws IOException {
        segment.memory().put(0, BLOCK);
        client.work(id, LZ4, segment.id(), 0, BLOCK.length, 1, order());
        assertThat(client.next(NodeProtocol.OVER).fields().get(Long.BYTES)).isEqualTo(NodeProtocol.DONE);
        assertThat(segment.memory().get(RawClient.outputAt(0, BLOCK.length))).isEqualTo((byte) 'x');
    }

    @Test
    void aClientThatNeverSaysHelloIsEnded() throws Exception {
        try (ScriptedNode node = open(300, NEVER);
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
        try (ScriptedNode node = open(300, NEVER);
                RawClient torn = new RawClient(node.node().folder())) {
            torn.send(ByteBuffer.wrap(new byte[] {20, 0, 0, 0, NodeProtocol.HELLO, 1}));
            awaitRefused(node, "no-hello");
            await(() -> totals(node).clientCount() == 0);
        }
    }

    /** It costs its own memory alone, so nothing refuses it. */
    @Test
    void halfAMessageIsWaitedFor() throws Exception {
        try (ScriptedNode node = open(NEVER, NEVER);
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
        }
    }

    /** Asks for so much work, and reads no answer. */
    private static void workUnread(ScriptedNode node, RawClient deaf, RawClient.Lent segment, int count)
            throws Exception {
        byte[] order = order();
        long before = totals(node).work().received();
        for (int id = 1; id <= count; id++) {
            deaf.work(id, LZ4, segment.id(), 0, BLOCK.length, 1, order);
            if (id % 500 == 0) {
                // no more than a client may have at once
                long sent = id;
                await(() -> !totals(node).refused().isEmpty()
                        || totals(node).work().received() - before >= sent
                                && totals(node).backlogBytes() == 0);
                if (!totals(node).refused().isEmpty()) {
                    return;
                }
            }
        }
    }

    @Test
    void aClientThatDoesNotReadIsRefusedAndItsMemoryComesBack() throws Exception {
        try (ScriptedNode node = open(NEVER, 200);
                RawClient other = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = other.segment();
            // that of the other, and what is ready
            long usual = (1 + SEGMENTS / 8) * (long) ScriptedNode.SEGMENT_BYTES;
            try (RawClient deaf = RawClient.welcome(node.node().folder())) {
                RawClient.Lent first = deaf.segment();
                deaf.segment();
                // more than its socket takes, less than what may wait here
                workUnread(node, deaf, first, 5_000);
                isServed(other, 1, segment);
                awaitRefused(node, "not-reading");
                isServed(other, 2, segment);
                assertThat(totals(node).clientCount()).isEqualTo(2);
                // devices may have its memory until it has gone
                await(() -> totals(node).memoryBytes() > usual);
            }
            await(() -> totals(node).clientCount() == 1);
            await(() -> totals(node).memoryBytes() <= usual);
            isServed(other, 3, segment);
        }
    }

    /** However small they are, and whatever time it has. */
    @Test
    void answersThatAreNotReadTakeLittleOfTheHeap() throws Exception {
        try (ScriptedNode node = open(NEVER, NEVER);
                RawClient other = RawClient.welcome(node.node().folder());
                RawClient deaf = RawClient.welcome(node.node().folder())) {
            // as bytes, these are a third of what may wait
            workUnread(node, deaf, deaf.segment(), 40_000);
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
        try (ScriptedNode node = open(NEVER, NEVER);
                RawClient other = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = other.segment();
            // in auto a process beside busy cores may leave a slow service alone for a minute
            Process process =
                    ChildJava.start(NodeWorker.class, node.node().folder().toString(), "600", "7", "GPU");
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

                assertThat(process.isAlive())
                        .as("it ends at a byte that differs")
                        .isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }
}
