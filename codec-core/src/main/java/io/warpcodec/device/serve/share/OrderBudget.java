package io.warpcodec.device.serve.share;

import java.util.HashMap;
import java.util.Map;

/**
 * Heap for orders of work that is not over, by user. A user may have as much as is left: half of all while no other
 * user asks. Thread-safe.
 */
public final class OrderBudget {
    private static final int PIECE_BYTES = 1024;
    private static final int COPIES = 2;

    private final long most;
    private final long mostOfClient;
    private final Map<Object, Long> bytesOf = new HashMap<>();
    private long bytes;

    /**
     * @param most bytes of all orders
     * @param mostOfClient bytes of the orders of one client
     */
    public OrderBudget(long most, long mostOfClient) {
        this.most = most;
        this.mostOfClient = mostOfClient;
    }

    /**
     * Bytes of the heap for a piece of work with an order of so many bytes: as it came, as it is kept, and what belongs
     * to any piece.
     */
    public static long heapBytes(int orderBytes) {
        return PIECE_BYTES + (long) COPIES * orderBytes;
    }

    /**
     * Whether more of a client may be read now. A client without orders always may, so that each that waits has work
     * whose end lets it go on.
     */
    public synchronized boolean mayRead(Object user, long ofClient) {
        return ofClient == 0 || ofClient < mostOfClient && bytesOf.getOrDefault(user, 0L) < most - bytes;
    }

    /** An order was read. */
    public synchronized void take(Object user, long orderBytes) {
        bytes += orderBytes;
        bytesOf.merge(user, orderBytes, Long::sum);
    }

    /** Its work is over. */
    public synchronized void give(Object user, long orderBytes) {
        bytes -= orderBytes;
        bytesOf.computeIfPresent(user, (same, own) -> own == orderBytes ? null : own - orderBytes);
    }
}
