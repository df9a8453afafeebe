package io.warpcodec.engine.cpu.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.Lease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapLeasesTest {
    private static final int BYTES = 1 << 20;

    private final HeapLeases leases = new HeapLeases();

    private void lendAndReturn(int count) {
        List<Lease> lent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lent.add(leases.lease(BYTES, "test"));
        }
        lent.forEach(Lease::release);
    }

    @Test
    void anArrayThatCameBackIsLentAgain() {
        Lease first = leases.lease(BYTES - 5, "test");
        byte[] array = first.memory().array();
        assertThat(array).hasSize(BYTES);
        first.release();
        assertThat(leases.keptBytes()).isEqualTo(BYTES);
        Lease second = leases.lease(BYTES, "test");
        assertThat(second.memory().array()).isSameAs(array);
        assertThat(leases.keptBytes()).isZero();
        second.release();
    }

    @Test
    void sixteenChunksOfBzip2AreLentAgain() {
        Lease first = leases.lease(16 * 890_000, "test");
        byte[] array = first.memory().array();
        first.release();
        assertThat(leases.lease(16 * 890_000, "test").memory().array()).isSameAs(array);
    }

    @Test
    void arraysThatTheCollectorTookCountNoMore() {
        lendAndReturn(5);
        assertThat(leases.keptBytes()).isEqualTo(5 * BYTES);
        leases.loseKept();
        lendAndReturn(1);
        assertThat(leases.keptBytes()).as("of the one that came back since").isEqualTo(BYTES);
        lendAndReturn(5);
        assertThat(leases.keptBytes()).isEqualTo(5 * BYTES);
    }

    @Test
    void noMoreIsKeptThanAShareOfTheHeap() {
        long share = Runtime.getRuntime().maxMemory() / 8;
        lendAndReturn((int) (share / BYTES) + 3);
        assertThat((long) leases.keptBytes()).isLessThanOrEqualTo(share);
        assertThat((long) leases.keptBytes()).isGreaterThan(share - 2 * BYTES);
    }
}
