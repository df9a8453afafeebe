package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.TestSeed;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hostile clients beside a client that is not hostile. */
class NodeFuzzTest {
    private static final int MESSAGES = 20_000;

    @Test
    void aHostileClientHarmsNoneButItself() throws Exception {
        ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
        try {
            Engines.installAccelerator(node.engine());
            byte[] raw = new byte[200_000];
            byte[] file = GpuStreams.LZ4_FRAME.write(raw, 65_536);
            NodeFuzz fuzz = new NodeFuzz(node.node().folder(), TestSeed.value(), false);
            for (int part = 0; part < 10; part++) {
                fuzz.run(MESSAGES / 10, node.node().devices());
                // it may have been idle for so long that it has to connect again
                node.pool().awaitFirst(TimeUnit.SECONDS.toNanos(60));
                long before = Metrics.sum("", ".gpu.chunks");
                assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
                assertThat(Metrics.sum("", ".gpu.chunks")).isGreaterThan(before);
            }
            System.out.println(fuzz);
            assertThat(fuzz.answers()).isGreaterThan(MESSAGES / 10);
            assertThat(fuzz.ends()).hasSizeGreaterThan(5);
            while (node.node().service().report().clients().size() > 1) {
                Thread.sleep(1);
            }
            Drained.await("bytes under way", node.node().devices()::outstandingBytes);
        } finally {
            Engines.installAccelerator(null);
            node.close();
        }
    }
}
