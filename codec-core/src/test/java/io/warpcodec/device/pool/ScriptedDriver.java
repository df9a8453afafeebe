package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A driver on host memory that fails as scripted. Each stream has a thread of its own that works through its queue,
 * as a device does; kernels are Java, by entry name. Device memory lies in an address space of its own with holes
 * between the allocations, and begins poisoned: what reads or writes beside an allocation ends in an illegal address,
 * as on a device.
 *
 * <p>After a sticky code every call on that device fails with the same code. Thread-safe.
 */
public final class ScriptedDriver implements Driver {
    /** Codes that tests script; the driver's numbers. */
    public static final int OUT_OF_MEMORY = 2;

    public static final int ECC_UNCORRECTABLE = 214;
    public static final int ILLEGAL_ADDRESS = 700;
    public static final int LAUNCH_TIMEOUT = 702;
    public static final int LAUNCH_FAILED = 719;
    public static final int INVALID_VALUE = 1;
    public static final int UNKNOWN = 999;

    private static final byte POISON = (byte) 0xC7;
    private static final long HOLE_BYTES = 4096;
    private static final ReusedMemory<byte[]> REUSED_MEMORY = new ReusedMemory<>(byte[]::new);
    private static final ReusedMemory<ByteBuffer> REUSED_PINNED = new ReusedMemory<>(ByteBuffer::allocateDirect);

    /** The calls, and WORK for what a stream does later. */
    public enum Call {
        RETAIN_CONTEXT,
        RELEASE_CONTEXT,
        MAKE_CURRENT,
        ALLOCATE,
        FREE,
        ALLOCATE_PINNED,
        FREE_PINNED,
        LOCK,
        UNLOCK,
        OPEN_STREAM,
        CLOSE_STREAM,
        UPLOAD,
        DOWNLOAD,
        FILL,
        IS_DONE,
        SYNCHRONISE,
        LOAD_MODULE,
        UNLOAD_MODULE,
        FUNCTION,
        GLOBAL,
        RESIDENT_CTA_COUNT,
        LAUNCH,
        /** Something that was queued on a stream is done, by the stream. */
        WORK
    }

    /** What a kernel sees: device memory by address. */
    public interface Kernel {
        void run(ScriptedDriver memory, KernelArguments arguments) throws DeviceException;
    }

    /** Answers the n-th call of a kind, from 1: a code to fail with, 0 to go on, or {@link #HANG}. */
    public interface Script {
        /** The call, or the stream's work, does not return until {@link ScriptedDriver#endHangs}. */
        int HANG = -1;

        int answer(Call call, long n);
    }

    private final List<DeviceInfo> devices = new ArrayList<>();
    private final List<PerDevice> perDevice = new ArrayList<>();
    private final Map<String, Kernel> kernels;
    private final Map<String, Integer> globals;
    private final Map<Call, AtomicLong> counts = newCounts();
    private final TreeMap<Long, Allocation> deviceMemory = new TreeMap<>();
    private final Map<Object, ByteBuffer> pinned = new ConcurrentHashMap<>();
    private final Set<Queue> streams = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> deathByOrdinal = new ConcurrentHashMap<>();
    private final ThreadLocal<Integer> current = ThreadLocal.withInitial(() -> -1);
    private final CountDownLatch hangsEnd = new CountDownLatch(1);
    private final Set<Integer> deathTold = ConcurrentHashMap.newKeySet();
    private final LongAdder callsAfterDeath = new LongAdder();
    private volatile Script script = (call, n) -> 0;
    private volatile int mostSharedBytes = Integer.MAX_VALUE;
    private volatile long othersBytes;
    /** A call hung, or a stream was closed with work in it. */
    private volatile boolean mayComeLater;

    private long nextAddress = 1L << 32;

    /** Device memory and the device that it is on. */
    private record Allocation(int ordinal, ByteBuffer memory) {}

    /** What one device has and does. */
    private static final class PerDevice {
        final Map<Call, AtomicLong> counts = newCounts();
        volatile Script script = (call, n) -> 0;
        /** Guarded by the driver's monitor, as is {@link #mostAllocatedBytes}. */
        long allocatedBytes;

        long mostAllocatedBytes;
    }

    /**
     * Devices that are all alike.
     *
     * @param deviceMemoryBytes memory of each
     * @param kernels by entry name
     * @param contracts what the modules say about themselves
     */
    public ScriptedDriver(
            int deviceCount, long deviceMemoryBytes, Map<String, Kernel> kernels, List<KernelContract> contracts) {
        this(Collections.nCopies(deviceCount, deviceMemoryBytes), kernels, contracts);
    }

    /**
     * A device for each of these sizes of memory.
     *
     * @param kernels by entry name
     * @param contracts what the modules say about themselves
     */
    public ScriptedDriver(List<Long> memoryBytes, Map<String, Kernel> kernels, List<KernelContract> contracts) {
        for (int ordinal = 0; ordinal < memoryBytes.size(); ordinal++) {
            devices.add(new DeviceInfo(
                    ordinal,
                    "scripted",
                    9,
                    0,
                    memoryBytes.get(ordinal),
                    132,
                    "0000:0" + ordinal + ":00.0",
                    "GPU-" + ordinal));
            perDevice.add(new PerDevice());
        }
        this.kernels = Map.copyOf(kernels);
        this.globals = new ConcurrentHashMap<>();
        for (KernelContract contract : contracts) {
            globals.put(contract.word() + "_abi", contract.abi());
            globals.putAll(contract.constants());
        }
    }

    private static Map<Call, AtomicLong> newCounts() {
        Map<Call, AtomicLong> counts = new EnumMap<>(Call.class);
        for (Call call : Call.values()) {
            counts.put(call, new AtomicLong());
        }
        return counts;
    }

    /** Its devices. */
    public List<DeviceInfo> devices() {
        return devices;
    }

    /** A pool on this driver. */
    public OwnPool openPool(
            PoolLimits limits, WavePrograms programs, java.util.function.Function<String, LongAdder> counters) {
        return openPool(limits, programs, counters, System::nanoTime);
    }

    /**
     * As {@link #openPool(PoolLimits, WavePrograms, java.util.function.Function)}, but with another clock, in
     * nanoseconds.
     */
    public OwnPool openPool(
            PoolLimits limits,
            WavePrograms programs,
            java.util.function.Function<String, LongAdder> counters,
            LongSupplier clock) {
        return OwnPool.open(this, devices, limits, programs, counters, clock);
    }

    /** One of its devices, outside any pool. */
    public Device open(int ordinal) throws DeviceException {
        return Device.open(this, devices.get(ordinal));
    }

    /** Limits the shared memory of a multiprocessor. */
    public ScriptedDriver withSharedBytes(int most) {
        mostSharedBytes = most;
        return this;
    }

    /** Memory of each device that other processes hold. */
    public ScriptedDriver withOthersHolding(long bytes) {
        othersBytes = bytes;
        return this;
    }

    /** From now on asked before each call and each piece of work. */
    public ScriptedDriver script(Script value) {
        counts.values().forEach(count -> count.set(0));
        script = value;
        return this;
    }

    /** From now on asked before each call and each piece of work of one device, whose calls alone it counts. */
    public ScriptedDriver script(int ordinal, Script value) {
        PerDevice device = perDevice.get(ordinal);
        device.counts.values().forEach(count -> count.set(0));
        device.script = value;
        return this;
    }

    /** Fails the n-th call of a kind from now on, and no other. */
    public ScriptedDriver failNth(Call kind, long n, int code) {
        return script((call, at) -> call == kind && at == n ? code : 0);
    }

    /** Fails every call of a kind from now on. */
    public ScriptedDriver failAll(Call kind, int code) {
        return script((call, at) -> call == kind ? code : 0);
    }

    /** Lets everything that hangs go on. */
    public void endHangs() {
        hangsEnd.countDown();
    }

    /** Ends the streams' threads and drops all memory: for tests that are done with a device that was given up. */
    public synchronized void discard() {
        endHangs();
        streams.forEach(Queue::end);
        deviceMemory.clear();
        pinned.clear();
    }

    /** Calls since the last script. */
    public long count(Call call) {
        return counts.get(call).get();
    }

    /** Calls on one device since its last script. */
    public long count(int ordinal, Call call) {
        return perDevice.get(ordinal).counts.get(call).get();
    }

    /** Calls on a device of which a call before has said that it is dead. */
    public long callsAfterDeath() {
        return callsAfterDeath.sum();
    }

    /** Memory of all devices that is not freed. */
    public synchronized long allocatedBytes() {
        return perDevice.stream().mapToLong(device -> device.allocatedBytes).sum();
    }

    /** Memory of one device that is not freed. */
    public synchronized long allocatedBytes(int ordinal) {
        return perDevice.get(ordinal).allocatedBytes;
    }

    /** The most memory of one device that was allocated at any time. */
    public synchronized long mostAllocatedBytes(int ordinal) {
        return perDevice.get(ordinal).mostAllocatedBytes;
    }

    /** Page-locked memory that is not freed. */
    public long pinnedBytes() {
        return pinned.values().stream().mapToLong(ByteBuffer::capacity).sum();
    }

    /** Streams that are not closed. */
    public int streamCount() {
        return streams.size();
    }

    /**
     * Device memory as a little-endian view; an illegal address where it is not one allocation's, or another device's
     * than the calling thread's.
     */
    public synchronized ByteBuffer at(long address, long bytes) throws DeviceException {
        Map.Entry<Long, Allocation> entry = deviceMemory.floorEntry(address);
        if (entry == null
                || address - entry.getKey() > entry.getValue().memory().capacity() - bytes
                || current.get() >= 0 && current.get() != entry.getValue().ordinal()) {
            throw new DeviceException(ILLEGAL_ADDRESS, "illegal address");
        }
        return entry.getValue()
                .memory()
                .duplicate()
                .clear()
                .slice(Math.toIntExact(address - entry.getKey()), Math.toIntExact(bytes))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void enter(Call call) throws DeviceException {
        enter(call, current.get());
    }

    private void enter(Call call, int ordinal) throws DeviceException {
        Integer death = deathByOrdinal.get(ordinal);
        if (death != null) {
            if (call != Call.WORK && !deathTold.add(ordinal)) {
                callsAfterDeath.increment();
            }
            throw new DeviceException(death, call + ": dead, " + death);
        }
        int code = script.answer(call, counts.get(call).incrementAndGet());
        if (ordinal >= 0) {
            PerDevice device = perDevice.get(ordinal);
            int own = device.script.answer(call, device.counts.get(call).incrementAndGet());
            code = code == 0 ? own : code;
        }
        if (code == Script.HANG) {
            mayComeLater = true;
            try {
                hangsEnd.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        } else if (code != 0) {
            DeviceException failure = die(ordinal, new DeviceException(code, call + ": scripted, " + code));
            if (call != Call.WORK && deathByOrdinal.containsKey(ordinal)) {
                deathTold.add(ordinal);
            }
            throw failure;
        }
    }

    private DeviceException die(int ordinal, DeviceException failure) {
        if (failure.failure() == DeviceException.Failure.DEVICE_LOST) {
            deathByOrdinal.putIfAbsent(ordinal, failure.code());
        }
        return failure;
    }

    @Override
    public Context retainContext(int ordinal) throws DeviceException {
        enter(Call.RETAIN_CONTEXT, ordinal);
        return new Context(ordinal, ordinal);
    }

    @Override
    public void releaseContext(Context context) throws DeviceException {
        enter(Call.RELEASE_CONTEXT, context.ordinal());
    }

    @Override
    public void makeCurrent(Context context) throws DeviceException {
        enter(Call.MAKE_CURRENT, context.ordinal());
        current.set(context.ordinal());
    }

    @Override
    public synchronized Memory allocate(long bytes) throws DeviceException {
        enter(Call.ALLOCATE);
        int ordinal = current.get();
        PerDevice device = perDevice.get(ordinal);
        if (device.allocatedBytes + bytes > devices.get(ordinal).memoryBytes() - othersBytes) {
            throw new DeviceException(OUT_OF_MEMORY, "device memory");
        }
        ByteBuffer memory = ByteBuffer.wrap(REUSED_MEMORY.take(Math.toIntExact(bytes)));
        Arrays.fill(memory.array(), POISON);
        long address = nextAddress;
        nextAddress = (address + bytes + HOLE_BYTES) / 256 * 256 + 256;
        deviceMemory.put(address, new Allocation(ordinal, memory));
        device.allocatedBytes += bytes;
        device.mostAllocatedBytes = Math.max(device.mostAllocatedBytes, device.allocatedBytes);
        return new Memory(memory, address);
    }

    @Override
    public synchronized void free(Memory memory) throws DeviceException {
        enter(Call.FREE);
        Allocation allocation = deviceMemory.remove(memory.address());
        ByteBuffer freed = allocation.memory();
        perDevice.get(allocation.ordinal()).allocatedBytes -= freed.capacity();
        if (isQuiet()) {
            REUSED_MEMORY.keep(freed.capacity(), freed.array());
        }
    }

    /** Nothing that this driver was asked to do can come later. */
    private boolean isQuiet() {
        return streams.isEmpty() && !mayComeLater && deathByOrdinal.isEmpty();
    }

    @Override
    public Pinned allocatePinned(long bytes) throws DeviceException {
        enter(Call.ALLOCATE_PINNED);
        Pinned allocated = new Pinned(
                new Object(), REUSED_PINNED.take(Math.toIntExact(bytes)).clear());
        pinned.put(allocated.handle(), allocated.memory());
        return allocated;
    }

    @Override
    public void freePinned(Pinned memory) throws DeviceException {
        enter(Call.FREE_PINNED);
        if (pinned.remove(memory.handle()) == null) {
            throw new DeviceException(INVALID_VALUE, "pinned memory freed twice");
        }
        if (isQuiet()) {
            REUSED_PINNED.keep(memory.memory().capacity(), memory.memory());
        }
    }

    @Override
    public Pinned lock(ByteBuffer memory) throws DeviceException {
        enter(Call.LOCK);
        Pinned locked = new Pinned(new Object(), memory);
        pinned.put(locked.handle(), memory);
        return locked;
    }

    @Override
    public void unlock(Pinned locked) throws DeviceException {
        enter(Call.UNLOCK);
        if (pinned.remove(locked.handle()) == null) {
            throw new DeviceException(INVALID_VALUE, "memory unlocked twice");
        }
    }

    @Override
    public Stream openStream() throws DeviceException {
        enter(Call.OPEN_STREAM);
        Queue queue = new Queue(current.get());
        streams.add(queue);
        return new Stream(queue);
    }

    @Override
    public void closeStream(Stream stream) throws DeviceException {
        enter(Call.CLOSE_STREAM);
        Queue queue = (Queue) stream.handle();
        streams.remove(queue);
        mayComeLater |= queue.undone.get() > 0;
        queue.end();
    }

    @Override
    public void upload(ByteBuffer source, Memory target, long targetOffset, Stream stream) throws DeviceException {
        enter(Call.UPLOAD);
        ByteBuffer from = source.slice();
        queue(stream, () -> at(target.address() + targetOffset, from.capacity()).put(from));
    }

    @Override
    public void download(Memory source, long sourceOffset, ByteBuffer target, Stream stream) throws DeviceException {
        enter(Call.DOWNLOAD);
        ByteBuffer to = target.slice();
        queue(stream, () -> to.put(at(source.address() + sourceOffset, to.capacity())));
    }

    @Override
    public void fill(Memory target, long targetOffset, long bytes, byte value, Stream stream) throws DeviceException {
        enter(Call.FILL);
        queue(stream, () -> {
            ByteBuffer memory = at(target.address() + targetOffset, bytes);
            while (memory.hasRemaining()) {
                memory.put(value);
            }
        });
    }

    @Override
    public boolean isDone(Stream stream) throws DeviceException {
        enter(Call.IS_DONE);
        return ((Queue) stream.handle()).isDone();
    }

    @Override
    public void synchronise(Stream stream) throws DeviceException {
        enter(Call.SYNCHRONISE);
        ((Queue) stream.handle()).awaitDone();
    }

    @Override
    public Module loadModule(byte[] image) throws DeviceException {
        enter(Call.LOAD_MODULE);
        return new Module(image);
    }

    @Override
    public void unloadModule(Module module) throws DeviceException {
        enter(Call.UNLOAD_MODULE);
    }

    @Override
    public Function function(Module module, String entry) throws DeviceException {
        enter(Call.FUNCTION);
        Kernel kernel = kernels.get(entry);
        return new Function(
                kernel != null
                        ? kernel
                        : (Kernel) (memory, arguments) -> {
                            throw new DeviceException(LAUNCH_FAILED, "no kernel " + entry);
                        });
    }

    @Override
    public Optional<Integer> global(Module module, String name) throws DeviceException {
        enter(Call.GLOBAL);
        return Optional.ofNullable(globals.get(name));
    }

    @Override
    public void allowSharedBytes(Function function, int sharedBytes) throws DeviceException {
        enter(Call.FUNCTION);
        if (sharedBytes > mostSharedBytes) {
            throw new DeviceException(INVALID_VALUE, sharedBytes + " bytes of shared memory");
        }
    }

    @Override
    public int residentCtaCount(Function function, int ctaThreads, int sharedBytes) throws DeviceException {
        enter(Call.RESIDENT_CTA_COUNT);
        return 16;
    }

    @Override
    public void launch(
            Function function, int ctaCount, int ctaThreads, int sharedBytes, KernelArguments arguments, Stream stream)
            throws DeviceException {
        enter(Call.LAUNCH);
        arguments.struct();
        queue(stream, () -> ((Kernel) function.handle()).run(this, arguments));
    }

    @Override
    public Optional<byte[]> image(String word) {
        return Optional.of(word.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    private void queue(Stream stream, Work work) {
        ((Queue) stream.handle()).add(work);
    }

    /** Something that a stream does. */
    private interface Work {
        void run() throws DeviceException;
    }

    /** A stream: its thread does what was queued, in order, until something fails. */
    private final class Queue {
        private final int ordinal;
        private final BlockingQueue<Work> works = new LinkedBlockingQueue<>();
        private final AtomicLong undone = new AtomicLong();
        private final Thread thread = new Thread(this::run, "scripted stream");
        private volatile DeviceException failure;
        /** Something has failed, and what was queued behind it is passed over until all of it is gone. */
        private volatile boolean broken;

        Queue(int ordinal) {
            this.ordinal = ordinal;
            thread.setDaemon(true);
            thread.start();
        }

        void add(Work work) {
            undone.incrementAndGet();
            works.add(work);
        }

        boolean isDone() throws DeviceException {
            boolean done = undone.get() == 0;
            DeviceException failed = failure;
            if (failed != null) {
                failure = null;
                throw failed;
            }
            if (done) {
                broken = false;
            }
            return done;
        }

        /** Waits until all is done, whether this thread is interrupted or not. */
        void awaitDone() throws DeviceException {
            boolean wasInterrupted = false;
            while (!isDone()) {
                try {
                    synchronized (undone) {
                        if (undone.get() > 0) {
                            undone.wait();
                        }
                    }
                } catch (InterruptedException interrupted) {
                    wasInterrupted = true;
                }
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void end() {
            thread.interrupt();
        }

        private void run() {
            current.set(ordinal);
            try {
                while (true) {
                    Work work = works.take();
                    try {
                        if (!broken) {
                            enter(Call.WORK, ordinal);
                            work.run();
                        }
                    } catch (DeviceException failed) {
                        broken = true;
                        failure = die(ordinal, failed);
                    } catch (RuntimeException | AssertionError defect) {
                        defect.printStackTrace();
                        broken = true;
                        failure = die(ordinal, new DeviceException(LAUNCH_FAILED, "kernel: " + defect));
                    }
                    synchronized (undone) {
                        undone.decrementAndGet();
                        undone.notifyAll();
                    }
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
