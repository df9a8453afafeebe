package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.serve.share.MemoryShares;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the usual caps come to, in the words of the page: a reserve of a quarter, an eighth while tasks begin. */
class NodeCapsTest {
    private static int further(MemoryShares memory, long nowNanos) {
        int further = 0;
        while (memory.tryTake("one", 1, nowNanos) == null) {
            further++;
        }
        return further;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 4, 16})
    void aQuarterIsKeptAndFurtherSegmentsWaitForThoseThatBegin(long gib) {
        NodeCaps caps = NodeCaps.of(gib << 30);
        int most = caps.segments(caps.mostMemory());
        assertThat(caps.allMemory()).isEqualTo((gib << 30) / 4 * 5);
        MemoryShares memory = NodeService.memoryShares(caps);
        assertThat(memory.tryTake("one", 0, 0)).isNull();
        assertThat(further(memory, 1)).isEqualTo(most / 8 - 1);
        assertThat(further(memory, TimeUnit.SECONDS.toNanos(2) - 1)).isZero();
        assertThat(further(memory, TimeUnit.SECONDS.toNanos(2))).isEqualTo(most / 2 - most / 8);
        int firsts = 0;
        while (memory.tryTake("one", 0, TimeUnit.SECONDS.toNanos(2)) == null) {
            firsts++;
        }
        assertThat(firsts).as("half of the reserve too").isEqualTo(most + most / 8 - most / 2);
        assertThat(memory.tryTake("another", 0, TimeUnit.SECONDS.toNanos(2)))
                .as("one that has none")
                .isNull();
    }
}
