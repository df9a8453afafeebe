package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.pool.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.cost.CostModel;
import io.warpcodec.engine.gpu.cost.RouteCosts;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch for devices. What they do not get, or do not finish, or refuse, the CPU engine does inside {@link #take}, on the thread that asks,
 * from the input that is still held; each such chunk is counted with its reason.
 *
 * @param <R> what becomes of a chunk
 * @param <Q> how chunks are brought to a device
 */
abstract class GpuBatch<R, Q extends GpuRequest> implements Batch<R> {
    /** Of a batch whose chunks can wait, while more than half of the page-locked memory is lent. */
    private static final int MOST_REQUESTS_IN_A_CROWD = 2;

    private static final String ASKED_AGAIN = "pool.asked-again";

    final LendingEngine cpu;
    final Format format;
    final CodecOptions options;
    final DevicePool pool;
    private final String program;
    private final long patienceNanos;
    private final Direction direction;
    private final List<Chunk> chunks;
    private final List<Assignment<Q>> assignments = new ArrayList<>();
    private final List<Q> requests = new ArrayList<>();

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

    /**
     * @param program what devices run for it
     * @param patienceNanos how long a chunk whose request found the pool full waits for memory when it is taken
     */
    GpuBatch(
            LendingEngine cpu,
            DevicePool pool,
            String program,
            long patienceNanos,
            Format format,
            Direction direction,
            CodecOptions options,
            List<Chunk> chunks) {
        this.cpu = cpu;
        this.pool = pool;
        this.program = program;
        this.patienceNanos = patienceNanos;
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
     * Submits what is cheaper on a device, as far as the pool has memory. A batch whose chunks can wait leaves memory to others where it is scarce: a few requests at
     * once, the others as they come in turn.
     */
    public GpuBatch<R, Q> submit(CostModel model, RouteCosts costs) {
        int submitted = 0;
        for (Q request : requests) {
            if (!model.deviceIsCheaper(costs, options, request.rawBytes(), pool.backlogBytes())) {
                request.refuse(FallbackReason.AUTO);
            } else if (canWait() && submitted >= MOST_REQUESTS_IN_A_CROWD && pool.isCrowded()) {
                request.refuse(FallbackReason.POOL_FULL);
            } else {
                request.submit(pool, program);
                submitted++;
            }
        }
        return this;
    }

    private boolean canWait() {
        return patienceNanos > 0;
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
            return again(chunks.get(index), target, assignment.refusal);
        }
        boolean held = false;
        try {
            if (canWait()) {
                if (request.refusal() == FallbackReason.POOL_FULL) {
                    assignment = askAgain(index);
                    request = assignment.request;
                }
                submitNext(request);
            }
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
            long start = System.nanoTime();
            R result = again(chunks.get(index), target, refusal);
            request.cpuDid(System.nanoTime() - start);
            return result;
        } catch (InterruptedException interrupted) {
            throw Interruption.of(interrupted, direction);
        } finally {
            if (!held) {
                request.taken();
            }
        }
    }

    /**
     * Submits once more what is left of a request that found the pool full, or its next chunk alone, as soon as there is memory for it; gives up when the CPU
     * would be done with that chunk.
     *
     * @return the chunk's assignment from now on
     */
    private Assignment<Q> askAgain(int index) throws InterruptedException {
        Assignment<Q> refused = assignments.get(index);
        Q all = rest(refused.request, refused.number, Integer.MAX_VALUE);
        Q one = rest(refused.request, refused.number, 1);
        long start = System.nanoTime();
        while (true) {
            for (Q request : List.of(all, one)) {
                request.submit(pool, program);
                if (request.refusal() == null) {
                    Metrics.counter(ASKED_AGAIN).increment();
                    return reassign(refused, request);
                }
            }
            if (one.refusal() != FallbackReason.POOL_FULL || System.nanoTime() - start >= patienceNanos) {
                return refused;
            }
            Thread.sleep(1);
        }
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
            if (behind.refusal() == FallbackReason.POOL_FULL && behind.isWhole()) {
                behind.submit(pool, program);
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

    /** The CPU does a chunk; counted with the reason. */
    R again(Chunk chunk, ByteBuffer target, FallbackReason why) throws IOException {
        Metrics.countFallback(direction, format, why);
        return onCpu(chunk, target);
    }

    abstract R onCpu(Chunk chunk, ByteBuffer target) throws IOException;

    abstract R fromDevice(Q request, int number, Chunk chunk, ByteBuffer target) throws NotDone, InterruptedException;

    @Override
    public void close() {
        requests.forEach(GpuRequest::close);
    }
}
