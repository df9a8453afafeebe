package io.warpcodec.engine.gpu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.engine.cpu.CpuEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client maps of the service's memory, as the kernel lists it. The service is a process of its own. */
class NodeMappingsTest {
    private static long segments() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/segments/"))
                .count();
    }

    private static void awaitSegments(long count) throws Exception {
        while (segments() != count) {
            Thread.sleep(1);
        }
    }

    @Test
    void aConnectionThatEndsLeavesNoMapping() throws Exception {
        long before = segments();
        try (NodeProcess node = NodeProcess.scripted(new CpuEngine(), 1)) {
            node.pool().awaitFirst(TimeUnit.SECONDS.toNanos(60));
            assertThat(segments()).isGreaterThan(before);
        }
        awaitSegments(before);
    }

    /** A thread that is inside its memory when the connection ends may go on there. */
    @Test
    void memoryThatIsFilledStaysMappedUntilThatIsOver() throws Exception {
        long before = segments();
        NodeProcess node = NodeProcess.scripted(new CpuEngine(), 1);
        node.pool().awaitFirst(TimeUnit.SECONDS.toNanos(60));
        DeviceLease lease = node.pool().tryLease("decode.lz4", 1000, 1000, 1);
        assertThat(lease.fill(memory -> {
                    node.close();
                    memory.put(999, (byte) 1);
                    assertThat(memory.get(999)).isEqualTo((byte) 1);
                }))
                .isTrue();
        assertThat(segments()).isGreaterThan(before);
        lease.close();
        awaitSegments(before);
        assertThat(lease.fill(memory -> memory.put(0, (byte) 1)))
                .as("when it is closed")
                .isFalse();
    }
}
