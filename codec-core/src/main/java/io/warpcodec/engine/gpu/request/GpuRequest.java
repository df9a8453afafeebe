package io.warpcodec.engine.gpu.request;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.choice.HedgedWait;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Some neighbouring chunks of a batch, done by a device or all by the CPU: the unit of admission and of choice. Its
 * memory goes back with its last chunk. Not thread-safe.
 */
public abstract class GpuRequest implements AutoCloseable {
    /**
     * Raw bytes of a request, at most, unless a single chunk has more or its format wants more: large enough for full
     * speed of the link.
     */
    static final int MOST_RAW_BYTES = 4 << 20;

    static final int MOST_BLOCKS = 1024;
    /** Blocks begin at multiples of this, which is how kernels read. */
    private static final int ALIGNMENT_BYTES = 16;

    final BlockJob job = new BlockJob();
    final List<Chunk> chunks = new ArrayList<>();
    private final DeviceChoice choice;
    private int chunksLeft;
    /** Pool of {@link #lease}. */
    private DevicePool pool;

    private DeviceLease lease;
    private HedgedWait wait;
    private FallbackReason refusal;

    // time for this request, from which the choice learns
    private boolean waitedForAtOnce;
    private boolean awaited;
    private long workNanos;
    private long processorNanos;
    private boolean allAlike = true;

    GpuRequest(DeviceChoice choice) {
        this.choice = choice;
    }

    DeviceChoice choice() {
        return choice;
    }

    static int aligned(int bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Raw bytes of all chunks. */
    abstract int rawBytes();

    /** Raw bytes that are the CPU's measure for it: without those that cost it next to nothing. */
    int dearBytes() {
        return rawBytes();
    }

    /** Raw bytes of one chunk, at most. */
    abstract int mostRawBytes(int number);

    /** As {@link #dearBytes()}, of one chunk. */
    int dearBytes(int number) {
        return mostRawBytes(number);
    }

    abstract int inputBytes();

    abstract int outputBytes();

    /** Copies what the device is to read. */
    abstract void fill(ByteBuffer input);

    /** One chunk more; its number in this request. */
    int added(Chunk chunk) {
        chunks.add(chunk);
        chunksLeft++;
        return chunks.size() - 1;
    }

    /** The batch that it belongs to has so many raw bytes. */
    void isOfBatch(long batchBytes) {
        waitedForAtOnce = batchBytes < DeviceChoice.PIPELINED_BYTES;
    }

    /** Gives all of it to the CPU, for this reason. */
    void refuse(FallbackReason why) {
        refusal = why;
    }

    /** Why the CPU does all of it, or null. */
    FallbackReason refusal() {
        return refusal;
    }

    /** Whether all of its chunks are still to come from it. */
    boolean isWhole() {
        return chunksLeft == chunks.size();
    }

    /** So many of its chunks are another request's now. */
    void leave(int chunkCount) {
        allAlike = false;
        chunksLeft -= chunkCount;
    }

    /**
     * Copies the input to the device's memory and queues the work; if the pool has no memory for it now, the CPU does
     * it all, unless it is submitted again.
     *
     * @param forResults bounds the wait for them
     */
    void submit(DevicePool devices, String program, HedgedWait forResults) {
        pool = devices;
        refusal = null;
        wait = forResults;
        if (job.entryCount() == 0) {
            allAlike = false;
            return;
        }
        long start = System.nanoTime();
        int outputBytes = Math.max(1, outputBytes());
        lease = pool.tryLease(program, inputBytes(), outputBytes, job.entryCount());
        if (lease == null) {
            refusal = pool.refusalReason(program, inputBytes(), outputBytes, job.entryCount());
            return;
        }
        lease.fill(this::fill);
        lease.submit(job);
        workNanos += System.nanoTime() - start;
    }

    /** Has a device do it beside the CPU, which does it all. */
    void submitBesideCpu(DevicePool pool, String program, DeviceChoices choices) {
        submit(pool, program, null);
        choices.tried(choice, dearBytes(), pool, lease);
        leaveDevice(FallbackReason.POOL_RESTS);
    }

    /** The CPU does what is left of it. */
    private void leaveDevice(FallbackReason why) {
        lease = null;
        allAlike &= isWhole();
        workNanos = 0;
        refusal = why;
    }

    /** Whether its results were taken back before they were read. */
    boolean isRevoked() {
        return lease != null && lease.wasRevoked();
    }

    /** Waits for the device, if it has a part in this: null when it has done it, else why not. */
    FallbackReason await() throws InterruptedException {
        if (lease == null) {
            return null;
        }
        if (lease.isOver() && awaited) {
            return lease.failure();
        }
        awaited = true;
        FallbackReason refused = wait.await(lease);
        if (refused != null && !lease.wasRevoked() && lease.failure() != refused) {
            leaveDevice(refused);
        }
        return refused;
    }

    /** The time that the calling thread has waited for its memory counts. */
    void follow(HedgedWait forMemory) {
        if (wait != null) {
            wait.follow(forMemory);
        }
    }

    /** Looks at the output once it is there; null, or why the results are gone. */
    FallbackReason read(Consumer<ByteBuffer> reader) {
        long start = System.nanoTime();
        boolean read = lease.read(reader);
        workNanos += System.nanoTime() - start;
        return read ? null : lease.failure();
    }

    /** Threads of the CPU did one of the chunks, in a time that is not measured. */
    void isNotMeasured() {
        allAlike = false;
    }

    /** The CPU did one of the chunks, in so much time, and processor time. */
    void cpuDid(long nanos, long ofProcessor) {
        allAlike &= refusal != null;
        workNanos += nanos;
        processorNanos += ofProcessor;
    }

    /** One chunk less to come; after the last the memory goes back, and the choice learns the time. */
    void taken() {
        if (--chunksLeft > 0) {
            return;
        }
        if (allAlike && refusal != null) {
            choice.cpuDid(dearBytes(), workNanos, processorNanos);
        } else if (waitedForAtOnce && allAlike && lease != null && lease.isOver() && lease.failure() == null) {
            choice.turnedAround(lease.elapsedNanos() + workNanos, pool.nanoTime());
        }
        close();
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
    }
}
