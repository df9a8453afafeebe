package io.warpcodec.device.node;

import java.util.concurrent.TimeUnit;

/** A client with less patience than usual. */
public final class ImpatientPool {
    private ImpatientPool() {}

    /** One that takes a service for gone which is silent for ten times so long. */
    public static NodePool of(NodeAddress address, long turnMillis) {
        return new NodePool(address, TimeUnit.SECONDS.toNanos(5), turnMillis);
    }
}
