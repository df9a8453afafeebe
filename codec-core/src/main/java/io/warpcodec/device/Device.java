package io.warpcodec.device;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open device: source of memory, streams and kernel modules, all of which must be closed before it.
 *
 * <p>Thread-safe; what it hands out is not.
 */
public final class Device implements AutoCloseable {
    // Every driver call below works on the context that is current on the calling thread. Threads of an executor come
    // and go, so each
    // operation makes the device's context current first (about 100 ns) and leaves it so.

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final DeviceInfo info;
    private final CUdevice device;
    private final CUcontext context;
    private boolean closed;

    private Device(DeviceInfo info, CUdevice device, CUcontext context) {
        this.info = info;
        this.device = device;
        this.context = context;
    }

    static Device open(DeviceInfo info) throws DeviceException {
        CUdevice device = new CUdevice();
        CudaCalls.check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, info.ordinal()));
        CUcontext context = new CUcontext();
        CudaCalls.check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        return new Device(info, device, context);
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
        makeCurrent();
        DeviceAddress address = new DeviceAddress();
        CudaCalls.check("cuMemAlloc", JCudaDriver.cuMemAlloc(address, bytes));
        return new DeviceBuffer(this, address, bytes);
    }

    /**
     * Takes page-locked host memory that the device can copy from and to at full speed, contents undefined. Slow (milliseconds): keep it.
     *
     * @param bytes 1 to 2^31 - 1
     * @throws DeviceException OUT_OF_MEMORY if there is not enough
     */
    public PinnedBuffer allocatePinned(long bytes) throws DeviceException {
        requirePositive(bytes);
        Math.toIntExact(bytes);
        makeCurrent();
        Pointer pointer = new Pointer();
        CudaCalls.check(
                "cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(pointer, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE));
        return new PinnedBuffer(this, pointer, pointer.getByteBuffer(0, bytes));
    }

    /** Makes a stream that does not wait for the default stream. */
    public DeviceStream openStream() throws DeviceException {
        return DeviceStream.open(this);
    }

    void makeCurrent() throws DeviceException {
        CudaCalls.check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    /** Gives the context back. Failures are logged: there is nothing that a caller could do. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            logUnlessSuccess("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
        }
    }

    static void logUnlessSuccess(String call, int result) {
        if (result != 0) {
            LOG.debug("{}: {}", call, CudaCalls.describe(result));
        }
    }

    static void logFailure(DeviceException failure) {
        LOG.debug("{}", failure.getMessage());
    }

    private static void requirePositive(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
        }
    }
}
