package io.warpcodec.device.node;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A client whose waits go by another clock. */
public final class ImpatientPool {
    private ImpatientPool() {}

    /** @param clock in nanoseconds */
    public static NodePool of(NodeAddress address, LongSupplier clock) {
        return new NodePool(address, TimeUnit.SECONDS.toNanos(5), clock);
    }
}
