package io.warpcodec.device.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Exactly the calls that this package makes to a driver once it is ready. Production has one implementation,
 * {@link CudaDriver}; tests have an implementation on host memory that fails as scripted. A call that fails throws
 * {@link DeviceException} with the driver's own code.
 *
 * <p>Memory, streams and modules belong to the context that {@link #makeCurrent} named last on the calling thread.
 * The CUDA driver sets the limit of thread-safety: any thread may call, but a stream has one user at a time.
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

    /** Gives up one {@link #retainContext}. */
    void releaseContext(Context context) throws DeviceException;

    /** Makes the context current: calls of this thread work on it from now on. */
    void makeCurrent(Context context) throws DeviceException;

    /** Device memory, aligned to 256 bytes, contents undefined. */
    Memory allocate(long bytes) throws DeviceException;

    /** Frees device memory, which no queued work may touch. */
    void free(Memory memory) throws DeviceException;

    /** Page-locked memory of the host, contents undefined. */
    Pinned allocatePinned(long bytes) throws DeviceException;

    /** Frees page-locked memory; no view of it may be used afterwards. */
    void freePinned(Pinned pinned) throws DeviceException;

    /** Page-locks direct memory that was there before, for the devices of all contexts. */
    Pinned lock(ByteBuffer memory) throws DeviceException;

    /** Undoes {@link #lock}; no queued work may touch the memory. */
    void unlock(Pinned locked) throws DeviceException;

    /** A stream that does not wait for the default stream. */
    Stream openStream() throws DeviceException;

    /** Closes a stream; what was queued still runs. */
    void closeStream(Stream stream) throws DeviceException;

    /** Queues a copy of the whole buffer, from position to limit, to device memory. */
    void upload(ByteBuffer source, Memory target, long targetOffset, Stream stream) throws DeviceException;

    /** Queues a copy that fills the buffer, from position to limit. */
    void download(Memory source, long sourceOffset, ByteBuffer target, Stream stream) throws DeviceException;

    /** Queues setting so many bytes of device memory to a value. */
    void fill(Memory target, long targetOffset, long bytes, byte value, Stream stream) throws DeviceException;

    /** Whether all that was queued has ended. Does not wait. */
    boolean isDone(Stream stream) throws DeviceException;

    /** Waits until all that was queued has ended. */
    void synchronise(Stream stream) throws DeviceException;

    /** Loads a kernel image onto the current context's device. */
    Module loadModule(byte[] image) throws DeviceException;

    /** Unloads a module; none of its kernels may run. */
    void unloadModule(Module module) throws DeviceException;

    /** An entry point by its unmangled name. */
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
