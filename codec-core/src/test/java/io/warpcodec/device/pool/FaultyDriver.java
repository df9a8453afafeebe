package io.warpcodec.device.pool;

import io.warpcodec.device.driver.CudaDriver;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

/**
 * A driver over another that now and then fails a call which queues or asks for work: it answers with an error that a
 * device survives, and the call is not made. Once told so, it behaves as if the device were lost. Thread-safe.
 */
public final class FaultyDriver implements Driver {
    // A stream with a failed call is left alone until its work has ended: a device that does not even answer the
    // question after a failure is given up, which is another test's matter.

    private static final int OUT_OF_MEMORY = 2;
    private static final int INVALID_VALUE = 1;
    private static final int LAUNCH_FAILED = 719;

    private final Driver real;
    private final List<DeviceInfo> devices;
    private final Random random;
    private final Set<Stream> recovering = ConcurrentHashMap.newKeySet();
    private final Set<Context> contexts = ConcurrentHashMap.newKeySet();
    private final LongAdder outOfMemoryCount = new LongAdder();
    private final LongAdder failedCallCount = new LongAdder();
    private volatile int meanCallsPerFault;
    private volatile boolean lost;

    private FaultyDriver(Driver real, List<DeviceInfo> devices, long seed) {
        this.real = real;
        this.devices = devices;
        this.random = new Random(seed);
    }

    /** Over this machine's driver, which must be ready. */
    public static FaultyDriver overCuda(long seed) {
        return new FaultyDriver(CudaDriver.INSTANCE, DeviceDriver.devices(), seed);
    }

    /** Over a driver in host memory. */
    public static FaultyDriver over(ScriptedDriver scripted, long seed) {
        return new FaultyDriver(scripted, scripted.devices(), seed);
    }

    /** Its devices. */
    public List<DeviceInfo> devices() {
        return devices;
    }

    /** A pool on this driver, counted with the process's metrics. */
    public OwnPool openPool(PoolLimits limits, WavePrograms programs) {
        return OwnPool.open(this, devices, limits, programs, Metrics::counter, System::nanoTime);
    }

    /** From now on one call in so many fails, on average; 0 for none. */
    public void failOneIn(int calls) {
        meanCallsPerFault = calls;
    }

    /** From now on every call answers that a kernel has failed. */
    public void lose() {
        lost = true;
    }

    /** Calls that answered that memory is short. */
    public long outOfMemoryCount() {
        return outOfMemoryCount.sum();
    }

    /** Calls that answered with another error. */
    public long failedCallCount() {
        return failedCallCount.sum();
    }

    /** Memory in use on all devices, by whomever, as the driver sees it. */
    public long usedBytes() {
        if (real instanceof ScriptedDriver scripted) {
            return scripted.allocatedBytes();
        }
        long used = 0;
        for (Context context : new ArrayList<>(contexts)) {
            long[] free = new long[1];
            long[] total = new long[1];
            JCudaDriver.cuCtxSetCurrent((CUcontext) context.handle());
            JCudaDriver.cuMemGetInfo(free, total);
            used += total[0] - free[0];
        }
        return used;
    }

    private void maybeFail(Stream stream, boolean memory) throws DeviceException {
        if (lost) {
            throw new DeviceException(LAUNCH_FAILED, "the device is lost on purpose");
        }
        int calls = meanCallsPerFault;
        if (calls == 0 || recovering.contains(stream)) {
            return;
        }
        boolean outOfMemory;
        synchronized (random) {
            if (random.nextInt(calls) != 0) {
                return;
            }
            outOfMemory = memory && random.nextBoolean();
        }
        recovering.add(stream);
        (outOfMemory ? outOfMemoryCount : failedCallCount).increment();
        throw new DeviceException(outOfMemory ? OUT_OF_MEMORY : INVALID_VALUE, "failed on purpose");
    }

    @Override
    public Context retainContext(int ordinal) throws DeviceException {
        Context context = real.retainContext(ordinal);
        contexts.add(context);
        return context;
    }

    @Override
    public void releaseContext(Context context) throws DeviceException {
        contexts.remove(context);
        real.releaseContext(context);
    }

    @Override
    public void makeCurrent(Context context) throws DeviceException {
        real.makeCurrent(context);
    }

    @Override
    public Memory allocate(long bytes) throws DeviceException {
        return real.allocate(bytes);
    }

    @Override
    public void free(Memory memory) throws DeviceException {
        real.free(memory);
    }

    @Override
    public Pinned allocatePinned(long bytes) throws DeviceException {
        return real.allocatePinned(bytes);
    }

    @Override
    public void freePinned(Pinned pinned) throws DeviceException {
        real.freePinned(pinned);
    }

    @Override
    public Pinned lock(ByteBuffer memory) throws DeviceException {
        return real.lock(memory);
    }

    @Override
    public void unlock(Pinned locked) throws DeviceException {
        real.unlock(locked);
    }

    @Override
    public Stream openStream() throws DeviceException {
        return real.openStream();
    }

    @Override
    public void closeStream(Stream stream) throws DeviceException {
        real.closeStream(stream);
    }

    @Override
    public void upload(ByteBuffer source, Memory target, long targetOffset, Stream stream) throws DeviceException {
        maybeFail(stream, false);
        real.upload(source, target, targetOffset, stream);
    }

    @Override
    public void download(Memory source, long sourceOffset, ByteBuffer target, Stream stream) throws DeviceException {
        maybeFail(stream, false);
        real.download(source, sourceOffset, target, stream);
    }

    @Override
    public void fill(Memory target, long targetOffset, long bytes, byte value, Stream stream) throws DeviceException {
        maybeFail(stream, false);
        real.fill(target, targetOffset, bytes, value, stream);
    }

    /** Asked far more often than anything else, so it fails only on a device that is lost. */
    @Override
    public boolean isDone(Stream stream) throws DeviceException {
        if (lost) {
            maybeFail(stream, false);
        }
        boolean done = real.isDone(stream);
        if (done) {
            recovering.remove(stream);
        }
        return done;
    }

    @Override
    public void synchronise(Stream stream) throws DeviceException {
        real.synchronise(stream);
    }

    @Override
    public Module loadModule(byte[] image) throws DeviceException {
        return real.loadModule(image);
    }

    @Override
    public void unloadModule(Module module) throws DeviceException {
        real.unloadModule(module);
    }

    @Override
    public Function function(Module module, String entry) throws DeviceException {
        return real.function(module, entry);
    }

    @Override
    public Optional<Integer> global(Module module, String name) throws DeviceException {
        return real.global(module, name);
    }

    @Override
    public void allowSharedBytes(Function function, int sharedBytes) throws DeviceException {
        real.allowSharedBytes(function, sharedBytes);
    }

    @Override
    public int residentCtaCount(Function function, int ctaThreads, int sharedBytes) throws DeviceException {
        return real.residentCtaCount(function, ctaThreads, sharedBytes);
    }

    @Override
    public void launch(
            Function function, int ctaCount, int ctaThreads, int sharedBytes, KernelArguments arguments, Stream stream)
            throws DeviceException {
        maybeFail(stream, true);
        real.launch(function, ctaCount, ctaThreads, sharedBytes, arguments, stream);
    }

    @Override
    public Optional<byte[]> image(String word) throws IOException {
        return real.image(word);
    }
}
