package io.warpcodec.engine.gpu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.NodeQuery;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.gpu.block.BlockJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a service says of itself: figures after known work, what was refused, and to which user it says what. */
class NodeReportTest {
    private static final String LZ4 = "decode.lz4";
    private static final byte[] BLOCK = {0x10, 'x'};
    private static final int OUTPUT_BYTES = 4096;
    /**
     * Pieces of a wave's size, more than waves and a device's queue hold: the last are in no wave, however fast the
     * device's thread is.
     */
    private static final int MANY = 40;

    private static final int CLIENTS = 4;
    private static final long MEMORY = 2L * ScriptedNode.SEGMENT_BYTES;

    private final ScriptedNode node;

    NodeReportTest() throws IOException {
        // the client of the node itself has a segment; further ones are lent until there are three
        NodeCaps caps = new NodeCaps(6, 1024, MEMORY, 24L * ScriptedNode.SEGMENT_BYTES, 0, ScriptedNode.SEGMENT_BYTES);
        node = ScriptedNode.open(caps, new NodeLimits(Long.MAX_VALUE, Long.MAX_VALUE, 10));
    }

    @AfterEach
    void close() {
        node.driver().endHangs();
        node.close();
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits too long").isLessThan(end);
            Thread.sleep(1);
        }
    }

    private RawClient welcome() throws IOException {
        return RawClient.welcome(node.node().folder());
    }

    private ServiceReport totals() {
        return node.node().service().totals();
    }

    private static void work(RawClient client, long id, RawClient.Lent segment) throws IOException {
        work(client, id, segment, OUTPUT_BYTES);
    }

    private static void work(RawClient client, long id, RawClient.Lent segment, int outputBytes) throws IOException {
        segment.memory().put(0, BLOCK);
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        client.work(id, LZ4, segment.id(), 0, BLOCK.length, outputBytes, order.array());
    }

    private static byte over(RawClient client) throws IOException {
        return client.next(NodeProtocol.OVER).fields().get(Long.BYTES);
    }

    private ServiceReport.Client raw() {
        return node.node().service().report().clients().stream()
                .filter(client -> client.name().equals("raw"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyPieceOfWorkIsCountedOnce() throws Exception {
        try (RawClient client = welcome()) {
            RawClient.Lent segment = client.segment();
            for (int id = 1; id <= 3; id++) {
                work(client, id, segment);
                assertThat(over(client)).isEqualTo(NodeProtocol.DONE);
            }
            node.driver().script((call, n) -> call == Call.LAUNCH ? ScriptedDriver.INVALID_VALUE : 0);
            work(client, 4, segment);
            assertThat(over(client)).isEqualTo(NodeProtocol.FAILED);
            node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
            for (int id = 5; id <= 4 + MANY; id++) {
                work(client, id, segment, node.pool().mostLeaseBytes());
            }
            client.send(NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES)
                    .putLong(4 + MANY)
                    .flip());
            assertThat(over(client)).isEqualTo(NodeProtocol.WITHDRAWN);

            ServiceReport.Client seen = raw();
            assertThat(seen.works()).isEqualTo(MANY - 1);
            assertThat(seen.memoryBytes()).isEqualTo(ScriptedNode.SEGMENT_BYTES);
            ServiceReport.Work work = seen.work();
            assertThat(work.received()).isEqualTo(4 + MANY);
            assertThat(work.done()).isEqualTo(3);
            assertThat(work.failed()).isEqualTo(Map.of("driver-error", 1L));
            assertThat(work.withdrawn()).isEqualTo(1);
            assertThat(work.dropped()).isZero();
            assertThat(work.inputBytes()).isEqualTo(3L * BLOCK.length);
            assertThat(work.outputBytes()).isEqualTo(3L * OUTPUT_BYTES);
            assertThat(work.waitNanos()).isGreaterThan(0);
            assertThat(work.mostWaitNanos()).isBetween(work.waitNanos() / 4, work.waitNanos());
            assertThat(seen.window().waited()).isEqualTo(4);
            assertThat(seen.window().outputBytes()).isEqualTo(3L * OUTPUT_BYTES);
            assertThat(totals().work()).isEqualTo(work);
        }
        // what it had under way is dropped, and the totals stay
        await(() -> totals().work().dropped() == MANY - 1);
        assertThat(totals().work().done()).isEqualTo(3);
        await(() -> totals().clientCount() == 1);
    }

    @Test
    void workThatWaitsForADeviceCountsAsWaiting() throws Exception {
        node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
        try (RawClient client = welcome()) {
            RawClient.Lent segment = client.segment();
            for (int id = 1; id <= MANY; id++) {
                work(client, id, segment, node.pool().mostLeaseBytes());
            }
            await(() -> raw().work().received() == MANY);
            long begin = System.nanoTime();
            await(() -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(20));
            node.driver().script((call, n) -> 0);
            node.driver().endHangs();
            for (int id = 1; id <= MANY; id++) {
                over(client);
            }
            long passed = System.nanoTime() - begin;
            assertThat(raw().work().mostWaitNanos())
                    .isBetween(TimeUnit.MILLISECONDS.toNanos(20), passed + TimeUnit.SECONDS.toNanos(10));
            assertThat(raw().window().meanWaitNanos()).isLessThan(raw().work().mostWaitNanos());
        }
    }

    @Test
    void theTimeOfADeviceIsNoWait() throws Exception {
        node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
        try (RawClient client = welcome()) {
            RawClient.Lent segment = client.segment();
            long launches = node.driver().count(Call.LAUNCH);
            long sent = System.nanoTime();
            work(client, 1, segment);
            await(() -> node.driver().count(Call.LAUNCH) > launches);
            long launched = System.nanoTime();
            await(() -> System.nanoTime() - launched > TimeUnit.MILLISECONDS.toNanos(20));
            node.driver().script((call, n) -> 0);
            node.driver().endHangs();
            assertThat(over(client)).isEqualTo(NodeProtocol.DONE);
            assertThat(raw().work().waitNanos()).isBetween(1L, launched - sent);
        }
    }

    @Test
    void theUserOfTheServiceIsToldOfEachClient() throws Exception {
        try (RawClient client = welcome();
                RawClient other = new RawClient(node.node().folder())) {
            // no line of a log, and no order to a terminal, can be made of a name
            other.hello(NodeProtocol.VERSION, "evil\n\u001b[2Jname" + "x".repeat(500));
            other.next(NodeProtocol.WELCOME);
            ServiceReport report = NodeQuery.ask(node.node().address(), TimeUnit.SECONDS.toNanos(20));
            assertThat(report.clientCount()).isEqualTo(3);
            assertThat(report.clients())
                    .extracting(ServiceReport.Client::name)
                    .contains("raw", "evil??[2Jname" + "x".repeat(51));
            assertThat(report.clients())
                    .allSatisfy(each -> assertThat(each.user()).isEqualTo(System.getProperty("user.name")));
            assertThat(client.report().clientCount()).isBetween(2, 3);
        }
    }

    @Test
    void whatIsNotServedIsCountedByItsReason() throws Exception {
        try (RawClient version = new RawClient(node.node().folder())) {
            version.hello(NodeProtocol.VERSION + 1);
            assertThat(version.isRefused()).isTrue();
        }
        try (RawClient early = new RawClient(node.node().folder())) {
            early.send(NodeProtocol.want(null));
            assertThat(early.isRefused()).isTrue();
        }
        try (RawClient wrong = welcome()) {
            wrong.send(NodeProtocol.of((byte) 99));
            assertThat(wrong.isRefused()).isTrue();
        }
        try (RawClient larger = welcome()) {
            RawClient.Lent segment = larger.segment();
            segment.file().write(ByteBuffer.allocate(1), ScriptedNode.SEGMENT_BYTES);
            assertThat(larger.isRefused()).isTrue();
        }
        await(() -> totals().clientCount() == 1);
        assertThat(totals().refused()).isEqualTo(Map.of("version", 1L, "protocol", 2L, "memory-larger", 1L));
        RawClient[] many = new RawClient[CLIENTS - 1];
        for (int client = 0; client < many.length; client++) {
            many[client] = welcome();
        }
        try (RawClient more = new RawClient(node.node().folder())) {
            assertThat(more.isRefused()).isTrue();
        }
        await(() -> totals().refused().getOrDefault("too-many-clients", 0L) == 1);
        for (RawClient client : many) {
            client.close();
        }
        // a client that goes by itself is none of these
        await(() -> totals().clientCount() == 1);
        assertThat(totals().refused().values().stream()
                        .mapToLong(count -> count)
                        .sum())
                .isEqualTo(5);
    }

    @Test
    void memoryThatIsNotLentIsCountedByItsReason() throws Exception {
        try (RawClient first = welcome();
                RawClient second = welcome()) {
            first.segment();
            first.segment();
            first.send(NodeProtocol.want(null));
            first.next(NodeProtocol.NO_SEGMENT);
            second.segment();
            second.send(NodeProtocol.want(null));
            second.next(NodeProtocol.NO_SEGMENT);
            assertThat(totals().denied()).isEqualTo(Map.of("client-full", 1L, "user-full", 1L));
        }
    }
}
