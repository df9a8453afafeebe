package io.warpcodec.device.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Page-locked host memory, or a part of it. Closing the whole frees it; closing a part does nothing.
 *
 * <p>Not thread-safe. Must not be closed while a stream may still touch it, and no view of it used afterwards: that
 * would end the JVM.
 */
public final class PinnedBuffer implements AutoCloseable {
    private final Device device;
    private final ByteBuffer memory;
    private final Device.Command freeing;
    private boolean closed;

    /** Memory that the driver allocated. */
    PinnedBuffer(Device device, Driver.Pinned root) {
        this(device, root.memory(), driver -> driver.freePinned(root));
    }

    private PinnedBuffer(Device device, ByteBuffer memory, Device.Command freeing) {
        this.device = device;
        this.memory = memory;
        this.freeing = freeing;
    }

    /** Memory that was there before and that the driver has locked: closing unlocks it. */
    static PinnedBuffer locked(Device device, Driver.Pinned root) {
        return new PinnedBuffer(device, root.memory(), driver -> driver.unlock(root));
    }

    /** Size in bytes. */
    public int bytes() {
        return memory.capacity();
    }

    /** All of it as a new little-endian view, position 0, limit at the end. */
    public ByteBuffer view() {
        ByteBuffer view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        view.clear();
        return view;
    }

    /**
     * A part of this memory, which must not be used once this is closed.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within
     */
    public PinnedBuffer slice(int partOffset, int partBytes) {
        Objects.checkFromIndexSize(partOffset, partBytes, bytes());
        return new PinnedBuffer(device, memory.slice(partOffset, partBytes), null);
    }

    /** Frees or unlocks the memory if this is the whole, once; failures are logged. */
    @Override
    public void close() {
        closeBy(device);
    }

    /**
     * As {@link #close}, by a call on this device, whichever has locked the memory: locked memory is every device's.
     * Where the call fails, it may be tried again on another one.
     *
     * @return whether the memory is given back, now or before
     */
    public boolean closeBy(Device any) {
        if (freeing != null && !closed) {
            closed = any.giveBack(freeing);
        }
        return closed;
    }
}
