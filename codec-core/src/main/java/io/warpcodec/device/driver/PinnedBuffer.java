package io.warpcodec.device.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Page-locked host memory, or a part of it. Closing the whole frees it; closing a part does nothing.
 *
 * <p>Not thread-safe. Must not be closed while a stream may still touch it, and no view of it used afterwards: that would end the JVM.
 */
public final class PinnedBuffer implements AutoCloseable {
    private final Device device;
    private final Driver.Pinned root;
    private final ByteBuffer memory;
    private boolean closed;

    PinnedBuffer(Device device, Driver.Pinned root) {
        this(device, root, root.memory());
    }

    private PinnedBuffer(Device device, Driver.Pinned root, ByteBuffer memory) {
        this.device = device;
        this.root = root;
        this.memory = memory;
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
        return new PinnedBuffer(device, null, memory.slice(partOffset, partBytes));
    }

    /** Frees the memory if this is the whole. A second call does nothing; failures are logged. */
    @Override
    public void close() {
        if (root != null && !closed) {
            closed = true;
            device.giveBack(driver -> driver.freePinned(root));
        }
    }
}
