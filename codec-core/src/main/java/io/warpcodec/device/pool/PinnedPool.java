package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.PinnedBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The page-locked memory of one device's worker: slabs taken once, lent in regions. Taking never waits. Thread-safe.
 *
 * <p>Closing frees the slabs, which must not happen while a region is lent or the device may still touch one.
 */
final class PinnedPool implements AutoCloseable {
    private static final int SLAB_BYTES = 64 << 20;
    private static final int LEAST_SLAB_BYTES = 1 << 20;

    private final List<PinnedBuffer> slabs;
    private final List<FreeRanges> free = new ArrayList<>();
    private long lentBytes;

    /** A lent region. */
    record Region(PinnedBuffer memory, int slab, int offset) {}

    private PinnedPool(List<PinnedBuffer> slabs) {
        this.slabs = slabs;
        slabs.forEach(slab -> free.add(new FreeRanges(slab.bytes())));
    }

    /**
     * Takes as much as the device's host gives, up to a maximum.
     *
     * @throws DeviceException OUT_OF_MEMORY if not even the smallest slab is there; nothing is held then
     */
    static PinnedPool allocate(Device device, long maxBytes) throws DeviceException {
        List<PinnedBuffer> slabs = new ArrayList<>();
        long left = maxBytes;
        int slabBytes = SLAB_BYTES;
        try {
            while (left >= LEAST_SLAB_BYTES) {
                int wanted = (int) Math.min(left, slabBytes);
                try {
                    slabs.add(device.allocatePinned(wanted));
                    left -= wanted;
                } catch (DeviceException refused) {
                    slabBytes = wanted / 2;
                    if (refused.failure() != Failure.OUT_OF_MEMORY || slabBytes < LEAST_SLAB_BYTES && slabs.isEmpty()) {
                        throw refused;
                    }
                    if (slabBytes < LEAST_SLAB_BYTES) {
                        break;
                    }
                }
            }
        } catch (DeviceException failed) {
            slabs.forEach(PinnedBuffer::close);
            throw failed;
        }
        return new PinnedPool(slabs);
    }

    /** Lends a region, or null if no slab has one that is large enough. */
    synchronized Region tryTake(int bytes) {
        for (int slab = 0; slab < slabs.size(); slab++) {
            int offset = free.get(slab).take(bytes);
            if (offset >= 0) {
                lentBytes += FreeRanges.roundedUp(bytes);
                return new Region(slabs.get(slab).slice(offset, bytes), slab, offset);
            }
        }
        return null;
    }

    /** Takes a region back. */
    synchronized void give(Region region) {
        int bytes = region.memory().bytes();
        free.get(region.slab()).give(region.offset(), bytes);
        lentBytes -= FreeRanges.roundedUp(bytes);
    }

    /** Bytes lent now, rounded up as they are taken. */
    synchronized long lentBytes() {
        return lentBytes;
    }

    /** Bytes of all slabs. */
    long capacityBytes() {
        return slabs.stream().mapToLong(PinnedBuffer::bytes).sum();
    }

    @Override
    public void close() {
        slabs.forEach(PinnedBuffer::close);
    }
}
