package io.warpcodec.device.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import jcuda.driver.CUresult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open device: source of memory, streams and kernel modules, all of which must be closed before it.
 *
 * <p>Thread-safe; what it hands out is not.
 */
public final class Device implements AutoCloseable {
    // A driver call works on the context that is current on the calling thread. Threads of an executor come and go,
    // so each call makes the device's context current first (about 100 ns) and leaves it so. And each goes through
    // `ask`, which remembers a sticky failure: after one no call reaches the driver, whatever is still to be closed.

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final Driver driver;
    private final DeviceInfo info;
    private final Driver.Context context;
    private volatile DeviceException loss;
    private boolean closed;

    private Device(Driver driver, DeviceInfo info, Driver.Context context) {
        this.driver = driver;
        this.info = info;
        this.context = context;
    }

    /**
     * Opens a device: its primary context, which the whole process shares. Slow: the first of a process takes 0.6 s
     * on an H200.
     *
     * @throws DeviceException if the driver refuses; nothing is held then
     */
    public static Device open(Driver driver, DeviceInfo info) throws DeviceException {
        return new Device(driver, info, driver.retainContext(info.ordinal()));
    }

    /** What the device says about itself. */
    public DeviceInfo info() {
        return info;
    }

    /**
     * Takes device memory, aligned to 256 bytes, contents undefined.
     *
     * @param bytes at least 1
     * @throws DeviceException OUT_OF_MEMORY if there is not enough
     */
    public DeviceBuffer allocate(long bytes) throws DeviceException {
        requirePositive(bytes);
        return new DeviceBuffer(this, ask(calls -> calls.allocate(bytes)), bytes);
    }

    /**
     * Takes page-locked host memory that the device can copy from and to at full speed, contents undefined. Slow
     * (milliseconds): keep it.
     *
     * @param bytes 1 to 2^31 - 1
     * @throws DeviceException OUT_OF_MEMORY if there is not enough
     */
    public PinnedBuffer allocatePinned(long bytes) throws DeviceException {
        requirePositive(bytes);
        Math.toIntExact(bytes);
        return new PinnedBuffer(this, ask(calls -> calls.allocatePinned(bytes)));
    }

    /**
     * Page-locks memory that is there already, such as a file that is mapped, so that every device can copy from and
     * to it at full speed. Slow (milliseconds). Closing the buffer unlocks it.
     *
     * @param memory direct, all of it; must stay where it is until then
     * @throws DeviceException if the driver refuses
     */
    public PinnedBuffer lock(ByteBuffer memory) throws DeviceException {
        return PinnedBuffer.locked(this, ask(calls -> calls.lock(memory)));
    }

    /** Makes a stream that does not wait for the default stream. */
    public DeviceStream openStream() throws DeviceException {
        return DeviceStream.open(this);
    }

    /** A call whose answer matters. */
    public interface Question<T> {
        T ask(Driver driver) throws DeviceException;
    }

    /** A call that answers nothing. */
    public interface Command {
        void give(Driver driver) throws DeviceException;
    }

    /**
     * Calls the driver on this device's context.
     *
     * @throws DeviceException if the call fails; always, without a call, once the device is lost or abandoned
     */
    public <T> T ask(Question<T> question) throws DeviceException {
        DeviceException known = loss;
        if (known != null) {
            throw new DeviceException(known.code(), "not asked, since the device is lost: " + known.getMessage());
        }
        try {
            driver.makeCurrent(context);
            return question.ask(driver);
        } catch (DeviceException failed) {
            if (failed.failure() == DeviceException.Failure.DEVICE_LOST) {
                loss = failed;
            }
            throw failed;
        }
    }

    /** Like {@link #ask}, for a call that answers nothing. */
    public void tell(Command command) throws DeviceException {
        ask(calls -> {
            command.give(calls);
            return null;
        });
    }

    /** Gives something back; whether it is given back. Failures are logged: there is little that a caller could do. */
    public boolean giveBack(Command command) {
        try {
            tell(command);
            return true;
        } catch (DeviceException failed) {
            LOG.debug("{}", failed.getMessage());
            return false;
        }
    }

    /** From now on nothing is asked of the driver any more. */
    public void abandon(String reason) {
        loss = new DeviceException(CUresult.CUDA_ERROR_UNKNOWN, reason);
    }

    /** The kernel image of a word, where there is one. */
    public Optional<byte[]> image(String word) throws IOException {
        return driver.image(word);
    }

    /** Gives the context back. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            giveBack(calls -> calls.releaseContext(context));
        }
    }

    private static void requirePositive(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
        }
    }
}
