package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.engine.gpu.node.ServedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A few kills; {@link NodeKills} makes as many as one wants. */
class NodeKillsTest {
    @Test
    void killedProcessesLeaveNothingBehind() throws Exception {
        Path folder = ServedNode.newFolder();
        try {
            assertThat(NodeKills.run(folder, 6, 2, TestSeed.value(), false)).contains("kills");
        } finally {
            try (var left = Files.walk(folder)) {
                left.sorted(java.util.Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }
}
