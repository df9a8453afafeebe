package io.warpcodec.device.node;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.Mappings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments that the service has lent to this client, lent on in regions. They stay this client's, and mapped,
 * until the connection ends. Thread-safe; no method waits.
 */
final class NodeMemory {
    private final List<ByteBuffer> segments = new ArrayList<>();
    private final List<FreeRanges> free = new ArrayList<>();
    private final List<Integer> ids = new ArrayList<>();
    private final Runnable whenGiven;
    /** Written inside the monitor only. */
    private volatile long lentBytes;

    private volatile long capacityBytes;

    /** A lent region: so many bytes at an offset of a segment. */
    record Region(int segment, int offset, ByteBuffer memory) {}

    /**
     * @param whenGiven runs whenever a region has come back, or a segment has been added, on the thread that does so
     */
    NodeMemory(Runnable whenGiven) {
        this.whenGiven = whenGiven;
    }

    /** Adds a segment that was mapped. */
    void add(int id, ByteBuffer segment) {
        synchronized (this) {
            ids.add(id);
            segments.add(segment);
            free.add(new FreeRanges(segment.capacity()));
            capacityBytes += segment.capacity();
        }
        whenGiven.run();
    }

    /** Lends a region, or null if no segment has a free region that is large enough. */
    synchronized Region tryTake(int bytes) {
        for (int index = 0; index < segments.size(); index++) {
            int offset = free.get(index).take(bytes);
            if (offset >= 0) {
                lentBytes += FreeRanges.roundedUp(bytes);
                return new Region(ids.get(index), offset, segments.get(index).slice(offset, bytes));
            }
        }
        return null;
    }

    /** Takes a region back. */
    void give(Region region) {
        int bytes = region.memory().capacity();
        synchronized (this) {
            free.get(ids.indexOf(region.segment())).give(region.offset(), bytes);
            lentBytes -= FreeRanges.roundedUp(bytes);
        }
        whenGiven.run();
    }

    /** Ends the mappings; only when nothing is lent, nor will be. */
    synchronized void unmap() {
        segments.forEach(Mappings::unmap);
        segments.clear();
        free.clear();
        ids.clear();
        capacityBytes = 0;
    }

    /** Bytes lent now, rounded up as they are taken. */
    long lentBytes() {
        return lentBytes;
    }

    /** Bytes of all segments. */
    long capacityBytes() {
        return capacityBytes;
    }
}
