package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.ProcessorTime;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.choice.HedgedWait;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A batch for devices. What they do not get, or do not finish, or refuse, the CPU engine does inside {@link #take},
 * from the input that is still held; each such chunk is counted with its reason. A CPU engine with threads of its own
 * does chunks in a row side by side, others are done on the thread that asks.
 *
 * @param <R> what becomes of a chunk
 * @param <Q> how chunks are brought to a device
 */
abstract class GpuBatch<R, Q extends GpuRequest> implements Batch<R> {
    /**
     * Raw bytes that a chunk in turn asks for at least, with those behind it, where there is not enough memory for all.
     */
    private static final int LEAST_ASKED_BYTES = 1 << 20;

    private static final String ASKED_AGAIN = "pool.asked-again";

    final LendingEngine cpu;
    final Format format;
    final CodecOptions options;
    final DevicePool pool;
    private final String program;
    private final Direction direction;
    /** Given with {@link #submit}. */
    private DeviceChoices choices;
    /** Time that this batch has waited for devices to start, in times of what the CPU takes for it at least. */
    private double waitedTimes;

    private final List<Chunk> chunks;
    private final List<Assignment<Q>> assignments = new ArrayList<>();
    private final List<Q> requests = new ArrayList<>();
    /** Null unless threads of the CPU are at work. */
    private CpuRun<R> cpuRun;

    /**
     * Chunks in a row that threads of the CPU do, also before their turn.
     *
     * @param first of them
     * @param limit the one behind the last
     */
    private record CpuRun<R>(Batch<R> batch, int first, int limit) {}

    /**
     * Who does a chunk.
     *
     * @param request that it belongs to, null if it was refused before
     * @param number of the chunk in the request
     * @param refusal why the CPU, null if the request says so
     */
    private record Assignment<Q>(Q request, int number, FallbackReason refusal) {}

    /** Why a device did not do a chunk. */
    static final class NotDone extends Exception {
        private static final long serialVersionUID = 1;

        private final FallbackReason reason;

        NotDone(FallbackReason reason) {
            super(reason.word(), null, false, false);
            this.reason = reason;
        }
    }

    /** @param program what devices run for it */
    GpuBatch(
            LendingEngine cpu,
            DevicePool pool,
            String program,
            Format format,
            Direction direction,
            CodecOptions options,
            List<Chunk> chunks) {
        this.cpu = cpu;
        this.pool = pool;
        this.program = program;
        this.format = format;
        this.direction = direction;
        this.options = options;
        this.chunks = chunks;
    }

    /** The request that the next chunk may join, or null. */
    Q lastRequest() {
        return requests.isEmpty() ? null : requests.get(requests.size() - 1);
    }

    void open(Q request) {
        requests.add(request);
    }

    /** The next chunk is that number of the last request. */
    void assign(int number) {
        assignments.add(new Assignment<>(lastRequest(), number, null));
    }

    /** The next chunk is the CPU's. */
    void refuse(FallbackReason why) {
        assignments.add(new Assignment<>(null, 0, why));
    }

    /**
     * Most raw bytes of a request of this batch: less where memory is scarce, since it goes back request by request.
     */
    final int mostRequestBytes(GpuFormat known) {
        int most = known.mostRequestBytes(direction);
        return pool.isCrowded() ? Math.min(most, GpuRequest.MOST_RAW_BYTES) : most;
    }

    /** Whether a request may need all that a device has for a wave, so that it is asked for each chunk more. */
    final boolean isOfWaves(GpuFormat known) {
        return known.mostRequestBytes(direction) > GpuRequest.MOST_RAW_BYTES;
    }

    /**
     * Submits the requests that are cheaper on a device, if the pool has memory for them. Where memory is scarce a
     * batch leaves it to others: its first request goes at once, the others as they come in turn. No request
     * goes while another stream waits for memory that it needs now.
     *
     * @param waited how long the batch has waited for devices to start, in times of what the CPU takes for it
     */
    public GpuBatch<R, Q> submit(DeviceChoices choosing, DeviceChoice choice, double waited) {
        choices = choosing;
        waitedTimes = waited;
        long batchBytes = requests.stream().mapToLong(GpuRequest::rawBytes).sum();
        long dearBytes = requests.stream().mapToLong(GpuRequest::dearBytes).sum();
        boolean submitted = false;
        for (Q request : requests) {
            request.isOfBatch(batchBytes);
            switch (choices.choose(choice, options, request.dearBytes(), dearBytes, pool)) {
                case DEVICE -> submitted |= submitIfCalm(request, submitted);
                case CPU -> request.refuse(FallbackReason.AUTO);
                case CPU_WHILE_DEVICES_REST -> request.refuse(FallbackReason.POOL_RESTS);
                case CPU_BESIDE_DEVICE -> request.submitBesideCpu(pool, program, choices);
            }
        }
        return this;
    }

    private boolean submitIfCalm(Q request, boolean submitted) {
        if (pool.isAwaited() || submitted && pool.isCrowded()) {
            request.refuse(FallbackReason.POOL_FULL);
            return false;
        }
        submit(request);
        return true;
    }

    private void submit(Q request) {
        request.submit(pool, program, hedge(request, request.dearBytes()));
    }

    private HedgedWait hedge(Q request, long dearBytes) {
        return choices.hedge(request.choice(), options, dearBytes, pool).afterStart(waitedTimes);
    }

    @Override
    public int size() {
        return chunks.size();
    }

    @Override
    public R take(int index) throws IOException {
        return take(index, null);
    }

    @Override
    public R take(int index, ByteBuffer target) throws IOException {
        Assignment<Q> assignment = assignments.get(index);
        Q request = assignment.request;
        if (request == null) {
            return countedOnCpu(index, target, assignment.refusal);
        }
        boolean held = false;
        try {
            if (request.refusal() == FallbackReason.POOL_FULL || request.isRevoked()) {
                assignment = askAgain(index);
                request = assignment.request;
            }
            submitNext(request);
            FallbackReason refusal = request.refusal();
            if (refusal == null) {
                try {
                    R result = fromDevice(request, assignment.number, chunks.get(index), target);
                    held = isHeld(result);
                    return result;
                } catch (NotDone notDone) {
                    refusal = notDone.reason;
                }
            }
            return byCpu(request, index, target, refusal);
        } catch (InterruptedException interrupted) {
            throw Interruption.of(interrupted, direction);
        } finally {
            if (!held) {
                request.taken();
            }
        }
    }

    /**
     * Submits once more what is left of a request that found the pool full, or its next chunks alone, as soon as
     * there is memory for it; gives up when the CPU is to do it. Of a request whose results were taken back, since
     * its stream was slow to read them, only the next chunks.
     *
     * @return the chunk's assignment from now on
     */
    private Assignment<Q> askAgain(int index) throws InterruptedException {
        Assignment<Q> refused = assignments.get(index);
        int chunkBytes = Math.max(1, refused.request.mostRawBytes(refused.number));
        Q few = rest(refused.request, refused.number, Math.max(1, LEAST_ASKED_BYTES / chunkBytes));
        List<Q> asking = refused.request.isRevoked()
                ? List.of(few)
                : List.of(rest(refused.request, refused.number, Integer.MAX_VALUE), few);
        HedgedWait wait = hedge(few, few.dearBytes(0));
        AtomicReference<Q> got = new AtomicReference<>();
        wait.attempt(() -> {
            for (Q request : asking) {
                submit(request);
                if (request.refusal() == null) {
                    got.set(request);
                    return true;
                }
            }
            return few.refusal() != FallbackReason.POOL_FULL;
        });
        if (got.get() == null) {
            return refused;
        }
        got.get().follow(wait);
        Metrics.counter(ASKED_AGAIN).increment();
        return reassign(refused, got.get());
    }

    private Assignment<Q> reassign(Assignment<Q> refused, Q request) {
        requests.add(requests.indexOf(refused.request) + 1, request);
        int limit = refused.number + request.chunks.size();
        refused.request.leave(request.chunks.size());
        assignments.replaceAll(
                each -> each.request == refused.request && each.number >= refused.number && each.number < limit
                        ? new Assignment<>(request, each.number - refused.number, null)
                        : each);
        return new Assignment<>(request, 0, null);
    }

    /** Submits the request behind this one if the pool was full when that was to be submitted, and is not now. */
    private void submitNext(Q request) {
        int next = requests.indexOf(request) + 1;
        if (next < requests.size()) {
            Q behind = requests.get(next);
            if (behind.refusal() == FallbackReason.POOL_FULL && behind.isWhole() && !pool.isAwaited()) {
                submit(behind);
                if (behind.refusal() == null) {
                    Metrics.counter(ASKED_AGAIN).increment();
                }
            }
        }
    }

    /** A request of the same chunks from this one on, so many at most. */
    abstract Q rest(Q request, int number, int mostChunks);

    /** Whether a result still needs its request, and tells it itself when it does not any more. */
    boolean isHeld(R result) {
        return false;
    }

    private R byCpu(Q request, int index, ByteBuffer target, FallbackReason why) throws IOException {
        long start = System.nanoTime();
        long processorStart = ProcessorTime.nanos();
        R result = countedOnCpu(index, target, why);
        if (isInRun(index)) {
            request.isNotMeasured();
        } else {
            request.cpuDid(System.nanoTime() - start, ProcessorTime.nanos() - processorStart);
        }
        return result;
    }

    private R countedOnCpu(int index, ByteBuffer target, FallbackReason why) throws IOException {
        Metrics.countFallback(direction, format, why);
        if (!isInRun(index) && cpu.isAsynchronous()) {
            beginRun(index);
        }
        return isInRun(index) ? cpuRun.batch.take(index - cpuRun.first, target) : onCpu(chunks.get(index), target);
    }

    private boolean isInRun(int index) {
        return cpuRun != null && index >= cpuRun.first && index < cpuRun.limit;
    }

    /** Gives a chunk and those behind it that are the CPU's to its threads, if there is more than one. */
    private void beginRun(int index) {
        int limit = index + 1;
        while (limit < chunks.size() && isCpus(assignments.get(limit))) {
            limit++;
        }
        endRun();
        if (limit > index + 1) {
            cpuRun = new CpuRun<>(cpuBatch(chunks.subList(index, limit)), index, limit);
        }
    }

    /** Whether the CPU does a chunk in any case: where memory is short a device is asked once more. */
    private boolean isCpus(Assignment<Q> assignment) {
        FallbackReason refusal = assignment.request == null ? assignment.refusal : assignment.request.refusal();
        return refusal != null && refusal != FallbackReason.POOL_FULL;
    }

    private void endRun() {
        if (cpuRun != null) {
            cpuRun.batch.close();
            cpuRun = null;
        }
    }

    /** The CPU does a chunk; counted with the reason. */
    R again(Chunk chunk, ByteBuffer target, FallbackReason why) throws IOException {
        Metrics.countFallback(direction, format, why);
        return onCpu(chunk, target);
    }

    private R onCpu(Chunk chunk, ByteBuffer target) throws IOException {
        try (Batch<R> one = cpuBatch(List.of(chunk))) {
            return one.take(0, target);
        }
    }

    /** A batch of the CPU engine. */
    abstract Batch<R> cpuBatch(List<Chunk> those);

    abstract R fromDevice(Q request, int number, Chunk chunk, ByteBuffer target) throws NotDone, InterruptedException;

    @Override
    public void close() {
        endRun();
        requests.forEach(GpuRequest::close);
    }
}
