package io.warpcodec.device.driver;

import java.util.Objects;

/**
 * Device memory, or a part of it. Closing the whole frees it; closing a part does nothing.
 *
 * <p>Not thread-safe. Must not be closed while a stream may still touch it.
 */
public final class DeviceBuffer implements AutoCloseable {
    private final Device device;
    private final Driver.Memory root;
    private final long offset;
    private final long bytes;
    private final boolean owner;
    private boolean closed;

    DeviceBuffer(Device device, Driver.Memory root, long bytes) {
        this(device, root, 0, bytes, true);
    }

    private DeviceBuffer(Device device, Driver.Memory root, long offset, long bytes, boolean owner) {
        this.device = device;
        this.root = root;
        this.offset = offset;
        this.bytes = bytes;
        this.owner = owner;
    }

    /** Size in bytes. */
    public long bytes() {
        return bytes;
    }

    /**
     * A part of this memory, which must not be used once this is closed.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within
     */
    public DeviceBuffer slice(long partOffset, long partBytes) {
        Objects.checkFromIndexSize(partOffset, partBytes, bytes);
        return new DeviceBuffer(device, root, offset + partOffset, partBytes, false);
    }

    /**
     * Checks that the address is a multiple of {@code alignmentBytes}.
     *
     * @throws IllegalArgumentException if it is not
     */
    public void requireAligned(int alignmentBytes) {
        if (address() % alignmentBytes != 0) {
            throw new IllegalArgumentException("device memory is not aligned to " + alignmentBytes + " bytes");
        }
    }

    /** The address as a kernel sees it. */
    long address() {
        return root.address() + offset;
    }

    /** The memory that this is a part of. */
    Driver.Memory root() {
        return root;
    }

    /** Where in {@link #root} this begins. */
    long offset() {
        return offset;
    }

    /** Frees the memory if this is the whole. A second call does nothing; failures are logged. */
    @Override
    public void close() {
        if (owner && !closed) {
            closed = true;
            device.giveBack(driver -> driver.free(root));
        }
    }
}
