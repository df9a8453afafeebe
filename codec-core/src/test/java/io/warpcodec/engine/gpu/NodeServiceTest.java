package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodePool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node's service and its clients, over scripted devices. */
class NodeServiceTest {
    private final ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aClientIsConnectedAndHasMemory() throws Exception {
        NodePool client = node.pool();
        assertThat(client.isRunning()).isTrue();
        assertThat(client.unavailableReason()).isNull();
        assertThat(client.mostLeaseBytes()).isPositive();
        assertThat(node.node().service().report().clients()).hasSize(1);
    }
}
