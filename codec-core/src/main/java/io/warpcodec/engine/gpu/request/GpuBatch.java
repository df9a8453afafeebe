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

    /** Submits what is cheaper on a device, as far as the pool has memory. */
    public GpuBatch<R, Q> submit(CostModel model, RouteCosts costs) {
        for (Q request : requests) {
            if (model.deviceIsCheaper(costs, options, request.rawBytes(), pool.backlogBytes())) {
                request.submit(pool, program);
            } else {
                request.refuse(FallbackReason.AUTO);
            }
        }
        return this;
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
            if (request.refusal() == FallbackReason.POOL_FULL && patienceNanos > 0) {
                assignment = askAgain(index);
                request = assignment.request;
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
                    Metrics.counter("pool.asked-again").increment();
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
        open(request);
        int limit = refused.number + request.chunks.size();
        refused.request.leave(request.chunks.size());
        assignments.replaceAll(
                each -> each.request == refused.request && each.number >= refused.number && each.number < limit
                        ? new Assignment<>(request, each.number - refused.number, null)
                        : each);
        return new Assignment<>(request, 0, null);
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
