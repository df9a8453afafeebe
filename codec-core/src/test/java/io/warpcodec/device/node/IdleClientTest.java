package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
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

    /** Memory that holds the connection: on a busy machine it may end before there is some, and is made again. */
    private DeviceLease lease() throws InterruptedException {
        while (true) {
            client.awaitFirst(TimeUnit.SECONDS.toNanos(20));
            client.awaitStart(TimeUnit.SECONDS.toNanos(20));
            DeviceLease lease = client.tryLease("decode.lz4", 1000, 1000, 1);
            if (lease != null && lease.fill(memory -> memory.put(0, (byte) 1))) {
                return lease;
            }
        }
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        while (!state.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    @Test
    void aClientWithoutWorkGivesItsMemoryBackAndComesAgain() throws Exception {
        for (int times = 0; times < 2; times++) {
            try (DeviceLease lease = lease()) {
                await(() -> report().clients().size() == 2);
                assertThat(client.unavailableReason()).isNull();
            }
            await(() -> report().clients().size() == 1);
        }
    }

    @Test
    void aClientThatHoldsMemoryStays() throws Exception {
        try (DeviceLease lease = lease()) {
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(4 * IDLE_NANOS));
            assertThat(report().clients()).hasSize(2);
            assertThat(client.isRunning()).isTrue();
        }
        await(() -> report().clients().size() == 1);
    }
}
