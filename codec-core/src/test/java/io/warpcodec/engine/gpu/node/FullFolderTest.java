package io.warpcodec.engine.gpu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A service that begins while clients of the one before still hold what they had: it has its whole memory once they
 * have let go. Needs root, to mount a tmpfs.
 */
class FullFolderTest {
    private static final int SEGMENT_BYTES = ScriptedNode.SEGMENT_BYTES;
    private static final long MEMORY = 3L * SEGMENT_BYTES;

    private Path folder;

    private static boolean runs(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @BeforeEach
    void mount() throws Exception {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "warpcodec-test-");
        boolean mounted = System.getProperty("user.name").equals("root")
                && runs("mount", "-t", "tmpfs", "-o", "size=32m,mode=0700", "tmpfs", folder.toString());
        if (!mounted) {
            Files.delete(folder);
        }
        assumeTrue(mounted, "only root can mount a tmpfs, and not in every container");
    }

    @AfterEach
    void unmount() throws Exception {
        if (Files.exists(folder)) {
            assertThat(runs("umount", "-l", folder.toString())).isTrue();
            Files.delete(folder);
        }
    }

    @Test
    void itHasItsMemoryOnceTheyLetGo() throws Exception {
        Path held = Files.write(folder.resolve("held"), new byte[28 << 20]);
        NodeCaps caps = new NodeCaps(64, 1024, MEMORY, MEMORY, 0, SEGMENT_BYTES);
        var driver = ScriptedGpu.newDriver(1);
        var devices =
                driver.openPool(ScriptedGpu.smallLimits(), new GpuPrograms(), io.warpcodec.metrics.Metrics::counter);
        ServedNode node = ServedNode.openIn(folder, new CpuEngine(), devices, caps, NodeLimits.USUAL);
        try (RawClient client = RawClient.welcome(folder)) {
            node.pool().close();
            assertThat(node.service().totals().mostMemoryBytes()).isEqualTo(MEMORY);
            client.send(NodeProtocol.want(null));
            client.next(NodeProtocol.NO_SEGMENT);
            assertThat(node.service().totals().denied()).containsKey("memory-full");
            Files.delete(held);
            assertThat(client.segment().memory().capacity()).isEqualTo(SEGMENT_BYTES);
        } finally {
            node.service().close();
        }
    }
}
