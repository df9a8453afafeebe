package io.warpcodec.device;

import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * A queue of work on one device: copies and launches run in the order in which they were asked for, while the caller goes on.
 *
 * <p>Not thread-safe. A failure of the device's work shows at a later call, at the latest in {@link #synchronise}.
 */
public final class DeviceStream implements AutoCloseable {
    private final Device device;
    private final CUstream stream;
    private boolean closed;

    private DeviceStream(Device device, CUstream stream) {
        this.device = device;
        this.stream = stream;
    }

    static DeviceStream open(Device device) throws DeviceException {
        device.makeCurrent();
        CUstream stream = new CUstream();
        CudaCalls.check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
        return new DeviceStream(device, stream);
    }

    /**
     * Copies to the device. Both must have the same size and stay open until the copy is done.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public void upload(PinnedBuffer source, DeviceBuffer target) throws DeviceException {
        requireSameSize(source.bytes(), target.bytes());
        device.makeCurrent();
        CudaCalls.check(
                "cuMemcpyHtoDAsync",
                JCudaDriver.cuMemcpyHtoDAsync(target.pointer(), source.pointer(), target.bytes(), stream));
    }

    /**
     * Copies from the device. Both must have the same size and stay open until the copy is done.
     *
     * @throws IllegalArgumentException if the sizes differ
     */
    public void download(DeviceBuffer source, PinnedBuffer target) throws DeviceException {
        requireSameSize(source.bytes(), target.bytes());
        device.makeCurrent();
        CudaCalls.check(
                "cuMemcpyDtoHAsync",
                JCudaDriver.cuMemcpyDtoHAsync(target.pointer(), source.pointer(), source.bytes(), stream));
    }

    /** Sets every byte of the buffer. */
    public void fill(DeviceBuffer target, byte value) throws DeviceException {
        device.makeCurrent();
        CudaCalls.check(
                "cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(target.pointer(), value, target.bytes(), stream));
    }

    /** Waits until everything asked for so far is done. */
    public void synchronise() throws DeviceException {
        device.makeCurrent();
        CudaCalls.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
    }

    CUstream stream() {
        return stream;
    }

    /** Closes the stream; work that was asked for still runs. A second call does nothing; failures are logged. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                device.makeCurrent();
                Device.logUnlessSuccess("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
            } catch (DeviceException lost) {
                Device.logFailure(lost);
            }
        }
    }

    private static void requireSameSize(long sourceBytes, long targetBytes) {
        if (sourceBytes != targetBytes) {
            throw new IllegalArgumentException("copy of " + sourceBytes + " bytes into " + targetBytes);
        }
    }
}
