package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stays of the process's pool once it is closed: nothing, so that the class loader that it came from can go. */
class ClosedPoolTest {
    private static final PoolLimits LIMITS =
            new PoolLimits(16 << 20, 8 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(10));

    private String ownerBefore;

    @BeforeEach
    void makeSpaceForAPool() {
        ownerBefore = System.clearProperty(OwnPool.OWNER_PROPERTY);
    }

    @AfterEach
    void putTheOwnerBack() {
        if (ownerBefore != null) {
            System.setProperty(OwnPool.OWNER_PROPERTY, ownerBefore);
        }
    }

    private static WeakReference<OwnPool> openAndClose() {
        OwnPool pool = OwnPool.open(List.of(), LIMITS, device -> Map.of(), name -> new LongAdder())
                .orElseThrow();
        pool.close();
        return new WeakReference<>(pool);
    }

    @Test
    void noExitHookHoldsAPoolThatIsClosed() throws InterruptedException {
        WeakReference<OwnPool> pool = openAndClose();
        for (int turn = 0; turn < 100 && pool.get() != null; turn++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(pool.get()).isNull();
        assertThat(System.getProperty(OwnPool.OWNER_PROPERTY)).isNull();
    }
}
