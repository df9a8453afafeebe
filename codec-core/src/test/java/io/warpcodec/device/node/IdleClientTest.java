package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.engine.gpu.ScriptedGpu;
import io.warpcodec.engine.gpu.ScriptedNode;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that have nothing to do. */
class IdleClientTest {
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
    private final NodePool client = new NodePool(node.node().address(), IDLE_NANOS, System::nanoTime);

    @AfterEach
    void close() {
        client.close();
        node.close();
    }

    private ServiceReport report() {
        return node.node().service().report();
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits too long").isLessThan(end);
            Thread.sleep(1);
        }
    }

    @Test
    void aClientWithoutWorkGivesItsMemoryBackAndComesAgain() throws Exception {
        client.awaitFirst(TimeUnit.SECONDS.toNanos(20));
        assertThat(client.isRunning()).isTrue();
        assertThat(report().clients()).hasSize(2);
        await(() -> report().clients().size() == 1);
        client.awaitStart(TimeUnit.SECONDS.toNanos(20));
        assertThat(client.isRunning()).isTrue();
        assertThat(client.unavailableReason()).isNull();
    }

    @Test
    void aClientThatHoldsMemoryStays() throws Exception {
        client.awaitFirst(TimeUnit.SECONDS.toNanos(20));
        try (DeviceLease lease = client.tryLease("decode.lz4", 1000, 1000, 1)) {
            assertThat(lease.fill(memory -> memory.put(0, (byte) 1))).isTrue();
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(4 * IDLE_NANOS));
            assertThat(report().clients()).hasSize(2);
            assertThat(client.isRunning()).isTrue();
        }
        await(() -> report().clients().size() == 1);
    }
}
