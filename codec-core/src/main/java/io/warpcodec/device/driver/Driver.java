package io.warpcodec.device.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Exactly the calls that this package makes to a driver once it is ready. Production has one implementation, {@link CudaDriver}; tests have
 * one on host memory that fails as scripted. A call that fails throws {@link DeviceException} with the driver's own code.
 *
 * <p>Memory, streams and modules belong to the context that {@link #makeCurrent} named last on the calling thread. Thread-safe as far as the
 * CUDA driver is: any thread may call, but a stream has one user at a time.
 */
public interface Driver {
    /** A device's context. */
    record Context(Object handle, int ordinal) {}

    /** Device memory: the binding's object, and the address as kernels see it. */
    record Memory(Object handle, long address) {}

    /** Page-locked host memory. */
    record Pinned(Object handle, ByteBuffer memory) {}

    /** A queue of work. */
    record Stream(Object handle) {}

    /** A loaded kernel image. */
    record Module(Object handle) {}

    /** An entry point of a module. */
    record Function(Object handle) {}

    /** Opens, or shares, a device's primary context. */
    Context retainContext(int ordinal) throws DeviceException;

    void releaseContext(Context context) throws DeviceException;

    void makeCurrent(Context context) throws DeviceException;

    Memory allocate(long bytes) throws DeviceException;

    void free(Memory memory) throws DeviceException;

    Pinned allocatePinned(long bytes) throws DeviceException;

    void freePinned(Pinned pinned) throws DeviceException;

    Stream openStream() throws DeviceException;

    void closeStream(Stream stream) throws DeviceException;

    /** Queues a copy of the whole buffer, from position to limit, to device memory. */
    void upload(ByteBuffer source, Memory target, long targetOffset, Stream stream) throws DeviceException;

    /** Queues a copy that fills the buffer, from position to limit. */
    void download(Memory source, long sourceOffset, ByteBuffer target, Stream stream) throws DeviceException;

    void fill(Memory target, long targetOffset, long bytes, byte value, Stream stream) throws DeviceException;

    /** Whether all that was queued has ended. Does not wait. */
    boolean isDone(Stream stream) throws DeviceException;

    void synchronise(Stream stream) throws DeviceException;

    Module loadModule(byte[] image) throws DeviceException;

    void unloadModule(Module module) throws DeviceException;

    Function function(Module module, String entry) throws DeviceException;

    /** The value of a 32-bit global, or empty if the module has none of that name and size. */
    Optional<Integer> global(Module module, String name) throws DeviceException;

    /** Lets launches of the kernel ask for so much dynamic shared memory. */
    void allowSharedBytes(Function function, int sharedBytes) throws DeviceException;

    /** How many ctas of the kernel one multiprocessor runs at once. */
    int residentCtaCount(Function function, int ctaThreads, int sharedBytes) throws DeviceException;

    /** @param sharedBytes dynamic shared memory of each cta */
    void launch(
            Function function, int ctaCount, int ctaThreads, int sharedBytes, KernelArguments arguments, Stream stream)
            throws DeviceException;

    /** The kernel image of a word that {@link #loadModule} takes; where the kernels jar has it. */
    default Optional<byte[]> image(String word) throws IOException {
        return KernelImages.read(word);
    }
}
