package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.FreeRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The page-locked memory of one device's worker: allocations made once, lent in regions. Taking never waits.
 * Thread-safe.
 *
 * <p>Closing frees the allocations, which must not happen while a region is lent or the device may still touch one.
 */
final class PinnedPool implements AutoCloseable {
    private static final int ALLOCATION_BYTES = 64 << 20;
    private static final int LEAST_ALLOCATION_BYTES = 1 << 20;

    private final List<PinnedBuffer> allocations;
    private final List<FreeRanges> free = new ArrayList<>();
    private final long capacityBytes;
    /** Written inside the monitor only. */
    private volatile long lentBytes;

    private volatile Runnable whenGiven = () -> {};

    /** A lent region. */
    record Region(PinnedBuffer memory, int allocation, int offset) {}

    private PinnedPool(List<PinnedBuffer> allocations) {
        this.allocations = allocations;
        allocations.forEach(allocation -> free.add(new FreeRanges(allocation.bytes())));
        this.capacityBytes = allocations.stream().mapToLong(PinnedBuffer::bytes).sum();
    }

    /**
     * Takes as much as the device's host gives, up to a maximum.
     *
     * @throws DeviceException OUT_OF_MEMORY if not even the smallest allocation is there; nothing is held then
     */
    static PinnedPool allocate(Device device, long maxBytes) throws DeviceException {
        List<PinnedBuffer> allocations = new ArrayList<>();
        long left = maxBytes;
        int triedBytes = ALLOCATION_BYTES;
        try {
            while (left > 0 && left >= Math.min(maxBytes, LEAST_ALLOCATION_BYTES)) {
                int wanted = (int) Math.min(left, triedBytes);
                try {
                    allocations.add(device.allocatePinned(wanted));
                    left -= wanted;
                } catch (DeviceException refused) {
                    triedBytes = wanted / 2;
                    if (refused.failure() != Failure.OUT_OF_MEMORY
                            || triedBytes < LEAST_ALLOCATION_BYTES && allocations.isEmpty()) {
                        throw refused;
                    }
                    if (triedBytes < LEAST_ALLOCATION_BYTES) {
                        break;
                    }
                }
            }
        } catch (DeviceException failed) {
            allocations.forEach(PinnedBuffer::close);
            throw failed;
        }
        return new PinnedPool(allocations);
    }

    /** The largest region that it ever lends; 0 if it has no memory. */
    int mostRegionBytes() {
        int most = allocations.stream().mapToInt(PinnedBuffer::bytes).max().orElse(0);
        return most - most % FreeRanges.GRAIN_BYTES;
    }

    /** Lends a region, or null if no allocation has a free region that is large enough. */
    synchronized Region tryTake(int bytes) {
        for (int index = 0; index < allocations.size(); index++) {
            int offset = free.get(index).take(bytes);
            if (offset >= 0) {
                lentBytes += FreeRanges.roundedUp(bytes);
                return new Region(allocations.get(index).slice(offset, bytes), index, offset);
            }
        }
        return null;
    }

    /** Takes a region back. */
    void give(Region region) {
        int bytes = region.memory().bytes();
        synchronized (this) {
            free.get(region.allocation()).give(region.offset(), bytes);
            lentBytes -= FreeRanges.roundedUp(bytes);
        }
        whenGiven.run();
    }

    /** From now on this runs whenever a region has come back, on the thread that gives it. */
    void whenGiven(Runnable told) {
        whenGiven = told;
    }

    /** Bytes lent now, rounded up as they are taken. */
    long lentBytes() {
        return lentBytes;
    }

    /** Bytes of all allocations. */
    long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public void close() {
        allocations.forEach(PinnedBuffer::close);
    }
}
