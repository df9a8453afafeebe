package io.warpcodec.device.driver;

/**
 * A queue of work on one device: copies and launches run in the order in which they were asked for, while the caller
 * goes on.
 *
 * <p>Not thread-safe. A failure of the device's work shows at a later call, at the latest in {@link #synchronise} or
 * {@link #isDone}.
 */
public final class DeviceStream implements AutoCloseable {
    private final Device device;
    private final Driver.Stream stream;
    private boolean closed;

    private DeviceStream(Device device, Driver.Stream stream) {
        this.device = device;
        this.stream = stream;
    }

    static DeviceStream open(Device device) throws DeviceException {
        return new DeviceStream(device, device.ask(Driver::openStream));
    }

    /**
     * Copies to the device. Both must have the same size and stay open until the copy is done.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public void upload(PinnedBuffer source, DeviceBuffer target) throws DeviceException {
        requireSameSize(source.bytes(), target.bytes());
        device.tell(driver -> driver.upload(source.view(), target.root(), target.offset(), stream));
    }

    /**
     * Copies from the device. Both must have the same size and stay open until the copy is done.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public void download(DeviceBuffer source, PinnedBuffer target) throws DeviceException {
        requireSameSize(source.bytes(), target.bytes());
        device.tell(driver -> driver.download(source.root(), source.offset(), target.view(), stream));
    }

    /** Sets every byte of the buffer. */
    public void fill(DeviceBuffer target, byte value) throws DeviceException {
        device.tell(driver -> driver.fill(target.root(), target.offset(), target.bytes(), value, stream));
    }

    /** Waits until everything asked for so far is done. */
    public void synchronise() throws DeviceException {
        device.tell(driver -> driver.synchronise(stream));
    }

    /** Whether everything asked for so far is done. Does not wait. */
    public boolean isDone() throws DeviceException {
        return device.ask(driver -> driver.isDone(stream));
    }

    /** The stream as the driver knows it; of no use once this is closed. */
    public Driver.Stream stream() {
        return stream;
    }

    /** Closes the stream; work that was asked for still runs. A second call does nothing; failures are logged. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            device.giveBack(driver -> driver.closeStream(stream));
        }
    }

    private static void requireSameSize(long sourceBytes, long targetBytes) {
        if (sourceBytes != targetBytes) {
            throw new IllegalArgumentException("copy of " + sourceBytes + " bytes into " + targetBytes);
        }
    }
}
