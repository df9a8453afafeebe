package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver call that does not return inside the service: its watchdog ends the service, and no task waits longer than
 * that.
 */
class HungServiceTest {
    private static final long WATCHDOG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ScriptedNode node = ScriptedNode.open(1, limits());

    private static PoolLimits limits() {
        PoolLimits small = ScriptedGpu.smallLimits();
        return new PoolLimits(
                small.memoryMaxBytes(), small.pinnedMaxBytes(), small.waveBytes(), small.lingerNanos(), WATCHDOG_NANOS);
    }

    @AfterEach
    void close() {
        Engines.installAccelerator(null);
        node.driver().endHangs();
        node.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"UPLOAD", "FILL", "LAUNCH", "DOWNLOAD", "IS_DONE", "WORK"})
    void endsTheServiceAndNoRead(Call call) throws Exception {
        Engines.installAccelerator(node.engine());
        byte[] raw = new byte[300_000];
        Random random = new Random(1);
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) ('a' + random.nextInt(4));
        }
        byte[] file = GpuStreams.LZ4_FRAME.write(raw, 65_536);
        assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
        node.driver().script((any, n) -> any == call ? Script.HANG : 0);
        assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
        assertThat(node.node().service().awaitEnd()).contains(FallbackReason.DEVICE_LOST.word());
        assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
    }

    /** Each piece that is taken back is a task of the thread that looks whether memory is locked in time. */
    @Test
    void workThatIsTakenBackWhileMemoryIsLockedEndsNoService() throws Exception {
        try (ScriptedNode other = ScriptedNode.open(ScriptedNode.caps(24 << 20), NodeLimits.USUAL);
                RawClient client = RawClient.welcome(other.node().folder());
                RawClient waits = RawClient.welcome(other.node().folder())) {
            RawClient.Lent segment = client.segment();
            other.driver().script((call, n) -> call == Call.LOCK || call == Call.LAUNCH ? Script.HANG : 0);
            waits.send(NodeProtocol.want(null));
            for (int id = 1; id <= 1000; id++) {
                client.work(id, "decode.lz4", segment.id(), 0, 2, 1, order());
                client.send(NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES)
                        .putLong(id)
                        .flip());
            }
            int withdrawn = 0;
            while (withdrawn < 900) {
                client.next(NodeProtocol.OVER);
                withdrawn++;
            }
            other.driver().script((call, n) -> 0);
            other.driver().endHangs();
            // the thread that looks has run all tasks by then, which came before
            waits.next();
            assertThat(RawClient.welcome(other.node().folder()).segment().id()).isPositive();
        }
    }

    private static byte[] order() {
        BlockJob job = new BlockJob();
        job.add(0, 2, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.array();
    }

    /** No wave waits for it, and no watchdog of a wave sees it. */
    @Test
    void ofTheThreadThatLocksMemoryEndsTheServiceToo() throws Exception {
        NodeLimits limits = new NodeLimits(Long.MAX_VALUE, TimeUnit.SECONDS.toNanos(2), 10);
        try (ScriptedNode other = ScriptedNode.open(ScriptedNode.caps(24 << 20), limits);
                RawClient client = RawClient.welcome(other.node().folder())) {
            other.driver().script((call, n) -> call == Call.LOCK ? Script.HANG : 0);
            // one more is made for each that is lent
            client.send(NodeProtocol.want(null));
            assertThat(other.node().service().awaitEnd()).contains("locks memory");
            other.driver().endHangs();
        }
    }
}
