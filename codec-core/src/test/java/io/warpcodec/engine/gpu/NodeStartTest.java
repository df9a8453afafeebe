package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.node.ServedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a process begins with the service of its node. */
class NodeStartTest {
    @AfterEach
    void forget() {
        PoolSettings.install(null);
    }

    private static void use(Path folder) {
        PoolSettings.install(PoolSettings.DEFAULTS.withNode(new NodeSettings(folder, Set.of(), false)));
    }

    @Test
    void aServiceThatAnswersIsTheEngineAtOnce() throws Exception {
        PoolLimits limits = ScriptedGpu.smallLimits();
        try (ScriptedNode node = ScriptedNode.open(1, limits)) {
            use(node.node().folder());
            GpuEngine engine = GpuEngine.openNode(new CpuEngine());
            assertThat(engine.unavailableReason(true)).isNull();
            engine.pool().close();
            assertThat(engine.unavailableReason(false)).isEqualTo(FallbackReason.POOL_CLOSED);
        }
    }

    @Test
    void oneThatDoesNotAnswerIsLikeDevicesThatStart() throws Exception {
        Path folder = ServedNode.newFolder();
        Path socket = folder.resolve(NodeSettings.SOCKET);
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(socket));
            use(folder);
            GpuEngine engine = GpuEngine.openNode(new CpuEngine());
            assertThat(engine.unavailableReason(false)).isEqualTo(FallbackReason.POOL_STARTING);
            engine.pool().close();
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(folder);
        }
    }

    @Test
    void aSocketThatNoProcessListensAtIsNoService() throws Exception {
        Path folder = ServedNode.newFolder();
        Path socket = folder.resolve(NodeSettings.SOCKET);
        try {
            try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                left.bind(UnixDomainSocketAddress.of(socket));
            }
            use(folder);
            assertThat(PoolSettings.current().node().mayBeThere()).isTrue();
            assertThatThrownBy(() -> GpuEngine.openNode(new CpuEngine()))
                    .isInstanceOf(EngineUnavailableException.class)
                    .hasMessageContaining(folder.toString());
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(folder);
        }
    }
}
