package io.warpcodec.engine.gpu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.gpu.block.BlockJob;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node's service with four and eight scripted devices, and clients that all ask for more than these can do. */
class NodeManyDevicesTest {
    private static final String LZ4 = "decode.lz4";
    private static final int WAVE_BYTES = 1 << 20;
    private static final int CLIENTS = 4;
    /** Of each client; far more than what devices have at once. */
    private static final int WORKS = 120;

    private static final int INPUT_BYTES = 2;
    /** One literal. */
    private static final byte[] BLOCK = {0x10, 'x'};

    /** Steps of each device's streams are let go in the order in which they came. */
    private final List<Semaphore> steps = new ArrayList<>();

    /** All streams of all devices, each of which has a wave, go one step further. */
    private void stepTogether(int streamsOfDevice) throws InterruptedException {
        awaitAllAtTheirSteps(streamsOfDevice);
        steps.forEach(device -> device.release(streamsOfDevice));
    }

    /** Then what has ended is counted, since its stream has the next wave already. */
    private void awaitAllAtTheirSteps(int streamsOfDevice) throws InterruptedException {
        while (steps.stream()
                .anyMatch(device -> device.availablePermits() > 0 || device.getQueueLength() < streamsOfDevice)) {
            Thread.sleep(1);
        }
    }

    private static byte[] order() {
        BlockJob job = new BlockJob();
        job.add(0, INPUT_BYTES, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.array();
    }

    private static LongStream doneByClient(ScriptedNode node) {
        return node.node().service().report().clients().stream()
                .filter(client -> client.name().equals("raw"))
                .mapToLong(client -> client.work().done());
    }

    private static long received(ScriptedNode node) {
        return node.node().service().report().clients().stream()
                .mapToLong(client -> client.work().received())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void clientsHaveEqualSharesOfAllDevicesAndLoseNothingWithOne(int deviceCount) throws Exception {
        PoolLimits limits = new PoolLimits(28 << 20, CLIENTS * (16 << 20), WAVE_BYTES, 0, TimeUnit.HOURS.toNanos(1));
        try (ScriptedNode node = ScriptedNode.open(deviceCount, limits)) {
            List<RawClient> clients = new ArrayList<>();
            List<RawClient.Lent> segments = new ArrayList<>();
            try {
                for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
                    Semaphore device = new Semaphore(0, true);
                    steps.add(device);
                    node.driver().script(ordinal, (call, n) -> {
                        if (call == Call.WORK) {
                            device.acquireUninterruptibly();
                        }
                        return 0;
                    });
                }
                for (int index = 0; index < CLIENTS; index++) {
                    RawClient client = RawClient.welcome(node.node().folder());
                    clients.add(client);
                    RawClient.Lent segment = client.segment();
                    segment.memory().put(0, BLOCK);
                    segments.add(segment);
                }
                // in turn, so that none has all that devices hold before the others have asked
                for (int id = 1; id <= WORKS; id++) {
                    for (int index = 0; index < CLIENTS; index++) {
                        int segment = segments.get(index).id();
                        clients.get(index).work(id, LZ4, segment, 0, INPUT_BYTES, WAVE_BYTES, order());
                    }
                    while (received(node) < (long) CLIENTS * id) {
                        Thread.sleep(1);
                    }
                }
                int streams = node.driver().streamCount() / deviceCount;
                while (doneByClient(node).sum() < CLIENTS * WORKS / 2) {
                    stepTogether(streams);
                }
                awaitAllAtTheirSteps(streams);
                long most = doneByClient(node).max().orElseThrow();
                assertThat(doneByClient(node).min().orElseThrow())
                        .as("what the client with the least has, of %d", most)
                        .isGreaterThanOrEqualTo(most - most * 15 / 100);
                for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
                    assertThat(node.driver().count(ordinal, Call.LAUNCH))
                            .as("waves of device %d", ordinal)
                            .isGreaterThan(CLIENTS * WORKS / 2 / (2 * deviceCount));
                }

                node.driver().script(0, (call, n) -> call == Call.IS_DONE ? ScriptedDriver.ECC_UNCORRECTABLE : 0);
                steps.forEach(device -> device.release(1_000_000));
                long failed = 0;
                for (RawClient client : clients) {
                    for (int id = 1; id <= WORKS; id++) {
                        byte status = client.next(NodeProtocol.OVER).fields().get(Long.BYTES);
                        failed += status == NodeProtocol.DONE ? 0 : 1;
                    }
                }
                ServiceReport report = node.node().service().report();
                assertThat(report.work().failed()).containsOnlyKeys("device-lost");
                assertThat(report.work().failures()).isEqualTo(failed);
                // fourteen waves at most are a device's at once, and some more while it was told from the others
                assertThat(failed).isBetween(1L, CLIENTS * WORKS / 4L);
                assertThat(node.node().devices().runningCount()).isEqualTo(deviceCount - 1);
                Drained.await("bytes under way", node.node().devices()::outstandingBytes);
                RawClient late = RawClient.welcome(node.node().folder());
                clients.add(late);
                RawClient.Lent segment = late.segment();
                segment.memory().put(0, BLOCK);
                late.work(1, LZ4, segment.id(), 0, INPUT_BYTES, WAVE_BYTES, order());
                assertThat(late.next(NodeProtocol.OVER).fields().get(Long.BYTES))
                        .as("the others go on")
                        .isEqualTo(NodeProtocol.DONE);
            } finally {
                steps.forEach(device -> device.release(1_000_000));
                for (RawClient client : clients) {
                    client.close();
                }
            }
        }
    }
}
