package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.device.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch that devices decode. What they do not take, or do not finish, or refuse, the CPU engine decodes inside {@link #take}, on the thread
 * that asks, from the input that is still held; each such chunk is counted with its reason. So a chunk is accepted or rejected exactly as by
 * the CPU engine.
 */
final class GpuDecodeBatch implements Batch<DecodedChunk> {
    private final Engine cpu;
    private final DevicePool pool;
    private final Format format;
    private final CodecOptions options;
    private final List<Chunk> chunks;
    private final WorkMeter meter;
    private final Assignment[] assignments;
    private final List<GpuRequest> requests = new ArrayList<>();

    /**
     * Who decodes a chunk.
     *
     * @param request on a device, null if the CPU does
     * @param number of the chunk in the request
     * @param rawBytes what it decodes to
     * @param refusal why the CPU, null if a device
     */
    private record Assignment(GpuRequest request, int number, int rawBytes, String refusal) {}

    GpuDecodeBatch(
            Engine cpu,
            DevicePool pool,
            Format format,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            DecodePlanner planner) {
        this.cpu = cpu;
        this.pool = pool;
        this.format = format;
        this.options = options;
        this.chunks = chunks;
        this.meter = meter;
        this.assignments = new Assignment[chunks.size()];
        GpuRequest request = null;
        for (int index = 0; index < chunks.size(); index++) {
            Chunk chunk = chunks.get(index);
            DecodePlan plan = planner.plan(chunk, options.outputBudgetBytes());
            if (plan.refusal() != null) {
                assignments[index] = new Assignment(null, 0, 0, plan.refusal());
                continue;
            }
            if (request == null || !request.hasRoomFor(plan)) {
                request = new GpuRequest(pool.mostLeaseBytes());
                requests.add(request);
            }
            assignments[index] = new Assignment(request, request.add(chunk, plan), plan.rawBytes(), null);
        }
    }

    /** Submits what was planned, as far as the pool has room. */
    GpuDecodeBatch submit(String program) {
        for (GpuRequest request : List.copyOf(requests)) {
            if (!request.submit(pool, program)) {
                String why = pool.absence() == null ? "pool-full" : pool.absence();
                requests.remove(request);
                for (int index = 0; index < assignments.length; index++) {
                    if (assignments[index].request == request) {
                        assignments[index] = new Assignment(null, 0, 0, why);
                    }
                }
            }
        }
        return this;
    }

    @Override
    public int size() {
        return chunks.size();
    }

    @Override
    public DecodedChunk take(int index) throws IOException {
        return take(index, null);
    }

    @Override
    public DecodedChunk take(int index, ByteBuffer room) throws IOException {
        Assignment assignment = assignments[index];
        String refusal = assignment.refusal;
        if (refusal == null) {
            long start = System.nanoTime();
            Lease lease = room != null && room.capacity() >= assignment.rawBytes
                    ? new Lease(room, "decode", () -> {})
                    : cpu.tryLease(assignment.rawBytes, "decode");
            refusal = fromDevice(assignment, lease);
            if (refusal == null) {
                meter.count(1, chunks.get(index).bytes(), assignment.rawBytes, System.nanoTime() - start);
                return DecodedChunk.done(List.of(new DecodedChunk.Output(lease, assignment.rawBytes)));
            }
            lease.release();
        }
        Metrics.countFallback("decode", format, refusal);
        try (Batch<DecodedChunk> again = cpu.decode(format, options, List.of(chunks.get(index)))) {
            return again.take(0, room);
        }
    }

    private String fromDevice(Assignment assignment, Lease lease) throws IOException {
        boolean over = false;
        try {
            byte[] target = lease.memory().array();
            String refusal = assignment.request.copyOut(
                    assignment.number, target, lease.memory().arrayOffset());
            over = true;
            return refusal;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            InterruptedIOException stopped = new InterruptedIOException("interrupted while a device decoded");
            stopped.initCause(interrupted);
            throw stopped;
        } finally {
            assignment.request.taken();
            if (!over) {
                lease.release();
            }
        }
    }

    @Override
    public void close() {
        requests.forEach(GpuRequest::close);
    }
}
