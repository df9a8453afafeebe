package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.metrics.FallbackReason;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver call that does not return inside the service: its watchdog ends the service, and no task waits longer than
 * that.
 */
@Timeout(120)
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

    /** No wave waits for it, and no watchdog of a wave sees it. */
    @Test
    void ofTheThreadThatLocksMemoryEndsTheServiceToo() throws Exception {
        NodeLimits limits = new NodeLimits(Long.MAX_VALUE, TimeUnit.MILLISECONDS.toNanos(300), 10);
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
