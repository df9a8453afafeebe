package io.warpcodec.device.driver;

import static io.warpcodec.device.driver.CudaCalls.check;

import java.nio.ByteBuffer;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** The NVIDIA driver behind {@link Driver}, through jcuda. Loaded only once the binding works. Thread-safe. */
public final class CudaDriver implements Driver {
    /** The driver of this process. */
    public static final CudaDriver INSTANCE = new CudaDriver();

    private CudaDriver() {}

    @Override
    public Context retainContext(int ordinal) throws DeviceException {
        CUcontext context = new CUcontext();
        check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device(ordinal)));
        return new Context(context, ordinal);
    }

    @Override
    public void releaseContext(Context context) throws DeviceException {
        check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device(context.ordinal())));
    }

    private static CUdevice device(int ordinal) throws DeviceException {
        CUdevice device = new CUdevice();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        return device;
    }

    @Override
    public void makeCurrent(Context context) throws DeviceException {
        check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent((CUcontext) context.handle()));
    }

    @Override
    public Memory allocate(long bytes) throws DeviceException {
        DeviceAddress address = new DeviceAddress();
        check("cuMemAlloc", JCudaDriver.cuMemAlloc(address, bytes));
        return new Memory(address, address.value());
    }

    @Override
    public void free(Memory memory) throws DeviceException {
        check("cuMemFree", JCudaDriver.cuMemFree((DeviceAddress) memory.handle()));
    }

    @Override
    public Pinned allocatePinned(long bytes) throws DeviceException {
        Pointer pointer = new Pointer();
        int result = JCudaDriver.cuMemHostAlloc(pointer, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
        check("cuMemHostAlloc", result);
        return new Pinned(pointer, pointer.getByteBuffer(0, bytes));
    }

    @Override
    public void freePinned(Pinned pinned) throws DeviceException {
        check("cuMemFreeHost", JCudaDriver.cuMemFreeHost((Pointer) pinned.handle()));
    }

    @Override
    public Pinned lock(ByteBuffer memory) throws DeviceException {
        Pointer pointer = Pointer.to(memory);
        int result = JCudaDriver.cuMemHostRegister(pointer, memory.capacity(), JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE);
        check("cuMemHostRegister", result);
        return new Pinned(pointer, memory);
    }

    @Override
    public void unlock(Pinned locked) throws DeviceException {
        check("cuMemHostUnregister", JCudaDriver.cuMemHostUnregister((Pointer) locked.handle()));
    }

    @Override
    public Stream openStream() throws DeviceException {
        CUstream stream = new CUstream();
        check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
        return new Stream(stream);
    }

    @Override
    public void closeStream(Stream stream) throws DeviceException {
        check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(of(stream)));
    }

    @Override
    public void upload(ByteBuffer source, Memory target, long targetOffset, Stream stream) throws DeviceException {
        Pointer from = Pointer.to(source.slice());
        int result = JCudaDriver.cuMemcpyHtoDAsync(at(target, targetOffset), from, source.remaining(), of(stream));
        check("cuMemcpyHtoDAsync", result);
    }

    @Override
    public void download(Memory source, long sourceOffset, ByteBuffer target, Stream stream) throws DeviceException {
        Pointer to = Pointer.to(target.slice());
        int result = JCudaDriver.cuMemcpyDtoHAsync(to, at(source, sourceOffset), target.remaining(), of(stream));
        check("cuMemcpyDtoHAsync", result);
    }

    @Override
    public void fill(Memory target, long targetOffset, long bytes, byte value, Stream stream) throws DeviceException {
        check("cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(at(target, targetOffset), value, bytes, of(stream)));
    }

    @Override
    public boolean isDone(Stream stream) throws DeviceException {
        int result = JCudaDriver.cuStreamQuery(of(stream));
        if (result == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        check("cuStreamQuery", result);
        return true;
    }

    @Override
    public void synchronise(Stream stream) throws DeviceException {
        check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(of(stream)));
    }

    @Override
    public Module loadModule(byte[] image) throws DeviceException {
        CUmodule module = new CUmodule();
        check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, image));
        return new Module(module);
    }

    @Override
    public void unloadModule(Module module) throws DeviceException {
        check("cuModuleUnload", JCudaDriver.cuModuleUnload((CUmodule) module.handle()));
    }

    @Override
    public Function function(Module module, String entry) throws DeviceException {
        CUfunction function = new CUfunction();
        int result = JCudaDriver.cuModuleGetFunction(function, (CUmodule) module.handle(), entry);
        check("cuModuleGetFunction(" + entry + ")", result);
        return new Function(function);
    }

    @Override
    public Optional<Integer> global(Module module, String name) throws DeviceException {
        CUdeviceptr address = new CUdeviceptr();
        long[] bytes = new long[1];
        int result = JCudaDriver.cuModuleGetGlobal(address, bytes, (CUmodule) module.handle(), name);
        if (result == CUresult.CUDA_ERROR_NOT_FOUND || result == CUresult.CUDA_SUCCESS && bytes[0] != Integer.BYTES) {
            return Optional.empty();
        }
        check("cuModuleGetGlobal(" + name + ")", result);
        int[] value = new int[1];
        check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(Pointer.to(value), address, Integer.BYTES));
        return Optional.of(value[0]);
    }

    @Override
    public void allowSharedBytes(Function function, int sharedBytes) throws DeviceException {
        int attribute = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        check("cuFuncSetAttribute", JCudaDriver.cuFuncSetAttribute(of(function), attribute, sharedBytes));
    }

    @Override
    public int residentCtaCount(Function function, int ctaThreads, int sharedBytes) throws DeviceException {
        int[] count = new int[1];
        int result =
                JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(count, of(function), ctaThreads, sharedBytes);
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", result);
        return count[0];
    }

    @Override
    public void launch(
            Function function, int ctaCount, int ctaThreads, int sharedBytes, KernelArguments arguments, Stream stream)
            throws DeviceException {
        Pointer struct = Pointer.to(arguments.struct());
        int result = JCudaDriver.cuLaunchKernel(
                of(function), ctaCount, 1, 1, ctaThreads, 1, 1, sharedBytes, of(stream), Pointer.to(struct), null);
        check("cuLaunchKernel", result);
    }

    private static CUdeviceptr at(Memory memory, long offset) {
        return ((DeviceAddress) memory.handle()).withByteOffset(offset);
    }

    private static CUstream of(Stream stream) {
        return (CUstream) stream.handle();
    }

    private static CUfunction of(Function function) {
        return (CUfunction) function.handle();
    }
}
